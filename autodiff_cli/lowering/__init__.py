"""A program and its derivatives as one graph of the operations that a target has: for `export` and `vectorized`."""
