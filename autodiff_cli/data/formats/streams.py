"""The bytes of data files as the readers want them.

Compressed files (gzip, Zstandard, bzip2, LZ4, xz) are decompressed, and texts in another encoding become UTF-8, as they
come. The first bytes tell what a file is.
"""

import bz2
import codecs
import gzip
import lzma
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from pkgutil import resolve_name
from typing import Any, BinaryIO, Protocol

import pyarrow

from ...errors import USAGE, AutodiffError, Remedy, uncapitalized

_CODECS = {b"\x1f\x8b\x08": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bz2", b"\x04\x22\x4d\x18": "lz4",
           b"\xfd7zXZ\x00": "xz"}  # fmt: skip
_ZIP = "a spreadsheet or another ZIP archive"
_UNZIP = "unzip another archive first"
_BINARY = {
    b"PAR1": "Parquet", b"ARROW1": "Arrow IPC", b"\xff\xff\xff\xff": "Arrow IPC",
    b"\xff\xfe\x00\x00": "UTF-32", b"\x00\x00\xfe\xff": "UTF-32", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16",
    b"PK\x03\x04": _ZIP, rb"[^\0]\0[^\0]\0": "UTF-16LE", rb"\0[^\0]\0[^\0]": "UTF-16BE",
}  # fmt: skip
_REMEDIES = {
    "Parquet": Remedy("data format", ("parquet", "it"), "the format parquet reads it"),
    _ZIP: Remedy("data format", ("excel", "a spreadsheet"), "the format excel reads a spreadsheet"),
    "Arrow IPC": Remedy("data format", ("arrow", "it"), "the format arrow reads it"),
    "UTF-16": Remedy("encoding", ("utf-16",), "name its encoding"),
    "UTF-16LE": Remedy("encoding", ("utf-16le",), "name its encoding"),
    "UTF-16BE": Remedy("encoding", ("utf-16be",), "name its encoding"),
    "UTF-32": Remedy("encoding", ("utf-32",), "name its encoding"),
}
_READ_FROM_END = (b"PAR1", b"ARROW1")
NO_STREAM = "name the file itself, uncompressed; a stream can be CSV, TSV, JSON Lines or an Arrow stream"
"""the hint for a stream of a format that is read from its end"""
_PIECE = 2**16  # bytes that are waited for
_AFTER_BZIP2_DIGIT = (b"1AY&SY", b"\x17rE8P\x90")  # the beginning of the first block, or the end without one


class ByteStream(Protocol):
    """An open file, a pipe, or what a compressed file holds."""

    def read(self, size: int = -1, /) -> bytes:
        """Read at most `size` bytes, fewer at the end."""

    def seekable(self) -> bool:
        """Return whether it can be read at any place."""

    def fileno(self) -> int:
        """The number of the open file."""

    def tell(self) -> int:
        """The number of bytes that have been read."""


def decompressed(source: BinaryIO) -> ByteStream:
    """Return the source, or its decompressed content where its first bytes are those of a compressed file."""
    start = beginning(source, 10)
    for magic, codec in _CODECS.items():
        if start.startswith(magic) and (codec != "bz2" or start[4:] in _AFTER_BZIP2_DIGIT):
            return _decompressed_by(codec, source)
    return source


def refuse_binary(source: ByteStream) -> None:
    """Raise AutodiffError for a file that is not text, by its first bytes."""
    start = beginning(source, 6)
    for magic, kind in _BINARY.items():
        if re.match(magic, start):
            needs_end = magic in _READ_FROM_END and not source.seekable()
            remedy, hint = (None, NO_STREAM) if needs_end else (_REMEDIES[kind], _UNZIP if kind == _ZIP else "")
            raise AutodiffError(f"the data is {kind}, not text", remedy=remedy, hint=hint)


def compressed(data: bytes, codec: str) -> pyarrow.Buffer:
    """The data as a compressed file; several of them, one after the other, are a compressed file too."""
    if codec == "xz":
        return pyarrow.py_buffer(lzma.compress(data))
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


class DerivedStream:
    """A text that is made of that of a file or of another stream, piece by piece."""

    closed = False

    def __init__(self, source: ByteStream, read1: Callable[[int], bytes]) -> None:
        """`read1` returns some bytes, about as many as it is asked for at the most, and none at the end."""
        self._source, self.read1 = source, read1

    def read(self, size: int = -1) -> bytes:
        """Read a number of bytes, fewer at the end; raises AutodiffError where the file is broken."""
        pieces, left = list[bytes](), sys.maxsize if size < 0 else size
        while left > 0 and (piece := self.read1(left)):
            pieces.append(piece)
            left -= len(piece)
        return b"".join(pieces)

    def seekable(self) -> bool:
        """Return False: what was read once is gone."""
        return False

    def fileno(self) -> int:
        """The number of the open file."""
        return self._source.fileno()

    def tell(self) -> int:
        """The number of bytes of the file that have been read."""
        return self._source.tell()


def resumed(source: ByteStream, begun: bytes) -> DerivedStream:
    """The whole text of a stream whose first bytes were read already."""
    read = getattr(source, "read1", source.read)

    def read1(size: int) -> bytes:
        nonlocal begun
        piece, begun = begun or read(size), b""
        return piece

    return DerivedStream(source, read1)


def _decompressed_by(codec: str, source: BinaryIO) -> DerivedStream:
    """The content of a compressed file, as it comes."""
    read = _OPENERS[codec](_UnbufferedFile(source))

    def read1(size: int) -> bytes:
        try:
            return read(min(size, _PIECE))
        except (AutodiffError, MemoryError):
            raise
        except Exception as error:  # each library has errors of its own
            reason = str(error).partition("\n")[0]
            message = f"the data is not whole: {uncapitalized(reason)}"
            raise AutodiffError(message, hint=f"it is compressed with {codec}") from None

    return DerivedStream(source, read1)


class _UnbufferedFile:
    """A file whose `read` returns what is there, without waiting for all of it."""

    closed = False

    def __init__(self, source: BinaryIO) -> None:
        self.read = getattr(source, "read1", source.read)

    def close(self) -> None:
        """Leave the file open, as it belongs to the caller."""


def _by_package(source: _UnbufferedFile, codec: str, *classes: str) -> Callable[[int], bytes]:
    """Return a function that reads the bytes that have come; without its package, PyArrow's, which waits for more."""
    for name in classes:
        with suppress(ImportError):
            read1: Callable[[int], bytes] = resolve_name(name)(source).read1
            return read1
    read: Callable[[int], bytes] = pyarrow.CompressedInputStream(pyarrow.PythonFile(source, mode="r"), codec).read
    return read


_OPENERS: dict[str, Callable[[Any], Callable[[int], bytes]]] = {
    "gzip": lambda source: gzip.GzipFile(fileobj=source).read1,
    "bz2": lambda source: bz2.BZ2File(source).read1,
    "xz": lambda source: lzma.LZMAFile(source).read1,  # noqa: SIM115  # it holds nothing but the source
    "zstd": lambda source: _by_package(source, "zstd", "compression.zstd:ZstdFile", "backports.zstd:ZstdFile"),
    "lz4": lambda source: _by_package(source, "lz4", "lz4.frame:LZ4FrameFile"),
}
"""codec → what reads from a file"""


def decoded(source: ByteStream, encoding: str) -> ByteStream:
    """The text of a stream in another encoding as UTF-8. Raises AutodiffError for an encoding that is not known."""
    try:
        "".encode(encoding)
        decoder = codecs.getincrementaldecoder(encoding)()
    except (LookupError, UnicodeError):  # one is called `undefined`, and is
        hint = "such as latin-1, cp1252, utf-16 or shift_jis"
        raise AutodiffError(f"there is no encoding `{encoding}`", hint=hint, code=USAGE) from None

    def translate(data: bytes, is_last: bool) -> bytes:
        try:
            return decoder.decode(data, is_last).encode()
        except UnicodeError as error:
            raise AutodiffError(f"the data is not in the encoding {encoding}: {error}") from None

    return translated(source, translate)


def translated(source: ByteStream, translate: Callable[[bytes, bool], bytes]) -> DerivedStream:
    """The text of a stream, translated piece by piece; the last piece is empty."""
    read = getattr(source, "read1", source.read)

    def read1(size: int) -> bytes:
        while True:
            data = read(size)
            text = translate(data, not data)
            if text or not data:
                return text

    return DerivedStream(source, read1)
