"""`autodiff eval --each`: lines that are formulas, evaluated in blocks, and what all of them come to."""

import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import click

from .. import files
from ..each.formats import Manner, Writer, encoder, writer
from ..each.formulas import Formulas, Line, read
from ..errors import INPUT, USAGE, AutodiffError, Notice, named
from ..output import Nodes
from ..program import Program
from . import formula as shared
from . import inputs
from .arguments import is_file
from .remedies import in_options


def run(
    formula: str | None,
    file: str | None,
    assignments: tuple[str, ...],
    inputs_file: str | None,
    wrt: tuple[str, ...],
    output: tuple[str, ...],
    expand: tuple[str, ...],
    format_: str,
    nodes: Nodes | None,
    precision: int,
    strict: bool,
    allow_nonfinite: bool,
    **others: object,
) -> None:
    """Evaluate every line and write what it gives; exit with the code of the worst error."""
    shared.refuse(others, "does not go with --each")
    if nodes is not None and format_ in ("table", "plain"):
        hint = "--format json --nodes all has the nodes of each line"
        raise AutodiffError(f"with `--each` the format {format_} has no place for `--nodes`", hint=hint, code=USAGE)
    format_ = "json" if format_ == "jsonl" else format_
    path = _path(formula, file)
    given, names = inputs.from_assignments(assignments), shared.names(wrt, "--wrt") if wrt else None
    formulas = Formulas(
        given=shared.from_file(inputs_file) | given,
        wrt=names,
        name="<stdin>" if path == "-" else path,
        allow_nonfinite=allow_nonfinite,
        prepare=_preparation(output, expand),
    )
    work = Work(formulas, format_, Manner(nodes, precision), strict)
    jobs = click.get_current_context().params["jobs"] or 1
    total = Total(given, names or ())
    stream, out = files.open_for_reading(path), writer(format_, sys.stdout)
    with closing(blocks(read(stream), work, jobs)) as done:
        for block in done:
            total.add(block, out)
    stream.close()  # only now: a thread that still waits for a pipe would not let go of it
    click.get_current_context().exit(total.code())


def _path(formula: str | None, file: str | None) -> str:
    """The file of the lines, or `-`."""
    if formula is not None and formula != "-":
        hint = f"write -f {formula}" if is_file(formula) else "leave --each out for one formula"
        raise AutodiffError("`--each` reads formulas from a file or from standard input", hint=hint, code=USAGE)
    if file is None and formula is None and (sys.stdin is None or sys.stdin.isatty()):
        hint = "autodiff eval --each -f FILE; with - in place of a file they can be typed in"
        raise AutodiffError("no formulas were given", hint=hint, code=USAGE)
    return file or "-"


def _preparation(output: tuple[str, ...], expand: tuple[str, ...]) -> Callable[[Program], Program]:
    """What --output and --expand say is to be done with every program."""
    names = shared.names(output, "--output") if output else []
    if len(names) > 1:
        message = "with `--each` there is one `--output`"
        raise AutodiffError(message, hint=f"write --output {names[0]}", code=USAGE)
    operations = shared.taken_apart(expand)
    return partial(shared.prepared, output=names[0] if names else None, operations=operations)


@dataclass
class Block:
    """What some lines come to."""

    unused: set[str]
    """the names that no line has used so far"""
    encoded: list[Any] = field(default_factory=list)
    """what is written"""
    messages: list[str] = field(default_factory=list)
    codes: set[int] = field(default_factory=set)
    """the exit codes of the errors"""
    stopped: AutodiffError | None = None
    """the error after which nothing more is wanted"""
    evaluated: int = 0
    """how many lines had a value so far"""


@dataclass(frozen=True)
class Work:
    """Evaluates blocks of lines, in any process."""

    formulas: Formulas
    format: str
    manner: Manner
    strict: bool

    def __call__(self, lines: list[Line]) -> Block:
        """The answers to lines; with `strict` as far as the first error."""
        block, encode = Block(self.formulas.unused), encoder(self.format)
        for answer in self.formulas.answers(lines):
            if answer.error is not None:
                in_options(answer.error)
                if self.strict:
                    block.stopped = answer.error
                    break
                block.codes.add(answer.error.code)
                block.messages.append(answer.error.render())
            block.messages += [in_options(notice).render("warning") for notice in answer.notices]
            block.encoded.append(encode(answer, self.manner))
        block.evaluated = self.formulas.evaluated
        return block


def blocks(lines: Iterable[list[Line]], work: Work, jobs: int) -> Generator[Block, None, None]:
    """What blocks of lines come to, in their order, by so many processes."""
    if jobs == 1:
        yield from map(work, lines)
        return
    from ..each.processes import in_processes

    with closing(in_processes(lines, work, jobs)) as done:
        yield from done


class Total:
    """What all lines come to."""

    def __init__(self, given: Iterable[str], wrt: Iterable[str]) -> None:
        """`given` are names that were set, `wrt` those of gradients."""
        self._given, self._wrt = list(given), list(wrt)
        self._unused = {*self._given, *self._wrt}
        self._codes: set[int] = set()
        self._evaluated = False
        self._gap = ""

    def add(self, block: Block, out: Writer) -> None:
        """Write the answers of a block, and then what there is to say of them; raises the error that ends it all."""
        out.write(block.encoded)
        for message in block.messages:
            self._say(message)
        if block.stopped is not None:
            raise block.stopped
        self._unused &= block.unused
        self._codes |= block.codes
        self._evaluated |= block.evaluated > 0

    def code(self) -> int:
        """The exit code, after the last block; tells of names that no line uses."""
        unused = self._unused if self._evaluated else set()
        idle = [name for name in self._given if name in unused and name not in self._wrt]
        absent = [name for name in self._wrt if name in unused]
        if idle:
            is_set, them = ("are set", "them") if len(idle) > 1 else ("is set", "it")
            self._say(Notice(f"{named(idle, len(idle))} {is_set}, but no line uses {them}").render())
        if absent:
            self._say(AutodiffError(f"no line has {named(absent, len(absent))}, named by --wrt").render())
            self._codes.add(INPUT)
        return min(self._codes, default=0)

    def _say(self, message: str) -> None:
        """Print a message on standard error, with an empty line between two."""
        click.echo(self._gap + message, err=True)
        self._gap = "\n"
