"""`did you mean …?`: the known name that a mistyped one was probably meant to be."""

from collections.abc import Iterable
from itertools import islice


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint that names the closest known word, or "" where none is close."""
    from difflib import get_close_matches

    candidates = list(islice(known, 10_000))
    same = [name for name in candidates if name.casefold() == word.casefold()]
    close = same or get_close_matches(word[:100], candidates, n=1, cutoff=0.6)
    return f"did you mean `{close[0]}`?" if close else ""
