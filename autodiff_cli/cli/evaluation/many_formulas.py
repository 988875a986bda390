"""`autodiff eval --each`: every line is a formula, evaluated in blocks of lines."""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from typing import Any

from ... import files
from ...errors import AutodiffError, Notice, UsageError, quoted_names
from ...many_formulas.formulas import FormulaLine, LineEvaluator, read_lines
from ...many_formulas.report import Encoder, answer_stream
from ...program import Program
from ...terminal import messages
from ..command_line.misplaced_words import is_file
from ..command_line.remedies import in_options
from ..sources.formula import expanded_operations, prepared
from ..sources.list_entries import refuse_other_lists
from .request import EvalRequest


def evaluate_lines(request: EvalRequest) -> int:
    """Evaluate every line and write its result; returns the exit code of the worst error."""
    request.refuse(("check", "hessian", "order", "direction"), "does not go with --each")
    if request.nodes is not None and request.format in ("table", "plain"):
        message = f"with `--each` the format {request.format} has no place for `--nodes`"
        raise UsageError(message, "--format json --nodes all has the nodes of each line")
    path = _path(request.formula, request.file)
    given, wrt = request.given, request.wrt_names
    lines = LineEvaluator(
        given=request.point,
        wrt=wrt,
        name="<stdin>" if path == "-" else path,
        allow_nonfinite=request.allow_nonfinite,
        notation=request.notation,
        prepare=_preparation(request),
        allows_list=bool(request.outputs),
        entries=request.entries,
    )
    encode = Encoder(request.format, request.nodes, request.precision)
    evaluated = partial(_evaluated, lines, encode, is_strict=request.strict)
    unused, codes, has_value, gap = {*given, *(wrt or ())}, set[int](), False, ""
    stream, write = files.open_for_reading(path), answer_stream(request.format, sys.stdout)
    with _in_processes(evaluated, read_lines(stream), request.jobs or 1) as blocks:
        for block in blocks:
            write(block.encoded)
            gap = _show(block.messages, gap)
            if block.stopped is not None:
                raise block.stopped
            unused &= block.unused
            codes |= block.codes
            has_value |= block.count > 0
    stream.close()  # only now: a thread that still waits for a pipe would not let go of it
    if has_value:
        errors = list(_unused(given, wrt or (), unused))
        _show([error.render() for error in errors], gap)
        codes |= {error.code for error in errors if isinstance(error, AutodiffError)}
    return min(codes, default=0)


def _path(formula: str | None, file: str | None) -> str:
    if formula is not None and formula != "-":
        hint = f"write -f {formula}" if is_file(formula) else "leave --each out for one formula"
        raise UsageError("`--each` reads formulas from a file or from standard input", hint)
    if file is None and formula is None and (sys.stdin is None or sys.stdin.isatty()):
        hint = "autodiff eval --each -f FILE; with - in place of a file they can be typed in"
        raise UsageError("no formulas were given", hint)
    return file or "-"


def _preparation(request: EvalRequest) -> Callable[[Program], Program]:
    """The function that refuses other lists, selects the output and expands the operations of every program."""
    if len(request.output) > 1:
        raise UsageError("with `--each` there is one `--of`", f"write --of {request.outputs[0]}")
    operations = expanded_operations(request.expand)
    lists = {name: entries for name, entries in request.assigned.items() if entries != [name]}
    return partial(_prepared, lists=lists, output=request.output_name, operations=operations)


def _prepared(
    program: Program, lists: Mapping[str, list[str]], output: str | None, operations: Collection[str]
) -> Program:
    refuse_other_lists(program, lists)
    return prepared(program, output, operations)


@dataclass
class EvaluatedLines:
    """The results of a block of lines, ready to be written."""

    unused: set[str]
    """the names that no line has used so far"""
    encoded: list[Any] = field(default_factory=list)
    """the results in the format that is written"""
    messages: list[str] = field(default_factory=list)
    """errors and warnings"""
    codes: set[int] = field(default_factory=set)
    """the exit codes of the errors"""
    stopped: AutodiffError | None = None
    """the error that ends the evaluation"""
    count: int = 0
    """the number of lines that had a value so far"""


def _evaluated(
    evaluator: LineEvaluator, encode: Encoder, lines: list[FormulaLine], *, is_strict: bool
) -> EvaluatedLines:
    """The results of lines or, if it is strict, of those before the first error; in any process."""
    block = EvaluatedLines(evaluator.unused)
    for answers in evaluator.answers(lines):
        if is_strict:
            block.stopped = next((answer.error for answer in answers if answer.error is not None), None)
            answers = list(takewhile(lambda answer: answer.error is None, answers))
        for answer in answers:
            if answer.error is not None:
                block.codes.add(answer.error.code)
                block.messages.append(in_options(answer.error).render())
            block.messages += [in_options(notice).render("warning") for notice in answer.notices]
        block.encoded += encode(answers)
        if block.stopped is not None:
            in_options(block.stopped)
            break
    block.count = evaluator.evaluated
    return block


def _in_processes(
    evaluated: Callable[[list[FormulaLine]], EvaluatedLines], blocks: Iterable[list[FormulaLine]], jobs: int
) -> AbstractContextManager[Iterable[EvaluatedLines]]:
    """The results of blocks of lines, in their order, from this many processes."""
    if jobs == 1:
        return nullcontext(map(evaluated, blocks))
    from ...many_formulas.processes import in_processes

    return closing(in_processes(blocks, evaluated, jobs))


def _show(rendered: Iterable[str], gap: str) -> str:
    """Show messages, of which an empty line separates each from the one before; returns what separates the next."""
    for message in rendered:
        messages.show(gap + message, sys.stderr)
        gap = "\n"
    return gap


def _unused(given: Iterable[str], wrt: Collection[str], unused: Collection[str]) -> Iterator[Notice | AutodiffError]:
    """The warning for names that were set and an error for those of --wrt, where they are among the unused."""
    idle = [name for name in given if name in unused and name not in wrt]
    absent = [name for name in wrt if name in unused]
    if idle:
        is_set, them = ("are set", "them") if len(idle) > 1 else ("is set", "it")
        yield Notice(f"{quoted_names(idle, len(idle))} {is_set}, but no line uses {them}")
    if absent:
        yield AutodiffError(f"no line has {quoted_names(absent, len(absent))}, named by --wrt")
