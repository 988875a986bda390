"""Formulas as methods of pandas data frames: importing this adds the accessor `frame.autodiff`."""

from collections.abc import Mapping
from typing import Any

import pandas

from .errors import needing_arrays
from .program import Program, by_canonical_name


@pandas.api.extensions.register_dataframe_accessor("autodiff")
class FrameAccessor:
    """Formulas in a data frame."""

    def __init__(self, frame: pandas.DataFrame) -> None:
        self._frame = frame

    def with_results(
        self, program: Program | str, point: Mapping[str, Any] | None = None, *, prefix: str = ""
    ) -> pandas.DataFrame:
        """Like `autodiff_cli.with_results`: the frame with the value and the gradient as further columns."""
        with needing_arrays("data frames"):
            from .data.frames import with_results
        return with_results(self._frame, program, by_canonical_name(point), prefix)
