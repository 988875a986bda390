"""How the answers to many formulas are written, one after the other: one file for each format, found by its name.

A format's module has `encode(answer, manner)`, which makes of an answer what is to be written, in any process; and a
class `Writer`, made with an open text file, which writes it.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol, TextIO, cast

from ...output import Nodes
from ..formulas import Answer


class Manner(NamedTuple):
    """How a person wants to see it."""

    nodes: Nodes | None = None
    """which nodes have a row, or None for what the format has without being asked"""
    precision: int = 4
    """digits after the point in the table"""


class Writer(Protocol):
    """Writes what `encode` makes."""

    def write(self, encoded: Sequence[Any]) -> None:
        """Write answers, in their order, so that whoever reads the file has them."""


class TextWriter:
    """Writes answers that are texts."""

    def __init__(self, out: TextIO, heading: str = "") -> None:
        self._out = out
        out.write(heading)

    def write(self, encoded: Sequence[str]) -> None:
        """Write answers, in their order, so that whoever reads the file has them."""
        self._out.writelines(encoded)
        self._out.flush()


def encoder(name: str) -> Callable[[Answer, Manner], Any]:
    """What makes of an answer what is written in the format of that name."""
    return cast(Callable[[Answer, Manner], Any], import_module(f".{name}", __name__).encode)


def writer(name: str, out: TextIO) -> Writer:
    """The writer of the format of that name."""
    return cast(Writer, import_module(f".{name}", __name__).Writer(out))
