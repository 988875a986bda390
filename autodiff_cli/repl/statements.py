"""Lines as they are typed, made into statements: what each defines, and which names it uses."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from ..errors import AutodiffError, Source, Span
from ..notation import canonical
from ..operations import ALIASES
from ..parser.tokens import Token, tokens

COMMAND = ":"
"""the first character of a command"""

_UNFINISHED = {"PLUS", "MINUS", "TIMES", "POWER", "COMPARISON", "AND", "OR", "NOT", "EQUALS"}
_BLANK = {"NEWLINE", "$END"}
_OPENED = {"(": 1, ")": -1, "[": 1, "]": -1}
_SERIES = ("sum", "prod")
"""functions that take an index, its bounds, and an expression"""


class TypedText(NamedTuple):
    """A complete text that was typed: a command, or statements."""

    text: str
    line: int
    """the number of its first line in the input, counted from 1"""

    @property
    def is_command(self) -> bool:
        """Whether it is a command."""
        return self.text.lstrip().startswith(COMMAND)


class TypedStatement(NamedTuple):
    """A statement, with its place in what was typed."""

    name: str
    """the name that it defines, a function with `()` after it, an entry of a list as `w[1]`; "" for an expression"""
    text: str
    """the statement on one line; of a result without a name the expression alone"""
    uses: Mapping[str, Span]
    """the names it uses, functions with `()`, entries as `w[1]` → where each is first used in the text"""
    source: Source
    start: int = 0
    """the place of the text in the source"""
    is_numbered: bool = False
    """whether its name, such as `_1`, was given to an expression"""

    @property
    def is_function(self) -> bool:
        """Whether it defines a function."""
        return self.name.endswith("()")

    @property
    def call(self) -> str:
        """Of a function, its call with its own parameters, as it stands before the `=`."""
        return self.text.partition("=")[0].strip()

    @property
    def parameters(self) -> list[str]:
        """The names of a function's parameters; none for any other statement."""
        names = [canonical(token.text) for token in tokens(self.call) if token.kind == "NAME"]
        return [name for name in names if name + "()" != self.name] if self.is_function else []

    @property
    def line(self) -> str:
        """The statement with its name, as a line of a program."""
        return f"{self.head}{self.text}{')' * self.head.endswith('(')}"

    @property
    def head(self) -> str:
        """The text before the expression in its line; a parenthesis keeps a number from being an input."""
        return f"{self.name} = {'(' * (not self.uses)}" if self.is_numbered else ""

    @property
    def expression(self) -> str:
        """The text after the `=`, or all of an expression."""
        return self.text if self.is_numbered or not self.name else self.text.partition("=")[2].strip()

    @property
    def is_enclosed(self) -> bool:
        """Whether a pair of parentheses encloses all of the expression."""
        changes = [_OPENED.get(token.text, 0) for token in tokens(self.expression) if token.kind not in _BLANK]
        return self.expression.startswith("(") and all(list(accumulate(changes))[:-1])

    def place_of(self, name: str) -> Span | None:
        """The place where it first uses a name, or an entry of it, or a list that has it as an entry; else None."""
        return next((span for used, span in self.uses.items() if name in parts(used) or used in parts(name)), None)

    def error(self, message: str, span: Span, hint: str) -> AutodiffError:
        """An error at a place of the text."""
        start, end = (place + self.start for place in span)
        return AutodiffError(message, span=(start, end), source=self.source, hint=hint)

    def numbered(self, number: int) -> "TypedStatement":
        """An expression under a name of its own."""
        return self._replace(name=f"_{number}", is_numbered=True)

    def rewritten(self, text: str) -> "TypedStatement":
        """The same definition in another text."""
        source = self.source._replace(text=text, origin=None)
        return self._replace(text=text, uses=_used([*tokens(text)], 0), source=source, start=0)

    def renamed(self, old: str, new: str) -> "TypedStatement":
        """The same definition, using a value under another name."""
        text, end = [], 0
        piece = [*tokens(self.text)]
        for token in (piece[place] for place in _used_places(piece)):
            if canonical(token.text) == old:
                text += [self.text[end : token.start], new]
                end = token.end
        return self.rewritten("".join(text) + self.text[end:])


def parts(name: str) -> list[str]:
    """The lists that an entry belongs to, and the entry itself: `W`, `W[1]`, `W[1][2]`; any other name alone."""
    return [name[:place] for place, letter in enumerate(f"{name}[") if letter == "["]


# ---- Reading ---------------------------------------------------------------------------------------------------------


def typed_texts(lines: Iterable[str]) -> Iterator[TypedText]:
    """The commands and statements of lines; an unfinished statement continues to an empty line or a command."""
    pending: list[str] = []
    depth = first = 0
    for number, line in enumerate(lines, 1):
        is_command = line.lstrip().startswith(COMMAND) and not _has_open_choice(pending)
        if pending and is_command:
            yield TypedText("\n".join(pending), first)
            pending, depth = [], 0
        depth, goes_on = (0, False) if is_command else _state(line, depth, bool(pending))
        first = first if pending else number
        pending.append(line.rstrip("\r\n"))
        if not goes_on or not line.strip():
            yield TypedText("\n".join(pending), first)
            pending, depth = [], 0
    if pending:
        yield TypedText("\n".join(pending), first)


def _has_open_choice(lines: Sequence[str]) -> bool:
    """Whether a `:` belongs to a `?` of these lines, as in C's `a ? b : c`."""
    text = "".join(lines)
    return text.count("?") > text.count(":")


def is_unfinished(text: str) -> bool:
    """Whether the last statement of a text continues on the next line; a command never does."""
    *_, last = typed_texts([*text.split("\n"), ""])
    return last.text != ""


def _state(line: str, depth: int, goes_on: bool) -> tuple[int, bool]:
    """The number of open parentheses after a line, and whether its statement continues on the next."""
    tokens_of_line = [token for token in tokens(line) if token.kind not in _BLANK]
    depth += sum(_OPENED.get(token.text, 0) for token in tokens_of_line)
    ends_open = tokens_of_line[-1].kind in _UNFINISHED if tokens_of_line else goes_on
    return depth, depth > 0 or ends_open


def statements(source: Source) -> Iterator[TypedStatement]:
    """The statements of a text, which are on lines of their own or separated by semicolons."""
    piece: list[Token] = []
    depth = 0
    for token in tokens(source.text):
        depth += _OPENED.get(token.text, 0)
        goes_on = depth > 0 or (bool(piece) and piece[-1].kind in _UNFINISHED)
        if token.kind in ("SEMICOLON", "$END") or (token.kind == "NEWLINE" and not goes_on):
            if piece:
                yield _statement(piece, source)
            piece, depth = [], 0
        elif token.kind != "NEWLINE":
            piece.append(token)


def _statement(piece: Sequence[Token], source: Source) -> TypedStatement:
    """The statement of some tokens; what is between them, such as comments and line breaks, becomes spaces."""
    start = piece[0].start
    characters = [" "] * (piece[-1].end - start)
    for token in piece:
        characters[token.start - start : token.end - start] = token.text
    return TypedStatement(_defined(piece), "".join(characters), _used(piece, start), source, start)


def _defined(piece: Sequence[Token]) -> str:
    if piece[0].kind == "DEFINED":
        return canonical(piece[0].text) + "()"
    name, end = _name_at(piece, 0)
    return name if piece[0].kind == "NAME" and [token.kind for token in piece[end : end + 1]] == ["EQUALS"] else ""


def _name_at(piece: Sequence[Token], place: int) -> tuple[str, int]:
    """The name at a place, with the numbers that are written after it, as in `w[1]`, and the place after all that."""
    name, end = canonical(piece[place].text), place + 1
    while [token.kind for token in piece[end : end + 3]] == ["LSQB", "NUMBER", "RSQB"] and (
        number := piece[end + 1].text
    ).isdecimal():
        name, end = f"{name}[{number.lstrip('0')}]", end + 3
    return name, end


def _used(piece: Sequence[Token], start: int) -> dict[str, Span]:
    """The names that a statement uses, functions with `()` → where each is first used."""
    used: dict[str, Span] = {}
    for place in _used_places(piece):
        name, _ = _name_at(piece, place)
        used.setdefault(name + "()" * _is_called(piece, place), (piece[place].start - start, piece[place].end - start))
    return used


def _used_places(piece: Sequence[Token]) -> Iterator[int]:
    """The places of names after the `=`, or in all of an expression, except parameters of the function defined.

    The index of a sum is no such name either.
    """
    kinds = [token.kind for token in piece]
    head = kinds.index("EQUALS") if _defined(piece) else 0
    parameters, indices = {token.text for token in piece[1:head]}, _index_places(piece)
    return (
        place
        for place in range(head, len(piece))
        if kinds[place] == "NAME" and piece[place].text not in parameters and place not in indices
    )


def _index_places(piece: Sequence[Token]) -> set[int]:
    """The places of the indices of sums and products: in `sum(i, 1, n, i^2)` those of `i`.

    A name that the terms do not use is a summand: the parser reads `sum(a, b, c, d)` as a sum of four numbers.
    """
    places: set[int] = set()
    opened: list[list[int]] = []  # the place of each open bracket, and those of its commas
    indices: dict[str, list[int]] = {}  # name → where it is introduced, in each of the sums whose terms are being read
    for place, token in enumerate(piece):
        if token.kind == "NAME" and not _is_called(piece, place) and (introduced := indices.get(canonical(token.text))):
            places |= {introduced[-1], place}
        elif token.kind == "COMMA" and opened:
            opened[-1].append(place)
            if name := _index(piece, opened[-1]):
                indices.setdefault(name, []).append(opened[-1][0] + 1)
        elif (change := _OPENED.get(token.text, 0)) > 0:
            opened.append([place])
        elif change and opened and (name := _index(piece, opened.pop()[:4])):
            indices[name].pop()
    return places


def _index(piece: Sequence[Token], signs: Sequence[int]) -> str:
    """The index of a sum whose bracket and first three commas have these places; "" where there is none."""
    first = signs[0] + 1
    is_series = len(signs) == 4 and signs[1] == first + 1 and piece[first].kind == "NAME" and first > 1
    called = piece[first - 2].text if is_series else ""
    return canonical(piece[first].text) if ALIASES.get(called, called) in _SERIES else ""


def _is_called(piece: Sequence[Token], place: int) -> bool:
    return [token.kind for token in piece[place + 1 : place + 2]] == ["LPAR"]
