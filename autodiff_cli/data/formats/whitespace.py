"""Tables whose columns are separated by any number of blanks and tabs: they are read as tables with one tab."""

import re

from . import text_files
from .streams import ByteStream, translated

_EDGE = rb"(?<![^\r\n])[ \t]+|(?<![ \t])[ \t]++(?=[\r\n]|\Z)"  # of a line
_BLANKS, _EDGE_TAB = re.compile(rb"[ \t]+"), re.compile(rb"(?<![^\r\n])\t|\t(?=[\r\n]|\Z)")
_QUOTED = rb'(?<![^ \t\r\n])"[^"]*+(?:""[^"]*+)*+"?+'
_LAST_BREAK = re.compile(rb".*[\r\n]", re.DOTALL)


def with_tabs(source: ByteStream, comment: str) -> ByteStream:
    """The text of a stream with one tab for blanks and tabs outside of quotes, and none at the ends of a line.

    Lines that begin with the comment stay as they are, without the blanks before it.
    """
    rest, mark = b"", re.escape(comment.encode())
    line = b"(?<![^\r\n])[ \t]*(" + mark + b"[^\r\n]*)" if comment else b"(?!)()"
    special = re.compile(b'["' + mark + b"]")
    comment_or_quoted = re.compile(line + b"|(" + _QUOTED + b")")
    pattern = re.compile(comment_or_quoted.pattern + b"|" + _EDGE + b"|([ \t]+)")

    def replaced(match: re.Match[bytes]) -> bytes:
        return b"\t" if match[3] else match[1] or match[2] or b""

    def complete_length(data: bytes) -> int:
        """The length of the lines that are there to the end; those within a quoted cell are not."""
        if b'"' in data:
            data = comment_or_quoted.sub(lambda match: b"." * len(match[0]) if match[2] else match[0], data)
        lines = _LAST_BREAK.match(data)
        return lines.end() if lines else 0

    def translate(data: bytes, is_last: bool) -> bytes:
        nonlocal rest
        data = rest + data
        # what is too long for a record is passed on, for its reader to refuse
        length = len(data) if is_last or len(data) > text_files.LONGEST_RECORD else complete_length(data)
        rest, data = data[length:], data[:length]
        if special.search(data):
            return pattern.sub(replaced, data)
        return _EDGE_TAB.sub(b"", _BLANKS.sub(b"\t", data))

    return translated(source, translate)
