"""Minima of a function of several variables, free or within bounds and constraints."""

METHODS = ("bfgs", "l-bfgs-b", "slsqp", "newton")
