"""The output of a result: the report, or a chart of it, on the terminal or in a file."""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import click

from ... import file_extensions
from ...errors import Notice, Remedy, UsageError
from ...output import FORMATS, write
from ...output.report import Report
from .. import options
from . import output_file
from .notices import advise, warn

if TYPE_CHECKING:
    from ...plot.drawable import Drawable

PICTURES = ("svg", "png", "pdf")


class Search(Protocol):
    """The end of a search."""

    @property
    def converged(self) -> bool:
        """Whether it found what it looked for."""

    @property
    def reason(self) -> str:
        """The reason why it ended."""

    @property
    def remedy(self) -> Remedy | None:
        """A way to what it did not find."""


def result_options(drawn: str, formats: Iterable[str] = FORMATS, *also: str) -> options.Decorator:
    """The options of a command whose result can be drawn: the fields of `ResultOptions`.

    `also` are further names of the option for the file.
    """
    return options.together(
        options.report_options(formats),
        click.option("--plot", is_flag=True, help=f"Draw {drawn} in the terminal, below the result."),
        options.path_option(
            "-o",
            *also,
            "--out",
            "out",
            help=f"Write to a file: the result, or with the extension .svg, .png or .pdf {drawn}.",
        ),
    )


@dataclass(frozen=True, kw_only=True)
class ResultOptions:
    """The options of `result_options`."""

    format_: str | None
    precision: int
    plot: bool
    out: str | None

    def _picture(self) -> str | None:
        """The kind of picture that the file's extension says; None for another extension."""
        kind = file_extensions.FORMATS.get(file_extensions.extension_of(self.out or ""))
        return kind if kind in PICTURES else None

    def _report_format(self) -> str:
        """The format of the report. Raises AutodiffError for one that this result does not have."""
        format_ = output_file.format_of(self.format_, self.out, (*FORMATS, *PICTURES))
        if format_ in PICTURES:
            format_ = "table"
        if format_ not in FORMATS:
            raise UsageError(f"the format {format_} is for rows", f"choose one of {', '.join(FORMATS)}")
        if self.plot and format_ != "table":
            raise UsageError("--plot draws below a table only", "leave --plot or --format out")
        return format_

    def require_writable(self) -> None:
        """Raise the error for a format that this result does not have, or a chart that fails, before any result."""
        self._report_format()
        if self.plot:
            from ...plot.terminal_frame import plotext, terminal_size

            plotext()
            terminal_size(sys.stdout)
        if self._picture():
            from ...plot.figure import matplotlib

            matplotlib()

    def write(self, report: Report, chart: "Callable[[], Drawable]") -> None:
        """Write the report, and draw what the options ask for."""
        picture, format_ = self._picture(), self._report_format()
        if picture:
            output_file.write_bytes(chart().picture(picture, warn), self.out)
        with output_file.redirected(None if picture else self.out):
            write(report, format_, sys.stdout)
            if self.plot:
                from ...plot.terminal_frame import terminal_size

                sys.stdout.write("\n")
                chart().text(sys.stdout, terminal_size(sys.stdout))

    def explain_failure(self, search: Search) -> None:
        """Print what may help a search that found nothing; also why it ended, where the format has only numbers."""
        if search.converged or FORMATS[self._report_format()].has_reasons:
            advise(search.remedy)
        else:
            warn(Notice(search.reason, remedy=search.remedy))
