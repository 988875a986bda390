"""The results of a session: values with their gradients, fitted to the terminal."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from ..errors import AutodiffError
from ..evaluation import evaluate, used
from ..evaluation.nonfinite import nonfinite_error, nonfinite_warning
from ..notation import elided, rounded
from ..output.report import Cell, Line, Report
from ..terminal.printable_text import columns
from .example_statements import examples
from .session_program import SessionProgram
from .statements import TypedStatement

_DIGITS = 10  # significant ones
_GAP = "   "
_MOST_PARTIALS = 12  # of a gradient that is a table
_LEAST_NAME = 5  # columns, however narrow the terminal


@dataclass(frozen=True)
class Result:
    """A value with its gradient, or the inputs that have no number yet."""

    name: str
    label: str
    """of its derivatives: its name; "" for a numbered result"""
    value: float = 0.0
    gradient: Mapping[str, float] = field(default_factory=dict)
    missing: Sequence[str] = ()
    meant: str = ""
    """the beginning of a hint, for one of these that may be a product or a call: `for a product write x*y; `"""
    notice: AutodiffError | None = None
    """the reason why the value or the gradient is not finite"""


def result_of(session_program: SessionProgram, statement: TypedStatement, name: str, known: Iterable[str]) -> Result:
    """The value and the gradient of a name that a statement defines, or the inputs that have no number yet.

    `known` are the names that the session defines, of which an input such as `xy` may be a product.
    """
    program, label = session_program.program.select(name), "" if statement.is_numbered else name
    without = {name: node for name, node in program.inputs.items() if node not in program.graph.numbers}
    missing = used(program.graph.needed([program.output]), without) if without else ()
    if missing:
        remedy = program.missing(missing, known).remedy
        return Result(name, label, missing=tuple(missing), meant=remedy.lead if remedy else "")
    evaluation = evaluate(program, {})
    gradient = {} if name in program.inputs else evaluation.gradient
    notice = nonfinite_error(evaluation) or nonfinite_warning(evaluation)
    if notice is not None:
        notice = session_program.relocated(notice)
        notice.hint = ""  # it says how to get what is shown here
    return Result(name, label, evaluation.value, gradient, notice=notice)


@dataclass(frozen=True)
class Reply(Report):
    """The results that a statement leads to."""

    results: Sequence[Result] = ()
    omitted: int = 0
    """the number of further results"""
    width: int = 80

    @property
    def notice(self) -> AutodiffError | None:
        """The reason why a result is not finite; None if all are."""
        return next((result.notice for result in self.results if result.notice), None)

    def tables(self) -> Iterator[Line]:
        """A line for each result; a gradient that is too wide for it is a table below."""
        parts = [(result, _head(result, self.width), _partials(result)) for result in self.results]
        aligned = max((_width(head) for _, head, tail in parts if tail and self._fits(head, tail)), default=0)
        for result, head, tail in parts:
            if self._fits(head, tail):
                room = min(aligned, self.width - _width(tail)) - _width(head)
                yield (*head, Cell(" " * room), *tail) if tail else head
            else:
                yield head
                yield from _partials_in_lines(result, self.width)
        if self.omitted:
            yield (Cell(f"… and {self.omitted:,} more", "dim"),)

    def _fits(self, head: Line, tail: Line) -> bool:
        return not tail or _width(head) + _width(tail) <= self.width


def _head(result: Result, width: int) -> Line:
    if not result.missing:
        value = rounded(result.value, _DIGITS)
        return Cell(_shortened(result.name, width - len(value) - 3), "cyan"), Cell(" = "), Cell(value, "bold")
    lines = [*_needs(result)]
    return next((line for line in lines if _width(line) <= width), lines[-1])


def _needs(result: Result) -> Iterator[Line]:
    """Lines for a value that needs numbers, each shorter than the one before."""
    name, first = Cell(result.name, "cyan"), examples(result.missing, 2)[0]
    meant = [Cell(f"; {result.meant.removesuffix('; ')}", "yellow")] if result.meant else []
    what = "numbers" if len(result.missing) > 1 else "a number"
    for most in (3, 2, 1):
        listed = ", ".join(result.missing[:most]) + ", …" * (len(result.missing) > most)
        yield name, Cell(f" needs {what} for {listed}: ", "yellow"), Cell(first, "cyan"), *meant
    yield name, Cell(f" needs {what}", "yellow")


def _partials(result: Result) -> Line:
    """The gradient as the rest of a line."""
    return tuple(
        cell
        for name, partial in result.gradient.items()
        for cell in (Cell(f"{_GAP}d{result.label}/d{name} = ", "dim"), Cell(rounded(partial, _DIGITS)))
    )


def _partials_in_lines(result: Result, width: int) -> Iterator[Line]:
    """The gradient as a small table, in as many columns as there is room for."""
    shown = {name: rounded(partial, _DIGITS) for name, partial in islice(result.gradient.items(), _MOST_PARTIALS)}
    longest = max(map(len, shown.values()))
    room = width - len("  d/d = ") - longest
    label = result.label if columns(result.label) + max(map(columns, shown)) <= room else ""
    quotients = [f"d{label}/d{_shortened(name, room - columns(label))}" for name in shown]
    aligned = max(map(columns, quotients))
    cells = [
        (Cell(f"{quotient}{' ' * (aligned - columns(quotient))} = ", "dim"), Cell(partial.ljust(longest)), Cell(_GAP))
        for quotient, partial in zip(quotients, shown.values(), strict=True)
    ]
    count = max(1, (width - 2 + len(_GAP)) // _width(cells[0]))
    for line in (cells[place : place + count] for place in range(0, len(cells), count)):
        *first, (quotient, partial, _) = line
        yield (Cell("  "), *chain.from_iterable(first), quotient, Cell(str(partial.content).rstrip()))
    if others := len(result.gradient) - len(shown):
        yield (Cell(f"  … and {others:,} more: :eval shows them", "dim"),)


def _shortened(name: str, room: int) -> str:
    return elided(name, max(room, _LEAST_NAME))


def _width(line: Line) -> int:
    return sum(columns(str(cell.content)) for cell in line)
