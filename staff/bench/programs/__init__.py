"""Programs that the bench starts, each in a process of its own, in the kit's folder."""
