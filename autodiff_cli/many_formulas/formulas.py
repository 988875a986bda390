"""Many formulas, one a line: each line is answered with an evaluation or an error, in order.

A line is a program of its own; the lines share only the numbers that are given for inputs. Lines are numbered as in the
file; a line that is empty or only a comment has no answer.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BufferedReader
from typing import NamedTuple

from ..conversion import NoFormulaError, parsed
from ..errors import AutodiffError, Notice, Source
from ..evaluation import LIMIT_SECONDS, Evaluation, evaluate
from ..evaluation.nonfinite import nonfinite_error, nonfinite_warning
from ..program import Program
from ..work_budget import CHARACTER, Work, WorkBudget, seconds_granted, uncounted

_MOST_BYTES = 1 << 15  # that are read at once
_GROUP = 300  # nodes that are evaluated together
_BYTE_SECONDS = 0.002
"""the work with many digits for each byte of a line, in addition to that for one point: lines share it"""
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class FormulaLine(NamedTuple):
    """A line without its line break; its number is counted from 1."""

    number: int
    data: bytes


class Answer(NamedTuple):
    """The evaluation of a line, or in its place an error; and the warnings about it."""

    source: Source
    evaluation: Evaluation | None
    error: AutodiffError | None = None
    notices: Sequence[Notice | AutodiffError] = ()


def read_lines(stream: BufferedReader) -> Iterator[list[FormulaLine]]:
    r"""Yield the lines of a stream in blocks, each as soon as it has been read.

    `\n`, `\r\n` and `\r` end a line; the last one needs no end. A byte-order mark before the first is left out.
    """
    number = 0
    for lines in _blocks(stream):
        if not number and lines:
            lines[0] = lines[0].removeprefix(_BYTE_ORDER_MARK)
        yield [FormulaLine(number + offset, data) for offset, data in enumerate(lines, 1)]
        number += len(lines)


def _blocks(stream: BufferedReader) -> Iterator[list[bytes]]:
    unfinished: list[bytes] = []  # parts of a line whose end has not been read yet
    while block := stream.read1(_MOST_BYTES):
        end = block.rfind(b"\n") + 1
        if end:
            yield b"".join([*unfinished, block[:end]]).splitlines()
            unfinished.clear()
        unfinished.append(block[end:])
    yield b"".join(unfinished).splitlines()


def _unchanged(program: Program) -> Program:
    return program


@dataclass
class LineEvaluator:
    """Evaluates lines at one point."""

    given: Mapping[str, float]
    """numbers for inputs; each line uses those that it needs"""
    wrt: Sequence[str] | None = None
    """the names that gradients are with respect to; each line uses those that it has, and all its inputs for None"""
    name: str = "<stdin>"
    """the name of the file in errors"""
    allow_nonfinite: bool = False
    """whether results that are not finite are warnings instead of errors"""
    notation: str | None = None
    """the notation of the formulas, if it is not the language"""
    prepare: Callable[[Program], Program] = _unchanged
    """a function that changes a program before it is evaluated"""
    allows_list: bool = False
    """whether the last value of a line may be a list, because another output is selected"""
    entries: Collection[str] = ()
    """the entries of lists that are given numbers, such as `x[1]`"""
    unused: set[str] = field(init=False)
    """the names in `given` and `wrt` that no line has used so far"""
    evaluated: int = field(init=False, default=0)
    """the number of lines that have had a value so far"""

    _limits: Work = field(init=False)
    """the work that limits of slopes may still take, in all lines"""
    _budget: WorkBudget = field(init=False)
    """the work of all lines, which are read in other processes too; like a row of a table, each allows more"""

    def __post_init__(self) -> None:
        self.unused = {*self.given, *(self.wrt or ())}
        self._limits, self._budget = Work(LIMIT_SECONDS), WorkBudget(seconds_granted(), grows=False)

    def answers(self, lines: Iterable[FormulaLine]) -> Iterator[list[Answer]]:
        """The answers to lines, in order, in groups: the lines of a group are all parsed, then all evaluated.

        A step that is repeated finds its code in the processor's cache; alternating steps evict each other's.
        """
        lines = iter(lines)
        while True:
            with uncounted(), self._budget:
                group = self._group(lines)
                self._limits.allow(_BYTE_SECONDS * sum([len(program.source.text) for program in group]))
                with self._limits:
                    answers = [program if isinstance(program, Answer) else self._answer(program) for program in group]
            if not answers:
                return
            yield answers

    def _group(self, lines: Iterator[FormulaLine]) -> list[Program | Answer]:
        """The programs of the next lines, as many as have a few hundred nodes; an answer where a line has an error."""
        group: list[Program | Answer] = []
        nodes = 0
        for line in lines:
            program = self._program(line)
            if program is None:
                continue
            group.append(program)
            nodes += 1 if isinstance(program, Answer) else len(program.graph)
            if nodes >= _GROUP:
                break
        return group

    def _program(self, line: FormulaLine) -> Program | Answer | None:
        """The program of a line, or the answer if it has an error; None for a line without a formula."""
        source = Source("", self.name, line.number)
        try:
            text = _decoded(line, source)
            source = Source(text, self.name, line.number)
            if not text.partition("#")[0].strip():
                return None
            self._budget.allow(CHARACTER * len(text))
            program = parsed(*source[:3], notation=self.notation, entries=self.entries, allows_list=self.allows_list)
            return self.prepare(program)
        except NoFormulaError:  # in a notation with other comments
            return None
        except AutodiffError as error:
            return _failure(error, source)

    def _answer(self, program: Program) -> Answer:
        try:
            return self._evaluated(program)
        except AutodiffError as error:
            return _failure(error, program.source)

    def _evaluated(self, program: Program) -> Answer:
        if self.unused:
            self._note_used(program)
        has = [name for name in self.wrt or () if name in program.names or name in program.list_names]
        evaluation = evaluate(program, self.given, None if self.wrt is None else program.entries(has))
        self.evaluated += 1
        nonfinite = nonfinite_error(evaluation)
        if nonfinite is not None and not self.allow_nonfinite:
            return Answer(program.source, None, nonfinite)
        if nonfinite is not None:
            nonfinite.hint = ""  # it says how to get what is now given
        notices = [nonfinite or nonfinite_warning(evaluation), _unused_formula(program)]
        return Answer(program.source, evaluation, None, [notice for notice in notices if notice is not None])

    def _note_used(self, program: Program) -> None:
        """Remove from the unused names those that a program has, and entries of lists of which it has only others."""
        self.unused.difference_update(program.names, program.list_names)
        in_part = program.list_names.difference(program.lists)
        if in_part:
            self.unused.difference_update([name for name in self.unused if name.partition("[")[0] in in_part])


def _decoded(line: FormulaLine, source: Source) -> str:
    try:
        return line.data.decode()
    except UnicodeDecodeError as error:
        column = len(line.data[: error.start].decode())
        raise AutodiffError(
            f"the line is not UTF-8 text: byte {line.data[error.start]:#04x}",
            span=(column, column + 1),
            source=source._replace(text=line.data.decode(errors="replace")),
            hint="save the file with the encoding UTF-8",
        ) from None


def _failure(error: AutodiffError, source: Source) -> Answer:
    """The answer to a line that has an error, whose place is the whole line if it has none."""
    if error.source is None or error.span is None:
        error.source, error.span = source, (0, len(source.text))
    error.__traceback__ = error.__context__ = None  # their frames hold the answers: a cycle that nobody would collect
    return Answer(error.source, None, error)


def _unused_formula(program: Program) -> Notice | None:
    """The warning for a formula whose value is not used."""
    if not program.unused:
        return None
    return Notice(
        "the value of this formula is not used: only the last of a line is its result",
        "a value that is needed later in the line needs a name",
        program.unused[0],
        program.source,
    )
