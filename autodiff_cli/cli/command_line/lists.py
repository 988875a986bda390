"""Options that take a list. Its entries are separated by commas or spaces, or each comes with the option again.

`--wrt a b`, `--wrt a,b` and `--wrt a --wrt b` are the same, and so are `--set a=1 b=2` and `--set a=1,b=2`: the option
takes the words that follow as long as they look like entries of its list.
"""

import re
from collections import deque
from collections.abc import Iterable, Sequence
from os.path import exists
from typing import Any, NamedTuple

import click

from ... import file_extensions
from ...data.formats import READABLE

_NAME = r"[^\W\d][\w\u0300-\u036f]*(?:\[\d+\])*"
_SEPARATORS = re.compile(r"\s+|[,(){}\[\]]")


class ListEntry(NamedTuple):
    """Patterns that recognize the entries of a list; they are compiled when they are first used."""

    beginning: str
    """the beginning of an entry; a separator before anything else belongs to it, as the comma in `a=max(1, 2)`"""
    continuation: str
    """the beginning of a word that goes on with the list"""
    is_assigned: bool
    """whether it has a `=`; then the first word has to look like an entry too"""

    def begins(self, text: str, place: int = 0) -> int:
        """The end of the beginning of an entry at a place of a text; 0 where none begins."""
        match = re.compile(self.beginning).match(text, place)
        return match.end() if match else 0

    def continues(self, word: str) -> bool:
        """Whether a word goes on with the list."""
        return re.match(self.continuation, word) is not None


def _assigned(name: str) -> ListEntry:
    pattern = rf"\s*{name}\s*=(?!=)"
    return ListEntry(pattern, pattern, is_assigned=True)


def _words(word: str) -> str:
    return rf"(?!\s*\Z)[,\s]*({word}(\s*,[,\s]*{word})*[,\s]*)?\Z"


_COLUMN = rf"(?!not ){_NAME}(?: +(?!(?:and|or) ){_NAME})*"  # `x and y` is a formula
NAMES = ListEntry("", _words(_NAME), is_assigned=False)
COLUMNS = ListEntry("(?!)", _words(_COLUMN), is_assigned=False)
"""the names of columns, which may contain spaces and commas: what reads the table takes them apart"""
MISSING = ListEntry("(?!)", _words(rf"(?:{_COLUMN}|[nN]/[aA]|[-+]?\d[\d.]*|[-.?*#]+)"), is_assigned=False)
"""the words that stand for a missing number, which may contain spaces; commas separate those of one word"""
_EXTENSIONS = "|".join(
    re.escape(extension) for extension, name in file_extensions.FORMATS.items() if name in (*READABLE, "json")
)
_COMPRESSIONS = "|".join(map(re.escape, file_extensions.COMPRESSIONS))
_DATA_FILE = rf"(?i:[^,]+(?:{_EXTENSIONS})(?:{_COMPRESSIONS})?|[^,]*/)"
FILES = ListEntry(rf"(?<=,)(?!\s){_DATA_FILE}", rf"(?:.*,)?{_DATA_FILE}\Z", is_assigned=False)
"""files of data, known by their extensions, and folders, by the `/` at the end; spaces may be in their names, and in
those of files that exist commas"""
_IN_PARENTHESES = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
_RELATION = rf"(?:[^()<>=;\n≤≥,]|{_IN_PARENTHESES})+[<>=≤≥]"
RELATIONS = ListEntry(rf"(?<=,)\s*+{_RELATION}", rf"{_RELATION}[^;\n]*\Z", is_assigned=False)
"""constraints; commas separate those of one word, as in `x >= 1, y <= 2`"""
ASSIGNMENTS = _assigned(_NAME)
_RENAMED = rf"\s*{_NAME}(?:\s*| (?:[^,;:=<>!\\\n()]|\([^,;:=<>!\\\n()]*\))+)=(?!=)"
RENAMES = ListEntry(rf"(?:\A|(?<=,))[^,=<>!≤≥]+=(?!=)|{_NAME}\s*=(?!=)", _RENAMED, is_assigned=True)
"""names for columns, which may contain spaces at the start of a word and after a comma; `f(x) = x; f(2)` is no entry"""
PAIRS = _assigned(rf"{_NAME}\s*,\s*{_NAME}")
"""an assignment to two names, as in `a,b=0.5`"""


class ListOption(click.Option):
    """An option that takes a list; `example` shows one."""

    def __init__(self, *arguments: Any, entry: ListEntry, example: str, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.entry, self.example = entry, example

    def words(self, first: Sequence[str], following: deque[str]) -> list[str]:
        """The words of the list: the first, which stands after the option's `=`, if any, and those that go on with it.

        They are removed from the words that follow.
        """
        words = list(first)
        if following and not words and (not self.entry.is_assigned or self.entry.begins(following[0])):
            words.append(following.popleft())
        while words and following and self.entry.continues(following[0]):
            words.append(following.popleft())
        return words

    def entries(self, words: Iterable[str]) -> list[str]:
        """The entries that the words hold."""
        return [entry for word in words for entry in separated(word, self.entry)]

    def is_doubtful(self, words: Sequence[str]) -> bool:
        """Whether the last word may as well be a formula: it is a name, and no comma says that it is in the list."""
        is_name = len(words) > 1 and "," not in words[-1] and COLUMNS.continues(words[-1])
        return is_name and not words[-2].endswith(",")


def separated(text: str, entry: ListEntry) -> list[str]:
    """The entries of a text; commas and spaces separate them, except in parentheses and in the name of a file."""
    if entry is FILES and exists(text):
        return [text]
    entries, start, depth, begun = [], 0, 0, entry.begins(text)
    for separator in _SEPARATORS.finditer(text):
        if separator[0] in "([{":
            depth += 1
        elif separator[0] in ")]}":
            depth -= 1
        elif not depth and separator.start() >= begun and (end := entry.begins(text, separator.end())):
            entries.append(text[start : separator.start()])
            start, begun = separator.end(), end
    entries.append(text[start:])
    return [stripped for text in entries if (stripped := text.strip(", \t\r\n"))]
