"""The kinds of the parts of a text, by the parser's own tokens: a text that is not a program yet has them too."""

from collections.abc import Iterator

from ..notation import canonical
from ..operations import ALIASES, CONSTANTS, FUNCTIONS, LIST_FUNCTIONS
from ..parser.tokens import tokens
from .session import Session
from .statements import typed_texts

Fragment = tuple[str, str]
"""a kind, such as `number`, and the text"""

_KINDS = {"NUMBER": "number", "DEFINED": "function", "UNKNOWN": "unknown", "AND": "word", "OR": "word", "NOT": "word"}


def fragments(text: str, session: Session) -> list[Fragment]:
    """The parts of a text, without gaps."""
    parts: list[Fragment] = []
    for typed in typed_texts(text.split("\n")):
        parts += [*_command(typed.text)] if typed.is_command else [*_statements(typed.text, session)]
        parts.append(("", "\n"))
    return parts[:-1]


def _command(text: str) -> Iterator[Fragment]:
    name, blank, rest = text.partition(" ")
    yield "command", name
    yield "", blank + rest


def _statements(text: str, session: Session) -> Iterator[Fragment]:
    end = 0
    tokens_of_text = [*tokens(text)]
    for token, following in zip(tokens_of_text, [*tokens_of_text[1:], tokens_of_text[-1]], strict=True):
        gap = text[end : token.start]
        yield "comment" if gap.strip() else "", gap
        kind = _KINDS.get(token.kind, "")
        if token.kind == "NAME":
            kind = _kind_of_name(canonical(token.text), following.kind == "LPAR", session)
        yield kind, token.text
        end = token.end


def _kind_of_name(name: str, is_called: bool, session: Session) -> str:
    if is_called:
        is_known = name in FUNCTIONS or name in LIST_FUNCTIONS or name in ALIASES
        return "function" if is_known or f"{name}()" in session.definitions else "unknown"
    return "constant" if name in CONSTANTS and name not in session.definitions else "name"
