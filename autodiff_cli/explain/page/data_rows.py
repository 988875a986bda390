"""The rows of a table on the page, which steps downhill on them."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ...data.column_blocks import Columns

MOST_PAGE_ROWS = 1000
"""on one page"""


class DataRows(NamedTuple):
    """The numbers of some inputs, row by row."""

    names: tuple[str, ...]
    numbers: Sequence[Sequence[float]]

    @classmethod
    def first_of(cls, columns: "Columns") -> "DataRows":
        """The first rows of columns, as many as a page holds."""
        blocks = ([block.columns[name].tolist() for name in columns.names] for block in columns.blocks())
        rows = (row for block in blocks for row in zip(*block, strict=True))
        return cls(columns.names, list(islice(rows, MOST_PAGE_ROWS)))

    @property
    def first(self) -> Mapping[str, float]:
        """The numbers of the first row."""
        return dict(zip(self.names, self.numbers[0], strict=True))
