"""Gradients compared with finite differences, and written derivatives compared with the true ones."""

SECONDS = 4
"""the work for the check of a program of up to 100 operations"""
