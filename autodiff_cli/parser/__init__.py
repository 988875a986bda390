"""Text → the nodes of a graph, and diagnostics for text that is not a program."""

from .shift_reduce import run

__all__ = ["run"]
