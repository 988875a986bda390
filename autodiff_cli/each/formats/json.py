"""JSON Lines: an object for each formula, with its `line`; `error` in place of the rest where there is one."""

import io
import json
from math import isfinite

from ...errors import AutodiffError, one_line
from ...evaluation import Evaluation
from ...output import Report
from ...output.json import write
from ..formulas import Answer
from . import Manner
from . import TextWriter as Writer

__all__ = ["Writer", "encode"]


def encode(answer: Answer, manner: Manner) -> str:
    """One line: `output`, `value` and `gradient`, and with `--nodes all` the nodes too."""
    line = answer.source.line
    if answer.evaluation is None:
        return json.dumps({"line": line, "error": _fields(answer.error)}) + "\n"
    if manner.nodes != "all":
        return _object(line, answer.evaluation)
    text = io.StringIO()
    write(Report(answer.evaluation), text, {"line": line})
    return text.getvalue()


def _object(line: int, evaluation: Evaluation) -> str:
    """What `formats.json` writes without the nodes, put together by hand: it is in the way of every formula."""
    name = evaluation.program.output_name
    output = "null" if name is None else _text(name)
    gradient = [f"{_text(name)}: {_number(partial)}" for name, partial in evaluation.gradient.items()]
    value = _number(evaluation.value)
    return f'{{"line": {line}, "output": {output}, "value": {value}, "gradient": {{{", ".join(gradient)}}}}}\n'


def _text(name: str) -> str:
    return f'"{name}"' if name.isascii() else json.dumps(name)  # letters, digits and _ need no escapes


def _number(number: float) -> str:
    return repr(number) if isfinite(number) else f'"{number!r}"'


def _fields(error: AutodiffError | None) -> dict[str, str | int | None]:
    assert error is not None  # an answer has one or the other
    return {"message": one_line(error.message), "column": error.column, "hint": one_line(error.hint) or None}
