"""Compressed files: gzip, Zstandard, bzip2, LZ4."""

from typing import Any, BinaryIO

import pyarrow

from ...errors import AutodiffError

_MAGIC = {b"\x1f\x8b\x08": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bz2", b"\x04\x22\x4d\x18": "lz4"}
_BINARY = {
    b"PAR1": "Parquet", b"ARROW1": "Arrow IPC", b"\xff\xff\xff\xff": "Arrow IPC",
    b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"PK\x03\x04": "a ZIP archive",
}  # fmt: skip
_HINTS = {
    "Parquet": "--data-format parquet reads it",
    "Arrow IPC": "--data-format arrow reads it",
    "UTF-16": "save it as UTF-8, such as with iconv -f UTF-16 -t UTF-8",
    "a ZIP archive": "unpack it; of a spreadsheet, save the table as CSV",
}
_PIECE = 2**16  # bytes that are waited for
_BLOCK = b"1AY&SY"  # how the first block of bzip2 begins, after a digit


def decompressed(source: BinaryIO) -> Any:
    """The source, or what it holds where its first bytes are those of a compressed file."""
    start = beginning(source, 10)
    for magic, codec in _MAGIC.items():
        if start.startswith(magic) and (codec != "bz2" or start[4:] == _BLOCK):
            return _Decompressed(source, codec)
    return source


def refuse_binary(source: BinaryIO) -> None:
    """Raise AutodiffError for a file that is no text, by its first bytes."""
    start = beginning(source, 6)
    for magic, what in _BINARY.items():
        if start.startswith(magic):
            raise AutodiffError(f"the data is {what}, not text", hint=_HINTS[what])


def compressed(data: Any, codec: str) -> Any:
    """The data as a compressed file of its own; several of them, one after the other, are one too."""
    out = pyarrow.BufferOutputStream()
    with pyarrow.CompressedOutputStream(out, codec) as stream:
        stream.write(data)
    return out.getvalue()


def beginning(source: BinaryIO, length: int) -> bytes:
    """The first bytes, which remain to be read."""
    if hasattr(source, "peek"):
        return bytes(source.peek(length)[:length])
    if not source.seekable():
        return b""
    start = source.read(length)
    source.seek(-len(start), 1)
    return start


class _Decompressed:
    """What a compressed file holds, as it comes."""

    closed = False

    def __init__(self, source: BinaryIO, codec: str) -> None:
        self._source, self._codec = source, codec
        self._stream = pyarrow.CompressedInputStream(pyarrow.PythonFile(_AsItComes(source), mode="r"), codec)

    def read1(self, size: int = _PIECE) -> bytes:
        """Some of the bytes, nothing at the end; AutodiffError where the file is broken."""
        return self.read(min(size, _PIECE))

    def read(self, size: int) -> bytes:
        """So many of the bytes, fewer at the end; AutodiffError where the file is broken."""
        try:
            data: bytes = self._stream.read(size)
        except (OSError, pyarrow.ArrowException) as error:
            reason = str(error).partition("\n")[0]
            raise AutodiffError(
                f"the data is not whole: {reason[:1].lower()}{reason[1:]}", hint=f"it is compressed with {self._codec}"
            ) from None
        return data

    def seekable(self) -> bool:
        return False

    def fileno(self) -> int:
        return self._source.fileno()

    def tell(self) -> int:
        """How many of the compressed bytes have been read."""
        return self._source.tell()


class _AsItComes:
    """A file whose `read` gives what is there."""

    closed = False

    def __init__(self, source: BinaryIO) -> None:
        self._read = getattr(source, "read1", source.read)

    def read(self, size: int = -1) -> bytes:
        data: bytes = self._read(size)
        return data

    def close(self) -> None:
        """Leave the file open: it is not this one's."""
