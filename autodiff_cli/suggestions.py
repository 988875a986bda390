"""`did you mean …?`: the known name that a mistyped one was probably meant to be."""

from collections.abc import Iterable
from itertools import islice


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint that names the closest known word, or "" where none is close."""
    from difflib import get_close_matches

    candidates = list(islice(known, 10_000))
    same = [name for name in candidates if name.casefold() == word.casefold()]
    close = same or get_close_matches(word[:100], candidates, n=5, cutoff=0.65 if len(word) <= 4 else 0.75)
    # Letters in the wrong order are the commonest slip: `tahn` is tanh, although tan is closer to difflib.
    closest = min(close, key=lambda name: sorted(name) != sorted(word), default=None)
    return f"did you mean `{closest}`?" if closest else ""
