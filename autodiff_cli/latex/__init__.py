"""Formulas as LaTeX for math mode."""
