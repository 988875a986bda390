"""The formulas that are evaluated at many rows at once, and the rows.

Every row is drawn from a generator with a seed, so that each process has the same ones.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from measure import CORPORA

Columns = dict[str, Any]
"""name → doubles of a NumPy array"""


@dataclass(frozen=True)
class Workload:
    """A formula, its columns, and the numbers that all rows share."""

    name: str
    title: str
    text: str
    rows: int
    small: int
    """rows for a trial"""
    columns: Callable[[int], Columns]
    given: Mapping[str, float] = field(default_factory=dict)
    wrt: Sequence[str] = ()
    """the names that the gradient is with respect to; the columns, in their order, without it"""

    @property
    def variables(self) -> list[str]:
        """The names that the gradient is with respect to."""
        return list(self.wrt or self.columns(1))


def _uniform(**intervals: tuple[float, float]) -> Callable[[int], Columns]:
    """Columns of numbers drawn evenly from intervals."""

    def columns(rows: int) -> Columns:
        import numpy

        random = numpy.random.default_rng(6)
        return {name: random.uniform(low, high, rows) for name, (low, high) in intervals.items()}

    return columns


def _pixels(count: int) -> Columns:
    """The centres of a square image's pixels over [-1, 1]², its rows from the top."""
    import numpy

    side = math.isqrt(count)
    centres = (2 * numpy.arange(side) + 1) / side - 1
    x, y = numpy.meshgrid(centres, -centres)
    return {"x": x.ravel(), "y": y.ravel()}


def _neuron() -> Workload:
    columns = _uniform(x1=(-2, 2), w1=(-2, 2), x2=(-2, 2), w2=(-2, 2), b=(-1, 1))
    return Workload("neuron", "a neuron", "tanh(x1*w1 + x2*w2 + b)", 10**7, 10**5, columns)


def _black_scholes() -> Workload:
    text = (
        "d1 = (log(S/K) + (r + sigma^2/2)*T)/(sigma*sqrt(T))\n"
        "d2 = d1 - sigma*sqrt(T)\n"
        "S*normcdf(d1) - K*exp(-r*T)*normcdf(d2)"
    )
    columns = _uniform(S=(50, 150), K=(50, 150), r=(0.0, 0.1), sigma=(0.1, 0.5), T=(0.1, 2))
    return Workload("black_scholes", "Black–Scholes", text, 10**7, 10**5, columns)


def _bundle() -> Workload:
    lines = (CORPORA / "ba_residual.expr").read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("b2 "))  # what the residual does not need
    rotation = dict.fromkeys(("r1", "r2", "r3"), (0.1, 1.0))
    place = dict.fromkeys(("X1", "C1", "X2", "C2"), (-1.0, 1.0)) | {"X3": (4.0, 8.0), "C3": (-1.0, 1.0)}
    camera = {"k1": (0.0, 0.1), "k2": (0.0, 0.1), "f": (200.0, 800.0), "u0": (-1.0, 1.0), "w": (0.1, 1.0)}
    columns = _uniform(**rotation, **place, **camera, m1=(-500.0, 500.0))
    return Workload("bundle", "a bundle adjustment residual", text, 10**6, 10**4, columns)


def _mixture() -> Workload:
    """The first datum's term of the likelihood; the datum becomes two columns, the parameters are shared."""
    lines = (CORPORA / "gmm_d2_K5_n1000.expr").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if line.startswith(("Q", "sumq", "x0_", "y0_", "t0_", "lse0 "))]
    text = "\n".join(kept).replace("1.270848", "px").replace("0.066009", "py")
    with (CORPORA / "adbench.jsonl").open(encoding="utf-8") as records:
        found = next(record for line in records if (record := json.loads(line))["id"] == "gmm-d2-K5-n1000")
    given = {name: float(number) for name, number in found["at"].items()}
    columns = _uniform(px=(-2, 2), py=(-2, 2))
    return Workload("mixture", "a mixture likelihood's terms", text, 10**6, 10**4, columns, given, tuple(given))


def _prospero() -> Workload:
    text = (CORPORA / "prospero.expr").read_text(encoding="utf-8")
    return Workload("prospero", "Prospero", text, 1024**2, 32**2, _pixels)


MAKERS = {
    "neuron": _neuron,
    "black_scholes": _black_scholes,
    "bundle": _bundle,
    "mixture": _mixture,
    "prospero": _prospero,
}


def workload(name: str) -> Workload:
    """The workload of that name."""
    return MAKERS[name]()


# ---- The neuron by hand, as somebody would write it for polars and in SQL --------------------------------------------

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
