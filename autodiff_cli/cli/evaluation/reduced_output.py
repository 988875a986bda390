"""The output of `autodiff eval --reduce`: one report on all rows."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from typing import TYPE_CHECKING

from ...data.layout import ColumnLayout
from ...errors import INPUT, NOT_FINITE, AutodiffError, UsageError
from ...output import FORMATS, write
from ..output.notices import raise_or_warn
from ..output.output_file import opened
from .request import EvalRequest

if TYPE_CHECKING:
    from ...data.sums import Sums


class ReducedOutput:
    """The sum or the mean of the rows, in place of these."""

    is_stream = is_screen = False

    def __init__(self, request: EvalRequest) -> None:
        """Raises AutodiffError for a format that is for rows."""
        self._request = request
        if request.format not in FORMATS:
            message = f"the format {request.format} is for rows, and --reduce gives one result"
            raise UsageError(message, f"choose one of {', '.join(FORMATS)}")

    @contextmanager
    def writer(self, layout: ColumnLayout) -> Iterator["Sums"]:
        """Yield the sums; the report is written when the block ends without an error.

        Raises AutodiffError for the mean of no row, and for a result that is too large for a double.
        """
        from ...data.reduction_report import ReductionReport
        from ...data.sums import Sums
        from ...many_points.totals import Total

        request, sums, program = self._request, Sums([Total()] * len(layout.results)), layout.computation.program
        yield sums
        is_mean = request.reduce == "mean"
        if is_mean and not sums.rows:
            raise AutodiffError("there is no row to take the mean of", code=INPUT)
        numbers = [total.divided(sums.rows if is_mean else 1) for total in sums.totals]
        results = list(zip(layout.computation.results, numbers, strict=True))
        with opened(request.out) as out:
            report = ReductionReport(str(request.reduce), sums.rows, program, results, request.precision)
            write(report, request.format, out)
        has_finite_rows = all(total.nonfinite == 0 for total in sums.totals)
        if has_finite_rows and not all(map(isfinite, numbers)):
            error = AutodiffError(f"the {request.reduce} is more than a double can hold", code=NOT_FINITE)
            raise_or_warn(error, request.allow_nonfinite)

    def price(self, layout: ColumnLayout) -> float:
        """The seconds that writing takes for each row: none."""
        return 0.0
