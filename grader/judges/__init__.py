"""How a call's outcome is compared with its expectation, one file a kind of function."""
