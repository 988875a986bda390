"""The rows of a table without a result: the first few with their place and reason, and how many there are."""

import csv
import re
from collections.abc import Callable, Sequence
from operator import add
from typing import NamedTuple, TextIO

from ..errors import INPUT, NOT_FINITE, AutodiffError, Notice, Remedy
from ..many_points.computation import Computation
from ..notation import counted
from ..work_budget import WorkBudget
from .formats.registry import KINDS, row_word
from .job import ComputedPart

MOST_NAMED = 5
_NAMED_SECONDS = 0.25  # of work for the reasons of rows that are named, which others then do not use up

_MISSING = r"column `.*` (is empty$|holds '(?i:na|n/a|null)',)"
_CELL = r"""column `.*` holds (['"])(.*)\1, which is not a number"""
_SIGNS = (("", ","), ("", "."), (",", "."), (".", ","), ("'", "."), (" ", "."), ("'", ","), (" ", ","))
"""signs between thousands and decimal signs that go together"""
_STRICT = Remedy("strict", (), "the first of them can be an error")


class RowCounts(NamedTuple):
    """Numbers of rows."""

    rows: int = 0
    unreadable: int = 0
    """rows that cannot be read"""
    nonfinite: int = 0
    """rows whose result is not finite"""
    missing: int = 0
    """rows that lack a number and are passed over"""

    def plus(self, other: "RowCounts") -> "RowCounts":
        """The sums of both."""
        return RowCounts(*map(add, self, other))


class FailedRows:
    """Counts rows, and those among them that cannot be read or whose result is not finite.

    `format_` is that of the table, or "" for the counts of several; `warn` is called with the first few rows. With
    `strict` the first failed row is raised as an error; with `allow_nonfinite` only rows that cannot be read fail, and
    `consequence` says what becomes of these. A line of CSV with the file, the place and the reason of each row without
    a result is written to `errors`.
    """

    def __init__(
        self,
        format_: str,
        computation: Computation,
        warn: Callable[[Notice], None],
        *,
        strict: bool = False,
        allow_nonfinite: bool = False,
        consequence: str = "their results are empty",
        errors: TextIO | None = None,
    ) -> None:
        self._format, self.computation, self._warn = format_, computation, warn
        self._strict, self._allow_nonfinite, self._consequence = strict, allow_nonfinite, consequence
        self._list = csv.writer(errors, lineterminator="\n") if errors else None
        self._named, self._recorded = WorkBudget(_NAMED_SECONDS), computation.row_work.for_reasons(0, is_first=True)
        self._reasons: list[str] = []  # why the named rows cannot be read
        self.counts = RowCounts()

    def add(self, part: ComputedPart) -> None:
        """Count the rows of a part, and warn of the first that failed."""
        room = MOST_NAMED - self.counts.unreadable - self.counts.nonfinite
        reasons, failures, nonfinite = part.block.reasons, part.block.failures, part.nonfinite_rows.tolist()
        if self._list is not None:
            for row in sorted((*reasons, *nonfinite)):
                reason = self._reason(part, row, self._recorded)
                self._list.writerow((part.block.file, part.block.place(row), reason))
        if room > 0 or self._strict:
            self._report(part, sorted((*failures, *nonfinite)), room)
        missing = len(reasons) - len(failures)
        self.counts = self.counts.plus(RowCounts(part.block.rows, len(failures), len(nonfinite), missing))

    def _reason(self, part: ComputedPart, row: int, work: WorkBudget) -> str:
        reasons = part.block.reasons
        return reasons[row] if row in reasons else self.computation.reason(part.columns, row, work)

    def _report(self, part: ComputedPart, failed: Sequence[int], room: int) -> None:
        for count, row in enumerate(failed if self._strict else failed[:room]):
            is_readable = row not in part.block.reasons
            is_error = self._strict and not (is_readable and self._allow_nonfinite)
            if count >= room and not is_error:
                continue
            reason = self._reason(part, row, self._named)
            self._reasons += [] if is_readable else [reason]
            message = f"{part.block.named_place(row, row_word(self._format))}: {reason}"
            if is_error:
                raise AutodiffError(message, code=NOT_FINITE if is_readable else INPUT)
            self._warn(Notice(message))

    def error(self) -> AutodiffError | None:
        """Return the error for the rows counted, with its exit code, or None where all have a result.

        The code is 0 where all failures are allowed; the error is then a warning.
        """
        _, unreadable, nonfinite, missing = self.counts
        if missing:
            self._warn(Notice(f"{missing:,} {self._of_all} lack a number: {self._consequence}"))
        count = unreadable + nonfinite
        if not count:
            return None
        if count > MOST_NAMED:
            self._warn(Notice(f"… and {count - MOST_NAMED:,} more"))
        if spent := self.computation.spent:
            self._warn(Notice(spent.message, remedy=spent.remedy))
        if unreadable:
            of_which = "rows that cannot be read: " * bool(nonfinite)
            lead = f"{of_which}{self._consequence}; "
            remedy = unread_remedy(self._reasons, self._format) or _STRICT
            return AutodiffError(self._message(), remedy=remedy._replace(lead=lead), code=INPUT)
        if self._allow_nonfinite:
            return AutodiffError(self._message(), code=0)
        remedy = Remedy("not finite rows", (), "they can be allowed")
        return AutodiffError(self._message(), remedy=remedy, code=NOT_FINITE)

    @property
    def _of_all(self) -> str:
        rows = self.counts.rows
        return f"of {counted(rows, 'row')}"

    def _message(self) -> str:
        _, unreadable, nonfinite, _ = self.counts
        texts = [f"{unreadable:,} {self._of_all} cannot be read"] if unreadable else []
        if nonfinite:
            texts.append(f"the result of {nonfinite:,} {'' if unreadable else self._of_all + ' '}is not finite")
        return ", ".join(texts)


def unread_remedy(reasons: Sequence[str], format_: str) -> Remedy | None:
    """Return the remedy for rows of a table that cannot be read for these reasons; None where there is no clear one."""
    if reasons and all(re.search(_MISSING, reason) for reason in reasons):
        return Remedy("rows without a number", (), "pass over them")
    cells = [match[2] for reason in reasons if (match := re.search(_CELL, reason))]
    if not cells or len(cells) < len(reasons) or "decimal" not in KINDS[format_].options:
        return None
    fitting = [signs for signs in _SIGNS if all(_is_number(cell, *signs) for cell in cells)]
    if not fitting:
        return None
    thousands, decimal = fitting[0]
    if not thousands and any(other == decimal for other, _ in fitting):  # 1,500 may be 1500
        return None
    return Remedy("number signs", (thousands, decimal), "name the decimal sign, and the sign between thousands")


def _is_number(cell: str, thousands: str, decimal: str) -> bool:
    """Whether a cell is a number with these signs."""
    groups = rf"[1-9]\d{{0,2}}({re.escape(thousands)}\d{{3}})+"
    return re.fullmatch(rf"\s*[-+]?({groups}|\d+)({re.escape(decimal)}\d+)?\s*", cell) is not None
