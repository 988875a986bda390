"""Gradients compared with finite differences, and written derivatives compared with the true ones."""
