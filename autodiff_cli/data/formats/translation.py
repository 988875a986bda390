"""Texts in another encoding, and tables with white space between their columns, as the readers of text want them."""

import codecs
import re
from collections.abc import Callable

from ...errors import USAGE, AutodiffError
from .compression import ByteStream, DerivedStream

_PIECE = 2**20  # bytes
_QUOTE = ord(b'"')
_JSON_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+("?)|[\[\]{},]')
_BREAKS_AS_BLANKS = bytes.maketrans(b"\r\n\t", b"   ")
_BLANKS = re.compile(rb"[ \t]+")
_AT_EDGE = re.compile(rb"^[ \t]+|[ \t]+(?=[\r\n]|\Z)", re.MULTILINE)
_LAST_BREAK = re.compile(rb".*[\r\n]", re.DOTALL)


def decoded(source: ByteStream, encoding: str) -> ByteStream:
    """The text of a stream in another encoding as UTF-8. Raises AutodiffError for an encoding that is not known."""
    try:
        "".encode(encoding)
        decoder = codecs.getincrementaldecoder(encoding)()
    except LookupError:
        hint = "such as latin-1, cp1252, utf-16 or shift_jis"
        raise AutodiffError(f"there is no encoding `{encoding}`", hint=hint, code=USAGE) from None

    def translate(data: bytes, is_last: bool) -> bytes:
        try:
            return decoder.decode(data, is_last).encode()
        except UnicodeError as error:
            raise AutodiffError(f"the data is not in the encoding {encoding}: {error}") from None

    return _TranslatedStream(source, translate)


def with_tabs(source: ByteStream, comment: str) -> ByteStream:
    """The text of a stream with one tab wherever blanks and tabs stood outside of quotes, and none around a line."""
    rest = b""
    sign = re.escape(comment.encode())
    line = b"^[ \t]*(" + sign + b"[^\r\n]*)" if comment else b"(?!)()"
    special = re.compile(b'["' + sign + b"]")
    pattern = re.compile(
        line + rb'|((?<![^ \t\r\n])"[^"]*(?:""[^"]*)*")|' + _AT_EDGE.pattern + rb"|([ \t]+)", re.MULTILINE
    )

    def replaced(match: re.Match[bytes]) -> bytes:
        return b"\t" if match[3] else match[1] or match[2] or b""

    def translate(data: bytes, is_last: bool) -> bytes:
        nonlocal rest
        data = rest + data
        lines = _LAST_BREAK.match(data)
        length = len(data) if is_last else lines.end() if lines else 0
        rest, data = data[length:], data[:length]
        return pattern.sub(replaced, data) if special.search(data) else _BLANKS.sub(b"\t", _AT_EDGE.sub(b"", data))

    return _TranslatedStream(source, translate)


def array_lines(source: ByteStream, begun: bytes) -> ByteStream:
    """The elements of a JSON array, each on a line; `begun` was read already."""
    rest, depth = b"", 0

    def translate(data: bytes, is_last: bool) -> bytes:
        nonlocal rest, depth, begun
        data, begun = rest + (begun + data).translate(_BREAKS_AS_BLANKS), b""
        pieces, done = [], 0
        for token in _JSON_TOKEN.finditer(data):
            if token[0][0] == _QUOTE and not token[1] and not is_last:
                rest = data[token.start() :]
                break
            before = depth
            depth += (token[0] in b"[{") - (token[0] in b"]}")
            if (token[0] == b"," and depth == 1) or 0 in (before, depth):
                pieces += [data[done : token.start()].strip(b" "), b"\n" if before else b""]
                done = token.end()
        else:
            rest = b""
        if is_last and depth > 0:
            raise AutodiffError("the data is not whole: the JSON array is never closed", hint="is the file complete?")
        left = data[done : len(data) - len(rest)]
        pieces.append(left if depth else left.strip(b" "))
        return b"".join(pieces)

    return _TranslatedStream(source, translate)


class _TranslatedStream(DerivedStream):
    """The text of a stream, translated piece by piece."""

    def __init__(self, source: ByteStream, translate: Callable[[bytes, bool], bytes]) -> None:
        super().__init__(source)
        self._translate = translate

    def read1(self, size: int = _PIECE) -> bytes:
        """Read some of the text, none at the end."""
        read = getattr(self._source, "read1", self._source.read)
        while True:
            data = read(size)
            text = self._translate(data, not data)
            if text or not data:
                return text

    read = read1
