"""Programs that the bench starts in the kit's folder, each in a process of its own."""
