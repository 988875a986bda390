"""Roots: points where a formula is zero, or where several equations hold."""
