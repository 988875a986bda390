"""Arrow IPC as a stream, in a file too."""

from typing import BinaryIO

from . import Target, arrow

Reader = arrow.Reader


class Writer(arrow.Writer):
    """A stream."""

    def __init__(self, out: BinaryIO, target: Target, compression: str | None = None) -> None:
        super().__init__(out, target, compression, stream=True)
