"""Derivatives of expressions: every node's value and gradient, exact to double precision.

>>> from autodiff_cli import Value, evaluate, gradient
>>> gradient("a*b + c", {"a": 2, "b": -3, "c": 10})
{'a': -3.0, 'b': 2.0, 'c': 1.0}
>>> a = Value(3.0)
>>> (a + a).backward()
>>> a.grad
2.0
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .errors import AutodiffError
from .evaluation import evaluate as _evaluate
from .parser import parse
from .program import Program
from .value import Value

if TYPE_CHECKING:
    from .checker import Verdict

__all__ = ["AutodiffError", "Program", "Value", "check", "evaluate", "gradient", "parse"]
__version__ = "0.1.0"


def evaluate(program: Program | str, point: Mapping[str, float] | None = None) -> float:
    """The value of a program, or of a text in the language, at a point: input → number."""
    return _evaluate(parse(program) if isinstance(program, str) else program, point or {}, ()).value


def gradient(
    program: Program | str, point: Mapping[str, float] | None = None, wrt: Sequence[str] | None = None
) -> dict[str, float]:
    """The partial derivatives of a program, or of a text in the language, at a point: input → number.

    `wrt` limits them to some inputs or named values.
    """
    return _evaluate(parse(program) if isinstance(program, str) else program, point or {}, wrt).gradient


def check(
    program: Program | str, point: Mapping[str, float] | None = None, wrt: Sequence[str] | None = None
) -> list["Verdict"]:
    """The verdict on each partial derivative of a program, or of a text in the language, at a point.

    The gradient is compared with finite differences of the value that are taken with as many digits as it takes.
    """
    from .checker import check as judged

    return judged(parse(program) if isinstance(program, str) else program, point or {}, wrt)
