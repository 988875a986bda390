"""A program at a point: its value, every node's value, and the gradient.

`point` evaluates; `slope_limits` finds the slopes that the chain rule leaves open; `nonfinite` explains results that
are not finite; `report` shows all of it.
"""

from .point import (
    LIMIT_SECONDS,
    MOST_LIMITS,
    Evaluation,
    Sweeper,
    assigned_values,
    evaluate,
    leaves,
    limit,
    settle,
    sweep_backward,
    used,
)

__all__ = [
    "LIMIT_SECONDS",
    "MOST_LIMITS",
    "Evaluation",
    "Sweeper",
    "assigned_values",
    "evaluate",
    "leaves",
    "limit",
    "settle",
    "sweep_backward",
    "used",
]
