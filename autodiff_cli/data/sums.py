"""Sums of the results over all rows of a table, block by block, in any order."""

from collections.abc import Sequence

from ..many_points.totals import Total


class Sums:
    """The sums of the results over all rows that can be read; they take the place of a writer."""

    def __init__(self, totals: Sequence[Total], rows: int = 0) -> None:
        """`totals` has the total of each result over a number of rows."""
        self.totals, self.rows = list(totals), rows
        """the number of rows that were added up"""

    def append(self, other: "Sums") -> None:
        """Add further sums."""
        self.rows += other.rows
        self.totals = [mine.plus(its) for mine, its in zip(self.totals, other.totals, strict=True)]

    def close(self) -> None:
        """Nothing is left to do."""
