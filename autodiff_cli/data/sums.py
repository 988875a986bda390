"""Sums of the results over all rows of a table, block by block, in any order."""

from collections.abc import Sequence

from ..many_points.totals import Total


class Sums:
    """The sums of the results over all rows that can be read; it takes the place of a writer."""

    def __init__(self, totals: Sequence[Total], rows: int = 0) -> None:
        """`totals` are those of the results, over a number of rows."""
        self.totals = list(totals)
        self.rows = rows
        """the number of rows that were added up"""

    def append(self, other: "Sums") -> None:
        """Add further sums."""
        self.rows += other.rows
        self.totals = [mine.plus(its) for mine, its in zip(self.totals, other.totals, strict=True)]

    def close(self) -> None:
        """Nothing is left to do."""
