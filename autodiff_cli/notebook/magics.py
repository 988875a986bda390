"""`%autodiff FORMULA` and `%%autodiff`: a program with the notebook's variables as its inputs.

>>> result = run("a*b + c", {"a": 2, "b": -3, "c": 10})
>>> result.value, result.gradient["b"]
(4.0, 2.0)
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol, SupportsFloat, get_args

from ..errors import USAGE, AutodiffError, quoted_names
from ..evaluation import Evaluation, evaluate
from ..evaluation.report import EvaluationReport
from ..explain.notebook import PageInCell
from ..graph_drawing.notebook import Drawing
from ..graph_drawing.picture import MOST_NODES, Picture
from ..language.given_lists import parse_with_lists
from ..notation import canonical, flattened, is_constant
from ..output import table
from ..parser.tokens import tokens
from ..program import Program, as_double

Shown = Literal["table", "picture", "page"]

_USAGE = "%autodiff [--picture | --page] FORMULA, or %%autodiff with the program below it"

_OPTION = re.compile(r"^--(\S+)|\s--([a-z]{2,})(?=$|=[^=]|\s+(?:--|(?!(?:and|or)\b)\w))")
"""an option before the formula or after it, perhaps with its value, where `a --b` is a difference"""

_TO_ASSIGN = {
    "missing inputs": "assign {} in a cell",
    "list entry": "assign a list to {} in a cell",
    "list input": "assign a list to {} in a cell",
}
"""the kinds of remedies with a number that is missing → their words in a notebook"""


class Shell(Protocol):
    """The part of IPython's shell that is used here."""

    user_ns: dict[str, Any]

    def register_magic_function(self, function: Callable[..., Any], magic_kind: str, magic_name: str) -> None:
        """Make the function a command."""


class CellError(AutodiffError):
    """An error in a cell, which IPython shows without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return self.render().splitlines()


class CellResult:
    """The value and the gradient of a cell's program; a notebook shows them as a table, a picture or a page."""

    def __init__(self, evaluation: Evaluation, shown: Shown = "table") -> None:
        self.evaluation, self._shown = evaluation, shown

    @property
    def value(self) -> float:
        """The value of the program."""
        return self.evaluation.value

    @property
    def gradient(self) -> dict[str, float]:
        """The partial derivative with respect to each input."""
        return self.evaluation.gradient

    def __repr__(self) -> str:
        text = io.StringIO()
        table.write(EvaluationReport(self.evaluation, nodes="all"), text)
        return text.getvalue().rstrip("\n")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        if self._shown == "picture":
            return Drawing(Picture.of(self.evaluation, most=MOST_NODES))._repr_mimebundle_()
        page = {"text/html": PageInCell(self.evaluation)._repr_html_()} if self._shown == "page" else {}
        return {"text/plain": repr(self), **page}


def register(shell: Shell) -> None:
    """Add the commands to a notebook."""

    def autodiff(line: str, cell: str | None = None) -> CellResult:
        """Evaluate a program with the variables of the notebook: value and gradient of every node."""
        try:
            shown, formula = _parted(line, cell)
            return run(formula, shell.user_ns, shown)
        except AutodiffError as error:
            source, span, hint = error.source, error.span, _in_a_cell(error).hint
            raise CellError(error.message, span=span, hint=hint, source=source, code=error.code) from None

    shell.register_magic_function(autodiff, "line_cell", "autodiff")


def run(text: str, variables: Mapping[str, Any], shown: Shown = "table") -> CellResult:
    """A program at the point that the variables give, where these are numbers, `Value`s or lists of them.

    A number that the program itself gives an input takes precedence. Raises AutodiffError for an input that has none.
    """
    spelled = dict.fromkeys(token.text for token in tokens(text) if token.kind == "NAME")
    # of variables with one name in the language, `π` and `pi`, the one that is spelled as in the text counts
    known = {canonical(name): variables[name] for name in (*variables, *spelled) if name in variables}
    used = {name: known[name] for name in map(canonical, spelled) if name in known}
    listed = {name: _as_list(variable) for name, variable in used.items()}
    lists = {name: entries for name, entries in listed.items() if isinstance(entries, list)}
    program = parse_with_lists(text, lists, name="<cell>")
    point: dict[str, float] = {}
    for name, variable in used.items():
        if name not in program.assigned:
            point |= _numbers(program, name, variable)
    return CellResult(evaluate(program, point), shown)


def _numbers(program: Program, name: str, variable: Any) -> dict[str, float]:
    """The numbers that a variable gives to inputs, also to a constant of the language that is another number here."""
    given = _as_list(variable)
    if name in program.list_names:
        entries = program.list_entries(name, given) if isinstance(given, list) else {}
        return {entry: as_double(entry, _unboxed(number)) for entry, number in entries.items()}
    if hasattr(variable, "tolist") and len(numbers := [*flattened(given)]) == 1:  # an array of one is a number too
        given = numbers[0]
    number = _number(given)
    if name in program.inputs:
        return {name: as_double(name, given if number is None else number)}
    if name not in program.constants or number is None:
        return {}
    double = as_double(name, number)
    return {} if is_constant(name, double) else {name: double}


def _as_list(variable: Any) -> Any:
    """The list that a tuple or an array is; any other variable as it is."""
    if hasattr(variable, "tolist"):
        return variable.tolist()
    return list(variable) if isinstance(variable, tuple) else variable


def _number(variable: Any) -> SupportsFloat | None:
    """The number that a variable is, or that a `Value` has; None for any other."""
    number = _unboxed(variable)
    return number if isinstance(number, SupportsFloat) else None


def _unboxed(variable: Any) -> Any:
    """The number of a `Value`; any other variable as it is, also a NumPy number, whose `data` is its memory."""
    return variable if isinstance(variable, SupportsFloat) else getattr(variable, "data", variable)


def _in_a_cell(error: AutodiffError) -> AutodiffError:
    """The error, whose hint says what to assign: a notebook has no point that numbers are passed in."""
    remedy = error.remedy
    if remedy is not None and remedy.kind in _TO_ASSIGN:
        names = dict.fromkeys(name.partition("[")[0] for name in remedy.names)
        error.remedy = remedy._replace(words=_TO_ASSIGN[remedy.kind].format(quoted_names(names)))
    return error


def _parted(line: str, cell: str | None) -> tuple[Shown, str]:
    """The form of the result, and the program: the rest of the line, or the cell."""
    options = [before or after for before, after in _OPTION.findall(line.strip())] or ["table"]
    shown: Shown | None = next((name for name in get_args(Shown) if options == [name]), None)
    rest = _OPTION.sub("", line.strip()).strip()
    formula = rest if cell is None else cell
    if shown is None or not formula.strip() or (cell is not None and rest):
        raise AutodiffError("this is not how the command is written", hint=_USAGE, code=USAGE)
    return shown, formula
