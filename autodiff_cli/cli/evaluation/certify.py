"""`autodiff eval --certify`: enclosures of the value and the gradient, at a point or over a box."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, nullcontext
from math import isnan
from typing import TYPE_CHECKING

from ...data.formats import TEXTS, TableReader
from ...data.formats.interfaces import Missing
from ...data.layout import require_packages
from ...errors import NOT_FINITE, AutodiffError, Notice, UsageError, needing
from ...evaluation import evaluate
from ...evaluation.nonfinite import kink_warning
from ...notation import counted, shortest
from ...output import write
from ...output.json import write_document
from ...program import Program
from ...work_budget import charge, uncounted
from ..command_line.remedies import ALL_NODES
from ..output.notices import warn
from ..sources import inputs, points
from ..sources.formula import unused
from .many_points import refuse_for_rows, table
from .request import EvalRequest

if TYPE_CHECKING:
    from ...certification.certify import Certificate, Constant

    Enclosed = Constant | tuple[Constant, Constant]

_DIGITS = 17
_ROW_SECONDS = 1.5e-4  # of work for a row, beside that for its nodes

_NO_FLINT = "--certify needs the package `python-flint`, which is not installed"
_HINT = "; a formula goes before --set"
_KINDS = {
    "incomplete": "without a number, and so without results",
    "unreadable": "cannot be read",
    "open": "without an enclosure",
}
"""the kinds of rows without results → the words of messages about them"""


def certify_point(request: EvalRequest) -> int:
    """Write what is certain about the value and the gradient at one point or over one box; returns 0."""
    with needing(_NO_FLINT, "certify"):
        from ...certification.certify import certify
        from ...certification.report import CertificateReport
    program, wrt, from_file, given = request.program(), request.wrt_names, *_numbers(request)
    wrt = wrt and program.entries(wrt)
    warn(*unused(program, given, wrt or ()))
    digits = request.digits or _DIGITS
    certificate = certify(program, from_file | given, wrt, digits=digits, parts=request.split or 1)
    warn(kink_warning(certificate.evaluation, "the gradient", certificate.is_smooth))
    report = CertificateReport(
        certificate.evaluation, request.nodes, hint=ALL_NODES, certificate=certificate, digits=digits
    )
    write(report, request.format, sys.stdout)
    return 0


def certify_points(request: EvalRequest) -> int:
    """Write what is certain at each row of --data, or at each point of --over; returns 0 if all have results.

    A row that cannot be read, or lacks a number, has none; the latter is not an error.
    """
    with needing(_NO_FLINT, "certify"):
        from ...certification.certify import certify
        from ...certification.rows_report import CertifiedRows
    refuse_for_rows(request)
    require_packages()
    format_ = request.format_of_rows
    from_file, given = _numbers(request)
    point, digits = from_file | given, request.digits or _DIGITS
    fixed, fallback = dict.fromkeys(given, 0.0), dict.fromkeys(from_file, 0.0)
    failures = _Failures()
    reader, source = table(request)
    with closing(source) if source else nullcontext():
        program = request.program(reader.names)
        warn(*unused(program, given, request.wrt_names or ()))
        columns = points.columns_of(reader, program, fixed, fallback, request)
        wrt = [*columns] if request.wrt_names is None else program.entries(request.wrt_names)

        def certificate(row: "Mapping[str, Enclosed]") -> "Certificate":
            return certify(program, {**point, **row}, wrt, digits=digits, parts=request.split or 1)

        report = CertifiedRows([*columns], wrt, _certified(reader, columns, certificate, failures), digits)
        if format_ == "jsonl":
            for row in report.objects():
                write_document(row, sys.stdout)
        else:
            write(report, format_, sys.stdout)
    failures.report(request.consequence)
    return 0


def _certified(
    reader: TableReader,
    columns: Mapping[str, str],
    certificate: "Callable[[Mapping[str, Enclosed]], Certificate]",
    failures: "_Failures",
) -> "Iterator[tuple[list[float | None], Certificate | None]]":
    """Yield the numbers of each row, and the enclosures of its value and gradient, if it has any.

    A number that is a text in the table counts as the shortest decimal of its double: as written, up to 15 digits.
    """
    is_text = reader.format in (*TEXTS, "grid")
    for where, numbers, reason in points.all_rows(reader, columns, {}):
        charge(_ROW_SECONDS)
        row = {name: numbers[name] for name in columns}
        if reason:
            failures.add("incomplete" if isinstance(reason, Missing) else "unreadable", where, reason)
            yield [None if isnan(number) else number for number in row.values()], None
            continue
        certain = None
        try:
            certain = certificate(_as_written(row, where) if is_text else row)
        except AutodiffError as error:
            if error.code != NOT_FINITE:
                raise
            failures.add("open", where, error.message)
        yield [*row.values()], certain


def _as_written(row: Mapping[str, float], where: str) -> dict[str, Program]:
    with uncounted():
        return {name: inputs.constant(shortest(number), where) for name, number in row.items()}


class _Failures:
    """The rows without results: how many there are of each kind, and what is wrong with the first."""

    def __init__(self) -> None:
        self._count, self._first = Counter[str](), dict[str, str]()

    def add(self, kind: str, where: str, reason: str) -> None:
        """Add a row."""
        self._count[kind] += 1
        self._first.setdefault(kind, f"{where}: {reason}")

    def report(self, hint: str) -> None:
        """Warn of rows without a number; raise AutodiffError for others, with this hint if some cannot be read."""
        messages = {
            kind: f"{counted(self._count[kind], 'row')} {words}; the first is {self._first[kind]}"
            for kind, words in _KINDS.items()
            if kind in self._first
        }
        if "incomplete" in messages:
            warn(Notice(messages["incomplete"]))
        if "unreadable" in messages:
            warn(Notice(messages["open"]) if "open" in messages else None)
            raise AutodiffError(messages["unreadable"], hint=hint)
        if "open" in messages:
            raise AutodiffError(messages["open"], code=NOT_FINITE)


def _numbers(request: EvalRequest) -> "tuple[dict[str, Enclosed], dict[str, Enclosed]]":
    """The numbers and ranges of the inputs as they are written: those of --inputs, and those of --set."""
    given: dict[str, Enclosed] = {}
    for name, text in inputs.assignments(inputs.by_entries(request.assignments), "--set").items():
        low, dots, high = text.partition("..")
        given |= {name: _range(name, low, high)} if dots else inputs.constants(name, text, f"--set {name}", _HINT)
    return {**request.written_in_file}, given


def _range(name: str, low: str, high: str) -> "tuple[Program, Program]":
    least, most = (inputs.constant(end, f"--set {name}", _HINT) for end in (low, high))
    if not evaluate(least, {}, ()).value <= evaluate(most, {}, ()).value:
        raise UsageError(
            f"the range `{name}={low}..{high}` is empty", f"write the smaller end first: {name}={high}..{low}"
        )
    return least, most
