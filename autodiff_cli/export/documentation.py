"""The documentation comment of generated code, from the comments in the program's own text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..errors import Source
from ..lowering.function_graph import FunctionGraph
from ..notation import shortest
from ..terminal.printable_text import columns, one_line
from ..version import WRITTEN_BY

_MOST_LINES = 30
_LONGEST = 300  # characters of a line; more helps nobody


@dataclass(frozen=True)
class InputDescription:
    """An input: its name in the formula, what its comment says and its number there."""

    name: str
    comment: str
    default: float | None

    @property
    def text(self) -> str:
        """The comment and the number, either of them or both: `temperature, K; 318 in the formula`."""
        number = "" if self.default is None else f"{shortest(self.default)} in the formula"
        return "; ".join(part for part in (self.comment, number) if part)


def inputs(function: FunctionGraph) -> list[InputDescription]:
    """The inputs of a function, in its order."""
    program = function.request.program
    descriptions = []
    for name in function.inputs:
        node = program.inputs[name]
        default = program.graph.numbers.get(node)
        comment = "" if default is None else _trailing(program.source, program.graph.span(node)[1])
        descriptions.append(InputDescription(name, comment, default))
    return descriptions


def summary(function: FunctionGraph) -> list[str]:
    """The comment that the program's text begins with; without one the formula itself, where it is short."""
    text = function.request.program.source.text
    lines = list(_heading(text))[:_MOST_LINES]
    if lines:
        return lines
    start, end = function.request.program.graph.span(function.request.program.output)
    formula = " ".join(text[start:end].split())
    return [_shown(formula)] if formula and len(formula) <= 200 and "#" not in text[start:end] else []


def documentation(
    function: FunctionGraph,
    parameters: Sequence[tuple[str, InputDescription]],
    returned: Sequence[str],
    *,
    takes_array: bool,
) -> list[str]:
    """The lines of a function's documentation: what it computes, its inputs, what becomes of its results.

    Texts of the user's have no line breaks or control characters here, whatever the language. Inputs of which there is
    nothing to say are listed only where they come as an array.
    """
    name = function.request.program.source.name
    origin = "" if name.startswith("<") else f" from {_shown(name)}"
    heading = summary(function)
    lines = [*heading, ""] if heading else []
    width = max((columns(called) for called, _ in parameters), default=0)
    listed = []
    for called, described in parameters:
        renamed = "" if called == described.name else f"`{_shown(described.name)}` in the formula"
        text = "; ".join(part for part in (renamed, described.text) if part)
        listed.append(f"    {called}{' ' * (width - columns(called))}  {text}".rstrip())
    if takes_array or any(line.strip() != called for line, (called, _) in zip(listed, parameters, strict=True)):
        lines += [*listed, ""]
    if function.request.fixed:
        numbers = ", ".join(f"{_shown(each)} = {shortest(number)}" for each, number in function.request.fixed.items())
        lines += [f"Here {numbers}.", ""]
    return [one_line(line) for line in (*lines, *returned, "", f"{WRITTEN_BY}{origin}.")]


def results(function: FunctionGraph) -> list[str]:
    """Lines that describe the results of a function, one each."""
    lines = [f"    value     {_output(function)}"]
    if function.wrt:
        lines.append(f"    gradient  its derivatives with respect to {_gradient(function)}")
    if function.request.hessian:
        lines.append("    hessian   its second derivatives, row by row")
    return lines


def _gradient(function: FunctionGraph) -> str:
    if function.wrt == tuple(function.inputs):
        return "the inputs, in their order" if len(function.wrt) > 1 else "the input"
    return ", ".join(f"`{_shown(name)}`" for name in function.wrt)


def _output(function: FunctionGraph) -> str:
    name = function.request.program.output_name
    return f"`{_shown(name)}`" if name and len(name) <= _LONGEST else "the formula"


def _heading(text: str) -> Iterator[str]:
    for line in text.lstrip("\ufeff\n\r\t ").splitlines():
        if not line.lstrip().startswith("#"):
            return
        yield _shown(line.lstrip(" \t#").rstrip())


def _trailing(source: Source, end: int) -> str:
    """The comment in the line of a place of the text."""
    newline = source.text.find("\n", end)
    line = source.text[end : newline if newline >= 0 else None].split("\r", 1)[0]
    before, sign, comment = line.partition("#")
    return _shown(comment.strip()) if sign and not before.strip() else ""


def _shown(text: str) -> str:
    return one_line(text)[:_LONGEST]
