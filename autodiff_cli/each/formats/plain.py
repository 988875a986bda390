"""Plain lines for shell scripts, one for each formula: the value, then `name gradient` for each input.

A line with an error has the word `error` in place of the value, then the message.
"""

from ...errors import one_line
from ..formulas import Answer
from . import Manner
from . import TextWriter as Writer

__all__ = ["Writer", "encode"]


def encode(answer: Answer, manner: Manner) -> str:
    """One line."""
    if answer.evaluation is not None:
        gradient = "".join([f" {name} {partial!r}" for name, partial in answer.evaluation.gradient.items()])
        return f"{answer.evaluation.value!r}{gradient}\n"
    return f"error {one_line(answer.error.message) if answer.error else ''}\n"
