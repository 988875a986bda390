"""Outputs whose encoding lacks a character: people read ASCII in its place, programs read UTF-8."""

import codecs
import os
import sys
from io import TextIOWrapper
from typing import TextIO

_LIKE = {
    "-": "─‐‑‒–−", "|": "│⎜⎟⎪❘", "+": "┌┐└┘├┤┬┴┼", "/": "⎛⎠⎧↗↙⁄∕", "\\": "⎝⎞⎩↖↘", "<": "⎨←", ">": "→", "^": "↑",
    "v": "↓", "*": "·⋅∗∙⠒", "o": "•", "x": "×", "O": "○", "#": "◇█", "d": "∂", ".": "░", "'": "‘’′", '"': "“”«»",
    " ": "\xa0", "...": "…", "--": "—", "+-": "±", "<=": "≤", ">=": "≥", "!=": "≠", "=>": "⇒", "~": "≈", "sqrt": "√",
    "inf": "∞", "pi": "π", "^2": "²", "^3": "³", "sum": "∑", "not ": "¬", " deg": "°",
}  # fmt: skip
_ASCII = {symbol: text for text, symbols in _LIKE.items() for symbol in symbols}

HANDLER = "symbols_in_ascii"
"""the name, for `codecs`, of what replaces a character that an encoding lacks: a symbol in ASCII, or an escape"""


def _replaced(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object
    return "".join(_like(text[at], text[at - 1 : at + 2]) for at in range(error.start, error.end)), error.end


def _like(symbol: str, among: str) -> str:
    """The text in place of a symbol; one character in the middle of a name, so that columns stay aligned."""
    if symbol == "…" and len(among) == 3 and " " not in among:
        return "~"
    return _ASCII.get(symbol) or ascii(symbol)[1:-1]


codecs.register_error(HANDLER, _replaced)


def has_unicode(out: TextIO) -> bool:
    """Whether the encoding of the output has all characters."""
    return (getattr(out, "encoding", None) or "utf-8").lower().replace("-", "").startswith("utf")


def as_shown(text: str, out: TextIO) -> str:
    """The text as the output shows it."""
    return text if has_unicode(out) else text.encode(out.encoding, HANDLER).decode(out.encoding)


def for_people(out: TextIOWrapper) -> None:
    """Make the output show symbols that it lacks in ASCII; in the C locale a terminal lacks all others."""
    is_ascii = _has_locale_c() and out.isatty()
    out.reconfigure(encoding="ascii" if is_ascii else out.encoding, errors=HANDLER)


def _has_locale_c() -> bool:
    """Whether the environment says C or POSIX, or nothing: Python takes that for UTF-8, unless it is told an encoding.

    It does so too for a locale that is not installed, which a terminal may have anyway.
    """
    is_chosen = "utf8" in sys._xoptions or any(os.environ.get(name) for name in ("PYTHONUTF8", "PYTHONIOENCODING"))
    named = os.environ.get("LC_ALL") or os.environ.get("LANG") or "C"
    return bool(sys.flags.utf8_mode) and not is_chosen and named in ("C", "POSIX")


def for_programs(out: TextIO) -> None:
    """Make the output UTF-8, whatever the environment says, unless it is a terminal."""
    if isinstance(out, TextIOWrapper) and not has_unicode(out) and not out.isatty():
        out.reconfigure(encoding="utf-8")
