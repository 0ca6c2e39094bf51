"""The verdict on a case: its status, its facts, and its sentences."""
