"""The rows of a table that gave no result: the first few by their place and reason, the rest by their number."""

from collections.abc import Callable, Iterator
from heapq import merge

from ..errors import INPUT, NOT_FINITE, AutodiffError, Notice
from ..vectorized.computation import Computation
from .job import Done

MOST_NAMED = 5


class Troubles:
    """Counts rows, and among them those that cannot be read or whose result is not finite.

    `place` is what the place of a row is called, `line` or `row`. With `strict` the first trouble is raised as an
    error; a result that is not finite is none where such are allowed.
    """

    def __init__(
        self,
        place: str,
        computation: Computation,
        tell: Callable[[Notice], None],
        *,
        strict: bool = False,
        allow_nonfinite: bool = False,
    ) -> None:
        self._place, self._computation, self._tell = place, computation, tell
        self._strict, self._allow_nonfinite = strict, allow_nonfinite
        self.rows = self.unreadable = self.odd = 0

    def add(self, done: Done) -> None:
        """Count a part's rows, and name the first troubles."""
        room = MOST_NAMED - self.unreadable - self.odd
        if (room > 0 or self._strict) and (done.block.reasons or len(done.odd)):
            self._name(done, room)
        self.rows += done.block.rows
        self.unreadable += len(done.block.reasons)
        self.odd += len(done.odd)

    def _name(self, done: Done, room: int) -> None:
        for named, (row, readable) in enumerate(_rows(done)):
            why = self._computation.reason(done.columns, row) if readable else done.block.reasons[row]
            message = f"{self._place} {done.block.place(row)}: {why}"
            if self._strict and not (readable and self._allow_nonfinite):
                raise AutodiffError(message, code=NOT_FINITE if readable else INPUT)
            if named < room:
                self._tell(Notice(message))
            elif not self._strict:
                break

    def error(self) -> AutodiffError | None:
        """What there is to say at the end: an error, with the exit code for it, or None where all is well.

        Where all that is wrong is allowed it has the code 0, and is a warning.
        """
        count = self.unreadable + self.odd
        if not count:
            return None
        if count > MOST_NAMED:
            self._tell(Notice(f"… and {count - MOST_NAMED:,} more"))
        return AutodiffError(self._message(), hint=self._hint(), code=self._code())

    def _message(self) -> str:
        of = f"of {self.rows:,} row{'s' * (self.rows != 1)}"
        unreadable = f"{self.unreadable:,} {of} cannot be read"
        odd = f"the result of {self.odd:,} {'' if self.unreadable else of + ' '}is not finite"
        return ", ".join(text for text, count in ((unreadable, self.unreadable), (odd, self.odd)) if count)

    def _hint(self) -> str:
        if self.unreadable:
            return "their results are empty; --strict stops at the first"
        return "" if self._allow_nonfinite else "--allow-nonfinite makes this a warning; --strict stops at the first"

    def _code(self) -> int:
        if self.unreadable:
            return INPUT
        return 0 if self._allow_nonfinite else NOT_FINITE


def _rows(done: Done) -> Iterator[tuple[int, bool]]:
    """The rows with a trouble, ascending, and whether they could be read."""
    unreadable = ((row, False) for row in sorted(done.block.reasons))
    return merge(unreadable, ((int(row), True) for row in done.odd))
