"""The kind of `ZeroBy`, a class of the student's own whose games are followed."""
