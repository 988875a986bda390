r"""Letters with accents in what this program wrote: `\acute{e}` is the letter é again."""

import re
import unicodedata
from contextlib import suppress

from ..notation import LATEX_ACCENTS

FILLING = "\u2060"
"""a zero-width character, for where the text has become shorter, so that places stay the same"""
_MARKS = {accent: mark for mark, accent in LATEX_ACCENTS.items()}
_ACCENT = re.compile(rf"\\({'|'.join(_MARKS)})\{{(\\[A-Za-z]+|[^\W\d_][\u0300-\u036f]*){FILLING}*\}}")


def with_letters(text: str) -> str:
    """The text with Unicode letters in place of accents and the letters below them, the innermost first."""
    while (changed := _ACCENT.sub(_letter, text)) != text:
        text = changed
    return text


def _letter(match: re.Match[str]) -> str:
    accent, below = match.groups()
    if below.startswith("\\"):
        size, name = ("CAPITAL", "SMALL")[below[1].islower()], below[1:].upper().replace("LAMBDA", "LAMDA")
        with suppress(KeyError):
            below = unicodedata.lookup(f"GREEK {size} LETTER {name}")
    letter = unicodedata.normalize("NFC", below + _MARKS[accent])
    return letter.ljust(len(match[0]), FILLING)
