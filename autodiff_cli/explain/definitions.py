"""The functions that the text of a program defines, which the calls in its graph no longer show."""

import re
from typing import NamedTuple

from ..notation import canonical
from ..parser.tokens import tokens

_COMMENT = re.compile(r"#[^\r\n]*+")
_OPENED = {"(": 1, ")": -1, "[": 1, "]": -1}


class Definition(NamedTuple):
    """The definition of a function, and its place in the text of the program, as [start, end)."""

    name: str
    text: str
    """on one line: `f(x) = x^2`"""
    start: int
    end: int


def definitions(text: str) -> list[Definition]:
    """The definitions of functions in a program's text, in their order."""
    functions: list[Definition] = []
    name, start, depth = "", 0, 0
    for token in tokens(text):
        depth += _OPENED.get(token.text, 0)
        if token.kind == "DEFINED":
            name, start, depth = canonical(token.text), token.start, 0
        elif name and (token.kind in ("SEMICOLON", "$END") or (token.kind == "NEWLINE" and not depth)):
            head, _, expression = _COMMENT.sub("", text[start : token.start]).partition("=")
            functions.append(Definition(name, " ".join(f"{head} = {expression}".split()), start, token.start))
            name = ""
    return functions
