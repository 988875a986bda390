"""Formulas as methods of data frames of pandas: importing this adds the accessor `frame.autodiff`."""

from collections.abc import Mapping

import pandas

from .errors import needing_arrays
from .language import as_program
from .program import Program


@pandas.api.extensions.register_dataframe_accessor("autodiff")
class FrameAccessor:
    """Formulas in a data frame."""

    def __init__(self, frame: pandas.DataFrame) -> None:
        self._frame = frame

    def with_results(
        self, program: Program | str, point: Mapping[str, float] | None = None, *, prefix: str = ""
    ) -> pandas.DataFrame:
        """As `autodiff_cli.with_results`: the frame with the value and the gradient of a program as further columns."""
        with needing_arrays("data frames"):
            from .data.frames import with_results
        return with_results(self._frame, as_program(program), point or {}, prefix)
