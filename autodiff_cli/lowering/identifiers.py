"""Names of variables in generated code: all distinct, and none that the language or the code around it uses."""

import unicodedata
from collections.abc import Iterable

from ..notation import without_brackets
from .target_language import TargetLanguage

_LONGEST = 50  # characters; 63 are significant in C and Fortran, with what is added


class Identifiers:
    """The names that are taken in a piece of code, and new ones."""

    def __init__(self, language: TargetLanguage, taken: Iterable[str] = ()) -> None:
        self._language = language
        self._words = {self._key(word) for word in (*language.taken, *taken)}
        self._taken = set(self._words)
        self._reserved_functions = {self._key(word) for word in language.reserved_functions}
        self._counts: dict[str, int] = {}
        self._temporaries = 0

    def new(self, wanted: str = "") -> str:
        """A free name, as close to the wanted one as possible; `t1`, `t2` and so on if none is wanted."""
        base = self._safe(wanted) if wanted else ""
        base += "_" * (self._key(base) in self._words)
        name = base
        while not name or self._key(name) in self._taken:
            if base:
                count = self._counts[base] = self._counts.get(base, 1) + 1
                name = f"{base}_{count}"
            else:
                self._temporaries += 1
                name = f"t{self._temporaries}"
        self._taken.add(self._key(name))
        return name

    def function(self, wanted: str) -> str:
        """A free name for a function, which is not taken outside the code either."""
        base = self._safe(wanted)
        return self.new(base + "_" * (self._key(base) in self._reserved_functions))

    def _key(self, name: str) -> str:
        return name.lower() if self._language.ignores_case else name

    def _safe(self, wanted: str) -> str:
        wanted = without_brackets(wanted)
        name = "".join(map(_latin, wanted)) if self._language.only_ascii else wanted
        if self._language.only_ascii and not name[0].isalpha():
            name = "v" + name
        return name[:_LONGEST]


def _latin(character: str) -> str:
    """ASCII letters for a character: a Greek letter by its name, a letter with an accent without it."""
    if character.isascii():
        return character
    words = unicodedata.name(character, "").split()
    if words[:1] == ["GREEK"] and "LETTER" in words:
        letter = words[words.index("LETTER") + 1].lower()
        return letter.capitalize() if "CAPITAL" in words else letter
    plain = unicodedata.normalize("NFD", character)[0]
    return plain if plain.isascii() and plain.isalnum() else f"u{ord(character):04x}"
