"""One JSON object on one line, or an indented list; numbers in the shortest text that reads back as the same double."""

from collections.abc import Iterator
from json import JSONEncoder
from math import isfinite
from typing import Any, TextIO

from .report import Document, Report

_strict = JSONEncoder(allow_nan=False)
_indented = JSONEncoder(allow_nan=False, indent=2)


def write(report: Report, out: TextIO) -> None:
    """Write the document, item by item where it has an iterator, so that a large program needs no second copy."""
    write_document(report.document(), out)


def write_document(document: Document, out: TextIO) -> None:
    """Write a document as `write` does."""
    if isinstance(document, list):
        out.write(encoded(document, _indented) + "\n")
    elif any(map(_is_iterator, document.values())):
        out.writelines(_pieces(document))
    elif document:
        out.write(encoded(document) + "\n")


def _pieces(document: dict[str, Any]) -> Iterator[str]:
    for number, (name, value) in enumerate(document.items()):
        yield f"{', ' if number else '{'}{encoded(name)}: "
        yield from _items(value) if _is_iterator(value) else (encoded(value),)
    yield "}\n"


def _is_iterator(value: Any) -> bool:
    return hasattr(value, "__next__")  # quicker than asking the abstract class: a document is written for every line


def _items(items: Iterator[Any]) -> Iterator[str]:
    yield "["
    yield from (", " * bool(number) + encoded(item) for number, item in enumerate(items))
    yield "]"


def encoded(value: Any, encoder: JSONEncoder = _strict) -> str:
    """A value as JSON, with `"nan"`, `"inf"` and `"-inf"` for what is not finite."""
    try:
        return encoder.encode(value)
    except ValueError:  # a number that is not finite
        return encoder.encode(_finite(value))


def _finite(value: Any) -> Any:
    """The value with a text in place of each infinity and nan."""
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return repr(value) if isinstance(value, float) and not isfinite(value) else value
