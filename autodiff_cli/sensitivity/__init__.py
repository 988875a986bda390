"""The inputs that a result depends on most."""
