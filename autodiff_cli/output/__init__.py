"""The formats of reports (`report.py`), each a module of its own.

A format's module has `write(report, out)`, which writes any report to an open text file. A new format is a module and
an entry in `FORMATS`.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import NamedTuple, TextIO

from ..terminal.encoding import for_programs
from .report import Report


class Format(NamedTuple):
    """The module whose `write` writes a format, and its further arguments."""

    module: str
    options: Mapping[str, str] = {}
    has_every_record: bool = True
    """whether it lists every record of a report that also sums them up"""
    is_for_people: bool = False
    has_reasons: bool = False
    """whether it also says why a search has ended"""


FORMATS = {
    "table": Format(".table", has_every_record=False, is_for_people=True, has_reasons=True),
    "json": Format(".json", has_every_record=False, has_reasons=True),
    "csv": Format(".csv", {"delimiter": ","}),
    "tsv": Format(".csv", {"delimiter": "\t"}),
    "plain": Format(".plain", has_every_record=False),
}


def write(report: Report, name: str, out: TextIO) -> None:
    """Write a report in the format of that name; its module is loaded only now."""
    format_ = FORMATS[name]
    if not format_.is_for_people:
        for_programs(out)
    _function(format_.module)(report, out, **format_.options)


@cache
def _function(module: str) -> Callable[..., None]:
    function: Callable[..., None] = import_module(module, __name__).write
    return function
