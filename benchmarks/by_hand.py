"""The neuron `tanh(x1*w1 + x2*w2 + b)` with its gradient, as somebody would write it for polars and in SQL."""

from typing import Any

SLOPES = {"grad_x1": "w1", "grad_w1": "x1", "grad_x2": "w2", "grad_w2": "x2"}
"""result → what the derivative of tanh is multiplied with"""


def polars_expressions() -> dict[str, Any]:
    """The results, name → expression of polars."""
    from polars import col

    value = (col("x1") * col("w1") + col("x2") * col("w2") + col("b")).tanh()
    slope = 1 - value**2
    return {"value": value, **{name: slope * col(by) for name, by in SLOPES.items()}, "grad_b": slope}


def sql_query(source: str) -> str:
    """The query for all columns of a table and the results."""
    slopes = ", ".join(f"(1 - value*value)*{by} {name}" for name, by in SLOPES.items())
    return f"select *, {slopes}, 1 - value*value grad_b from (select *, tanh(x1*w1 + x2*w2 + b) value from {source})"
