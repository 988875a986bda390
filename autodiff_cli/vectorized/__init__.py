"""Straight-line code on columns of numbers: a plan of steps, run as machine code or by NumPy, in threads."""
