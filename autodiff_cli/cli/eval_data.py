"""Many points evaluated: the rows of a data file, or the points of a grid."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Any, BinaryIO

import click

from .. import files
from ..data import columns, formats
from ..data.layout import Choice, Layout, layout, require_packages
from ..errors import USAGE, AutodiffError
from ..program import Program
from . import eval_cluster as cluster
from . import formula as shared
from . import inputs, ranges, results
from .data import Request


def run(request: Request, *, strict: bool, allow_nonfinite: bool, precision: int, format_: str, **words: Any) -> None:
    """Evaluate every point and write what it gives."""
    _refuse(request, words)
    planned = partial(_planned, *_formula(request, **words))
    require_packages()
    if cluster.wanted(request):
        error = cluster.run(request, planned, strict=strict, allow_nonfinite=allow_nonfinite)
    else:
        reader, source = _reader(request)
        target = results.Results(request.out, format_ if shared.is_given("format_") else None, reader, precision)
        error = _write(reader, target, planned(reader.names), request.jobs, strict, allow_nonfinite)
        if source is not None:
            source.close()  # only now: a thread that still waits for a pipe cannot be made to let go of it
    if error is not None and error.code:
        raise error
    shared.warn([error])


def _write(
    reader: formats.Reader, target: results.Results, plan: Layout, jobs: int | None, strict: bool, allow_nonfinite: bool
) -> AutodiffError | None:
    """Compute and write what a reader gives; what comes back is what there is to say of rows without a result."""
    from ..data.failed_rows import Troubles
    from ..data.job import Job
    from ..parallel import in_order
    from ..vectorized.executor import cores

    troubles = Troubles(
        "line" if reader.format in formats.TEXTS else "row",
        plan.computation,
        lambda notice: shared.warn([notice]),
        strict=strict,
        allow_nonfinite=allow_nonfinite,
    )
    jobs = jobs or cores()
    with target.writer(plan) as writer, target.meter() as advance:
        job = Job(reader, plan.computation, writer, plan.inputs, plan.results, jobs)
        with closing(in_order(reader.parts(plan.read), job, jobs)) as parts:
            for done in parts:
                troubles.add(done)
                writer.append(done.encoded)
                advance(done.block.rows)
    return troubles.error()


def _refuse(request: Request, words: Mapping[str, Any]) -> None:
    """Raise an error for options that do not go together."""
    shared.refuse(("check", "each", "hessian", "order", "direction", "nodes"), f"does not go with {request.option}")
    if len(shared.names(words["output"], "--output") if words["output"] else ()) > 1:
        raise AutodiffError(f"several outputs do not go with {request.option}", hint="name one of them", code=USAGE)
    if request.data is not None and request.over:
        hint = "leave one of them out; a number for all rows is given with --set"
        raise AutodiffError("both --data and --over were given", hint=hint, code=USAGE)
    if request.data is None:
        shared.refuse(("data_format", "cluster", "retries"), "is for --data")
    if request.columns and request.no_inputs:
        raise AutodiffError("both --columns and --no-inputs were given", hint="leave one of them out", code=USAGE)
    refuse_two_from_one_stream(request.data, words["formula"], words["file"])


def refuse_two_from_one_stream(data: str | None, formula: str | None, file: str | None) -> None:
    """Raise an error where both the data and the formula would be read from standard input."""
    if data == "-" and formula in (None, "-") and file in (None, "-"):
        command = click.get_current_context().command_path
        hint = f'write it in quotes, or read it from a file with -f: {command} "a*b" --data -'
        raise AutodiffError("the data is read from standard input, so the formula cannot be", hint=hint, code=USAGE)


def _formula(
    request: Request,
    formula: str | None,
    file: str | None,
    assignments: Sequence[str],
    inputs_file: str | None,
    wrt: Sequence[str],
    output: Sequence[str],
    expand: Sequence[str],
    **others: object,
) -> tuple[Program, Choice]:
    """The program, and what is to become of the columns."""
    given = inputs.from_assignments(assignments)
    outputs = shared.names(output, "--output") if output else [None]
    program = shared.read_program(formula, file, outputs[0], expand)
    kept = [] if request.no_inputs else list(request.columns) or None
    choice = Choice(
        given,
        shared.from_file(inputs_file),
        shared.names(wrt, "--wrt") if wrt else None,
        kept,
        request.prefix or "",
        "range" if request.data is None else "column",
    )
    return program, choice


def _reader(request: Request) -> tuple[formats.Reader, BinaryIO | None]:
    """The table, and the file that it is read from."""
    if request.data is None:
        from ..data.grid import Axis, Reader

        return Reader({name: Axis(*steps) for name, steps in ranges.with_steps(request.over).items()}), None
    return opened(request.data, request.data_format)


def opened(path: str, format_: str | None) -> tuple[formats.Reader, BinaryIO]:
    """The table in a file, of which `--data-format` may say the format, and the file itself."""
    format_ = format_ or formats.format_of(path) or _default(path)
    source = files.open_for_reading(path)
    return formats.reader(format_, source), source


def _default(path: str) -> str:
    """The format of a stream, whose name says nothing: CSV, if nothing else is said."""
    if path == "-" or path.startswith("/dev/") or files.is_pipe_or_device(path):
        return "csv"
    hint = f"say what it is: --data-format {'|'.join(formats.FORMATS)}"
    raise AutodiffError(f"the name `{path}` does not say what kind of data it holds", hint=hint, code=USAGE)


def _planned(program: Program, choice: Choice, names: Sequence[str]) -> Layout:
    """What becomes of the columns of these names, with warnings for what was hardly meant."""
    plan = layout(program, names, choice)
    shared.warn(shared.unused(program, choice.given, plan.computation.wrt))
    shared.warn(columns.unused(program, names, plan.inputs, {*choice.given, *choice.shared}, choice.what))
    return plan
