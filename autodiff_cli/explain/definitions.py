"""The functions that the text of a program defines, which the calls in its graph no longer show."""

import re

from ..notation import canonical
from ..parser.tokens import tokens

_COMMENT = re.compile(r"#[^\r\n]*+")
_OPENED = {"(": 1, ")": -1, "[": 1, "]": -1}


def definitions(text: str) -> dict[str, str]:
    """The functions of a program's text, by name, with the definition of each on one line: `f(x) = x^2`."""
    texts: dict[str, str] = {}
    name, start, depth = "", 0, 0
    for token in tokens(text):
        depth += _OPENED.get(token.text, 0)
        if token.kind == "DEFINED":
            name, start, depth = canonical(token.text), token.start, 0
        elif name and (token.kind in ("SEMICOLON", "$END") or (token.kind == "NEWLINE" and not depth)):
            head, _, expression = _COMMENT.sub("", text[start : token.start]).partition("=")
            texts[name] = " ".join(f"{head} = {expression}".split())
            name = ""
    return texts
