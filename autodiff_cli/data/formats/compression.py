"""Compressed files: gzip, Zstandard, bzip2, LZ4; and the first bytes, by which they and binary files are recognized."""

from typing import Any, BinaryIO, Protocol

import pyarrow

from ...errors import AutodiffError, Remedy

_CODECS = {b"\x1f\x8b\x08": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bz2", b"\x04\x22\x4d\x18": "lz4"}
_BINARY = {
    b"PAR1": "Parquet", b"ARROW1": "Arrow IPC", b"\xff\xff\xff\xff": "Arrow IPC",
    b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"PK\x03\x04": "a ZIP archive",
}  # fmt: skip
_HINTS = {
    "UTF-16": "save it as UTF-8, such as with iconv -f UTF-16 -t UTF-8",
    "a ZIP archive": "unpack it; of a spreadsheet, save the table as CSV",
}
_PIECE = 2**16  # bytes that are waited for
_BZIP2_BLOCK = b"1AY&SY"  # the beginning of the first block of bzip2, after a digit


class ByteStream(Protocol):
    """An open file, a pipe, or what a compressed file holds."""

    def read(self, size: int = -1, /) -> bytes:
        """Read at most `size` bytes, fewer at the end."""

    def seekable(self) -> bool:
        """Return whether it can be read at any place."""

    def fileno(self) -> int:
        """The number of the open file."""

    def tell(self) -> int:
        """How many bytes have been read."""


def decompressed(source: BinaryIO) -> ByteStream:
    """Return the source, or its decompressed content where its first bytes are those of a compressed file."""
    start = beginning(source, 10)
    for magic, codec in _CODECS.items():
        if start.startswith(magic) and (codec != "bz2" or start[4:] == _BZIP2_BLOCK):
            return _DecompressedStream(source, codec)
    return source


def refuse_binary(source: ByteStream) -> None:
    """Raise AutodiffError for a file that is not text, by its first bytes."""
    start = beginning(source, 6)
    for magic, kind in _BINARY.items():
        if start.startswith(magic):
            format_ = {"Parquet": "parquet", "Arrow IPC": "arrow"}.get(kind)
            remedy = Remedy("data format", (format_, "it"), f"the format {format_} reads it") if format_ else None
            raise AutodiffError(f"the data is {kind}, not text", hint=_HINTS.get(kind, ""), remedy=remedy)


def compressed(data: bytes, codec: str) -> pyarrow.Buffer:
    """The data as a compressed file; several of them, one after the other, are a compressed file too."""
    out = pyarrow.BufferOutputStream()
    with pyarrow.CompressedOutputStream(out, codec) as stream:
        stream.write(data)
    return out.getvalue()


def beginning(source: Any, length: int) -> bytes:
    """The first bytes of a stream, which remain to be read; empty where they cannot be read in advance."""
    if hasattr(source, "peek"):
        return bytes(source.peek(length)[:length])
    if not source.seekable():
        return b""
    start: bytes = source.read(length)
    source.seek(-len(start), 1)
    return start


class _DecompressedStream:
    """The content of a compressed file, as it comes."""

    closed = False

    def __init__(self, source: BinaryIO, codec: str) -> None:
        self._source, self._codec = source, codec
        self._stream = pyarrow.CompressedInputStream(pyarrow.PythonFile(_UnbufferedFile(source), mode="r"), codec)

    def read1(self, size: int = _PIECE) -> bytes:
        """Read some of the bytes, none at the end; raises AutodiffError where the file is broken."""
        return self.read(min(size, _PIECE))

    def read(self, size: int = -1) -> bytes:
        """Read `size` bytes, fewer at the end; raises AutodiffError where the file is broken."""
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


class _UnbufferedFile:
    """A file whose `read` returns what is there, without waiting for all of it."""

    closed = False

    def __init__(self, source: BinaryIO) -> None:
        self.read = getattr(source, "read1", source.read)

    def close(self) -> None:
        """Leave the file open, as it belongs to the caller."""
