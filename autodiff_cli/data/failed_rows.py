"""The rows of a table without a result: the first few with their place and reason, and how many there are."""

from collections.abc import Callable, Iterator
from heapq import merge

from ..errors import INPUT, NOT_FINITE, AutodiffError, Notice, Remedy
from ..vectorized.computation import Computation
from .job import ComputedPart

MOST_NAMED = 5


class FailedRows:
    """Counts rows, and those among them that cannot be read or whose result is not finite.

    `place_noun` is what the place of a row is called, `line` or `row`; `warn` is called with the first few rows. With
    `strict` the first failed row is raised as an error; with `allow_nonfinite` only rows that cannot be read fail.
    `fate` is what becomes of the latter.
    """

    def __init__(
        self,
        place_noun: str,
        computation: Computation,
        warn: Callable[[Notice], None],
        *,
        strict: bool = False,
        allow_nonfinite: bool = False,
        fate: str = "their results are empty",
    ) -> None:
        self._place_noun, self._computation, self._warn = place_noun, computation, warn
        self._strict, self._allow_nonfinite, self._fate = strict, allow_nonfinite, fate
        self.rows = self.unreadable = self.nonfinite = 0

    def add(self, part: ComputedPart) -> None:
        """Count the rows of a part, and warn of the first that failed."""
        room = MOST_NAMED - self.unreadable - self.nonfinite
        if (room > 0 or self._strict) and (part.block.reasons or len(part.nonfinite_rows)):
            self._report(part, room)
        self.add_counts(part.block.rows, len(part.block.reasons), len(part.nonfinite_rows))

    def add_counts(self, rows: int, unreadable: int, nonfinite: int) -> None:
        """Count rows, and those among them that cannot be read and whose result is not finite."""
        self.rows += rows
        self.unreadable += unreadable
        self.nonfinite += nonfinite

    def _report(self, part: ComputedPart, room: int) -> None:
        for count, (row, is_readable) in enumerate(_failed(part)):
            reason = self._computation.reason(part.columns, row) if is_readable else part.block.reasons[row]
            file = f"{part.block.file}: " if part.block.file else ""
            message = f"{file}{self._place_noun} {part.block.place(row)}: {reason}"
            if self._strict and not (is_readable and self._allow_nonfinite):
                raise AutodiffError(message, code=NOT_FINITE if is_readable else INPUT)
            if count < room:
                self._warn(Notice(message))
            elif not self._strict:
                break

    def error(self) -> AutodiffError | None:
        """Return the error for the rows counted, with its exit code, or None where all have a result.

        The code is 0 where all failures are allowed; the error is then a warning.
        """
        count = self.unreadable + self.nonfinite
        if not count:
            return None
        if count > MOST_NAMED:
            self._warn(Notice(f"… and {count - MOST_NAMED:,} more"))
        if self.unreadable:
            remedy = Remedy("strict", (), "the first of them can be an error", f"{self._fate}; ")
            return AutodiffError(self._message(), remedy=remedy, code=INPUT)
        if self._allow_nonfinite:
            return AutodiffError(self._message(), code=0)
        remedy = Remedy("not finite rows", (), "they can be allowed")
        return AutodiffError(self._message(), remedy=remedy, code=NOT_FINITE)

    def _message(self) -> str:
        of_all = f"of {self.rows:,} row{'s' * (self.rows != 1)}"
        unreadable = f"{self.unreadable:,} {of_all} cannot be read"
        nonfinite = f"the result of {self.nonfinite:,} {'' if self.unreadable else of_all + ' '}is not finite"
        return ", ".join(text for text, count in ((unreadable, self.unreadable), (nonfinite, self.nonfinite)) if count)


def _failed(part: ComputedPart) -> Iterator[tuple[int, bool]]:
    """The rows without a result in ascending order, and whether they could be read."""
    unreadable = ((row, False) for row in sorted(part.block.reasons))
    return merge(unreadable, ((int(row), True) for row in part.nonfinite_rows))
