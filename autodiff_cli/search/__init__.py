"""Numerical searches: a program as a function of a vector, and the point at which a search starts."""
