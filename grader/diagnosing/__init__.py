"""What is known of the mistake behind failing cases: its place and its name."""
