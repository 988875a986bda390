"""Many formulas, a line for each: what every line gives, a result or an error, one after the other.

A line is a program of its own; nothing but the numbers that are given for inputs is shared. Lines are counted as they
stand in the file; those that are empty or only a comment give nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from ..errors import AutodiffError, Notice, Source
from ..evaluation import Evaluation, evaluate
from ..nonfinite import passed_through, problem
from ..parser import parse
from ..program import Program

_BLOCK = 1 << 15  # bytes that are read at once, at the most
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Stream(Protocol):
    """An open file or pipe."""

    def read1(self, size: int, /) -> bytes:
        """What is there, waiting only where nothing is; empty at the end."""


class Line(NamedTuple):
    """A line without its end; they are counted from 1."""

    number: int
    data: bytes


class Answer(NamedTuple):
    """What a line gives: an evaluation, or in its place an error; and what there is to say besides."""

    source: Source
    evaluation: Evaluation | None
    error: AutodiffError | None = None
    notices: Sequence[Notice | AutodiffError] = ()


def read(stream: Stream) -> Iterator[list[Line]]:
    r"""The lines of a stream as they come: those that are there already are handed on before more are waited for.

    `\n`, `\r\n` and `\r` end a line; the last one needs no end. A byte-order mark before the first is left out.
    """
    number = 0
    for lines in _blocks(stream):
        if not number and lines:
            lines[0] = lines[0].removeprefix(_BYTE_ORDER_MARK)
        yield [Line(number + place, data) for place, data in enumerate(lines, 1)]
        number += len(lines)


def _blocks(stream: Stream) -> Iterator[list[bytes]]:
    begun: list[bytes] = []  # of a line whose end has not come yet
    while block := stream.read1(_BLOCK):
        end = block.rfind(b"\n") + 1
        if end:
            yield b"".join([*begun, block[:end]]).splitlines()
            begun.clear()
        begun.append(block[end:])
    yield b"".join(begun).splitlines()


def _as_it_is(program: Program) -> Program:
    return program


@dataclass
class Formulas:
    """Evaluates lines at one point.

    `given` are numbers for inputs, of which a line takes those that it uses; `wrt` the names that gradients are with
    respect to, of which a line takes those that it has; `name` what errors call the file; `prepare` what is done with a
    program before it is evaluated.
    """

    given: Mapping[str, float]
    wrt: Sequence[str] | None = None
    name: str = "<stdin>"
    allow_nonfinite: bool = False
    prepare: Callable[[Program], Program] = _as_it_is
    unused: set[str] = field(init=False)
    """the names, of those given and of `wrt`, that no line has used so far"""
    evaluated: int = field(init=False, default=0)
    """how many lines there were with a value"""

    def __post_init__(self) -> None:
        self.unused = {*self.given, *(self.wrt or ())}

    def answers(self, lines: Iterable[Line]) -> Iterator[Answer]:
        """The answers to lines, in their order."""
        return filter(None, map(self.answer, lines))

    def answer(self, line: Line) -> Answer | None:
        """The answer to a line; None for one without a formula."""
        source = Source("", self.name, line.number)
        try:
            source = Source(_decoded(line, source), self.name, line.number)
            if not source.text.partition("#")[0].strip():
                return None
            return self._evaluated(source)
        except AutodiffError as error:
            return Answer(error.source or source, None, _placed(error, source))

    def _evaluated(self, source: Source) -> Answer:
        program = self.prepare(parse(*source))
        if self.unused:
            self.unused.difference_update(program.names)
        wrt = None if self.wrt is None else [name for name in self.wrt if name in program.names]
        evaluation = evaluate(program, self.given, wrt)
        self.evaluated += 1
        trouble = problem(evaluation)
        if trouble is not None and not self.allow_nonfinite:
            return Answer(source, None, trouble)
        if trouble is not None:
            trouble.hint = ""  # it says how to get what is now given
        notices = [trouble or passed_through(evaluation), _without_use(program)]
        return Answer(source, evaluation, None, [notice for notice in notices if notice is not None])


def _decoded(line: Line, source: Source) -> str:
    try:
        return line.data.decode()
    except UnicodeDecodeError as error:
        place = len(line.data[: error.start].decode())
        raise AutodiffError(
            f"the line is not UTF-8 text: byte {line.data[error.start]:#04x}",
            span=(place, place + 1),
            source=source._replace(text=line.data.decode(errors="replace")),
            hint="save the file with the encoding UTF-8",
        ) from None


def _placed(error: AutodiffError, source: Source) -> AutodiffError:
    """The error with a place: one that is about no place in particular is about the whole line."""
    if error.source is None or error.span is None:
        error.source, error.span = source, (0, len(source.text))
    return error


def _without_use(program: Program) -> Notice | None:
    if not program.unused:
        return None
    return Notice(
        "the value of this formula is not used: only the last of a line is its result",
        "a value that is needed later in the line needs a name",
        program.unused[0],
        program.source,
    )
