"""Shows a score sheet on a terminal and in Markdown."""
