"""The verdict of a gradient check as fields, words and a style; the formats put them where they belong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import finite_or_text

if TYPE_CHECKING:  # the check brings mpmath, which a table without one must not wait for
    from ..gradient_check.checker import Verdict

FIELDS = ("difference", "relative_error", "verdict", "reason", "left", "right", "digits_lost")
"""what JSON, CSV and TSV say of a checked gradient"""


def fields(verdict: Verdict) -> dict[str, Any]:
    """A verdict as JSON holds it."""
    values = {name: getattr(verdict, name) for name in ("gradient", *FIELDS)}
    return {name: finite_or_text(value) if isinstance(value, float) else value for name, value in values.items()}


def cells(verdict: Verdict | None) -> list[str]:
    """A verdict as CSV holds it; what there is not is empty."""
    values = [None if verdict is None else getattr(verdict, name) for name in FIELDS]
    return ["" if value is None else value if isinstance(value, str) else repr(value) for value in values]


def style(verdict: Verdict) -> str:
    """The colour of the verdict's word."""
    return {"mismatch": "bold red", "undecided": "yellow", "not differentiable": "yellow"}.get(verdict.verdict, "green")


def error(verdict: Verdict) -> str:
    """The relative error, as a person reads it."""
    if verdict.relative_error is None:
        return ""
    return f"{verdict.relative_error:.1e}" if verdict.relative_error else "0"


def explanation(verdict: Verdict) -> str:
    """Why, in words, with the slopes on either side; "" for a verdict that is simply ok."""
    sides = (("left", verdict.left), ("right", verdict.right))
    slopes = ", ".join(f"{slope:.6g} on the {side}" for side, slope in sides if slope is not None)
    return verdict.reason + (f"; the slope is {slopes}" if slopes else "")
