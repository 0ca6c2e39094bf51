"""In the child: makes the calls of a case, watches them, and sends plain data."""
