"""Which inputs a result depends on most."""
