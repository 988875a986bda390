"""The answer of `autodiff verify`: yes, or no with the simplest counter-example."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, TextIO

from ..errors import printable
from ..notation import shortest
from ..output import finite_or_text

if TYPE_CHECKING:  # the comparison brings mpmath
    from .verify import Counterexample, Verification


def write(answer: Verification, ranges: Mapping[str, tuple[float, float]], name: str, out: TextIO) -> None:
    """Write the answer as text or as JSON; `ranges` are those that the points were drawn of."""
    out.write(_json(answer) if name == "json" else _text(answer, ranges))


def _text(answer: Verification, ranges: Mapping[str, tuple[float, float]]) -> str:
    if answer.counterexample is not None:
        return _no(answer.counterexample)
    drawn = "".join(f", {printable(name)} from {shortest(a)} to {shortest(b)}" for name, (a, b) in ranges.items())
    points = f"{answer.compared} point{'s' * (answer.compared > 1)}"
    skipped = f"; {answer.skipped} others are outside of the domain" if answer.skipped else ""
    return f"yes: equal at {points}{drawn}{skipped}\n"


def _no(wrong: Counterexample) -> str:
    place = ", ".join(f"{printable(name)} = {shortest(number)}" for name, number in wrong.point.items())
    true = f"the derivative with respect to {printable(wrong.name)}"
    written = "what was written gives"
    return (
        f"no{': at ' * bool(place)}{place}\n"
        f"  {true:<{len(true)}}  {shortest(wrong.true)}\n"
        f"  {written:<{len(true)}}  {shortest(wrong.written)}\n"
    )


def _json(answer: Verification) -> str:
    wrong = answer.counterexample
    entry = wrong and {
        "name": wrong.name,
        "point": {name: finite_or_text(number) for name, number in wrong.point.items()},
        "derivative": finite_or_text(wrong.true),
        "written": finite_or_text(wrong.written),
    }
    fields = {"equal": wrong is None, "compared": answer.compared, "skipped": answer.skipped, "counterexample": entry}
    return json.dumps(fields) + "\n"
