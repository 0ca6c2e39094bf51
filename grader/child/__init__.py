"""The child: shuts itself in, imports lab.py, runs the cases, reports."""
