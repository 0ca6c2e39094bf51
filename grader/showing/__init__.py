"""Shows a score sheet on a terminal and in Markdown, as far as the course allows."""
