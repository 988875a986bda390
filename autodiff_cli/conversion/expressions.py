"""Expressions in the language that remember where their pieces stood in another text."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import NamedTuple

from ..errors import AutodiffError, Origin, Source, Span, did_you_mean
from ..notation import CALL, counted
from ..operations import CONSTANTS, FUNCTIONS, INFIX, OPERATIONS, PREFIX, by_name
from ..work_budget import charge

FMOD = "where({0} < 0, -(-{0} % abs({1})), {0} % abs({1}))"
"""the remainder with the sign of the first number; `%` is exact, other than x - y*trunc(x/y)"""
_DOUBLE = "abs({0}) % abs(2*{1})"
REMAINDER = (
    FMOD.replace("{1}", "2*{1}") + f" - where(2*({_DOUBLE}) > abs({{1}}), "
    f"copysign({{1}}, {{0}})*(1 + ({_DOUBLE} - abs({{1}}) >= abs(2*{{1}}) - {_DOUBLE})), 0)"
)
"""the remainder that is nearest to 0, exact too; of two, the one with an even quotient, known by that of 2*y"""
LOOSE = 0
_COMPARISON = 4
_RIGHT_ASSOCIATIVE = ("^",)
_TIGHT = ("*", "/", "^")
_RESERVED = (*CONSTANTS, "and", "or", "not")
PART = 6e-6
"""seconds for a part of another text, each time that it is read"""
_COMPOSED = 8e-6
_CHARACTER = 5e-7
_WRITTEN = 2e-6
"""for a character of the program, which is parsed too"""
NAME = r"[^\W\d]\w*"
_LONGEST = 10**12
"""characters that are counted, since the number of all may have millions of digits"""


class Expression(NamedTuple):
    """A part of a program: its text in pieces, how tightly it binds, and its span in the text that it comes from.

    Several parts may share a piece, so that a few of them are a long text, whose length is known without writing it.
    """

    pieces: "tuple[str | Expression, ...]"
    binding: int
    span: Span
    length: int

    @property
    def text(self) -> str:
        """The text of the part."""
        charge(_CHARACTER * self.length)
        return "".join(text for text, _ in _leaves(self))

    @property
    def is_condition(self) -> bool:
        """Whether it is a comparison, or several joined by `and`, `or` and `not`."""
        return LOOSE < self.binding <= _COMPARISON

    def within(self, binding: int) -> "tuple[str | Expression, ...]":
        """The pieces where something has to bind this tightly."""
        return (self,) if self.binding >= binding else ("(", self, ")")


class NamedExpression(NamedTuple):
    """An assignment, or without a name a formula."""

    name: str
    expression: Expression


class Converted(NamedTuple):
    """A program in the language, and where each part of it comes from."""

    text: str
    origin: Origin

    @contextmanager
    def errors_in_origin(self) -> Iterator[None]:
        """Have errors about the program point into the text that it comes from."""
        try:
            yield
        except AutodiffError as error:
            if error.source is not None and error.source.text == self.text:
                error.source = error.source._replace(origin=self.origin)
            raise


def composed(pieces: Sequence[str | Expression], binding: int, span: Span) -> Expression:
    """A part of a program that consists of these pieces, which is work."""
    charge(_COMPOSED)
    length = sum([len(piece) if isinstance(piece, str) else piece.length for piece in pieces])
    return Expression(tuple(pieces), binding, span, min(length, _LONGEST))


def atom(text: str, span: Span) -> Expression:
    """A number or a name."""
    return composed((text,), CALL, span)


class Names:
    """The names in a text: two that would become one in the program are an error, and so are words of the language."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._first: dict[str, tuple[str, Span]] = {}
        """the spelling and the place of the first occurrence of each name"""
        self._redefined: set[str] = set()
        """names of constants that are values from here on"""

    def copy(self) -> "Names":
        """The same names, for a function to add its own."""
        names = Names(self._source)
        names._first, names._redefined = self._first.copy(), self._redefined.copy()
        return names

    def atom(self, name: str, spelling: str, span: Span) -> Expression:
        """A name of the program, for what is spelled differently in the text."""
        if name in _RESERVED and name not in self._redefined:
            hint = f"`{name}` has a meaning in the language: give it another name"
            raise error(self._source, span, f"`{name}` cannot be the name of a value", hint)
        known, place = self._first.setdefault(name, (spelling, span))
        if known != spelling:
            first, second = (self._source.text[slice(*part)] for part in (place, span))
            message = f"`{first}` and `{second}` would both become `{name}`"
            raise error(self._source, span, message, "give one of them another name")
        return atom(name, span)

    def redefine(self, name: str) -> None:
        """Take a name for that of a value, even if it is a constant's in the language."""
        self._redefined |= {name} & CONSTANTS.keys()

    def keep_constants(self, formula: str, span: Span) -> None:
        """Raise AutodiffError for a formula with a constant whose name a value has."""
        for name in re.findall(NAME, formula):
            if name in self._redefined:
                message = f"the constant `{name}` is meant here, and a value has this name"
                raise error(self._source, span, message, "give the value another name")

    def spelling(self, name: str) -> str:
        """The spelling in the text of a name of the program."""
        return self._first[name][0] if name in self._first else name


def call(name: str, arguments: Sequence[Expression], span: Span) -> Expression:
    """A function of the language on arguments."""
    separated = [part for argument in arguments for part in (", ", argument)][1:]
    return composed((f"{name}(", *separated, ")"), CALL, span)


def infix(symbol: str, left: Expression, right: Expression, span: Span | None = None) -> Expression:
    """Two expressions with an operator of the language between them; the span is by default that of both."""
    binding = INFIX[symbol].precedence
    is_power = symbol in _RIGHT_ASSOCIATIVE
    sides = left.within(binding + (is_power or binding == _COMPARISON)), right.within(binding + (not is_power))
    gap = "" if symbol in _TIGHT else " "
    return composed((*sides[0], f"{gap}{symbol}{gap}", *sides[1]), binding, span or (left.span[0], right.span[1]))


def prefix(symbol: str, operand: Expression, span: Span) -> Expression:
    """An expression after an operator of the language."""
    binding = PREFIX[symbol].precedence
    gap = " " if symbol.isalpha() else ""
    return composed((f"{symbol}{gap}", *operand.within(binding)), binding, span)


def joined(symbol: str, operands: Sequence[Expression], span: Span) -> Expression:
    """Several expressions with an operator between them, from the left."""
    first, *others = operands
    for operand in others:
        first = infix(symbol, first, operand, span)
    return first


def chained(symbols: Iterable[str], operands: Sequence[Expression], span: Span) -> Expression:
    """A chain of comparisons: all of its links joined by `and`."""
    links = [infix(symbol, a, b, span) for symbol, (a, b) in zip(symbols, pairwise(operands), strict=True)]
    return joined("and", links, span)


def filled(template: str, arguments: Sequence[Expression], span: Span) -> Expression:
    """A formula with arguments in place of {0}, {1}, …, in parentheses where they are not a single word or call."""
    pieces: list[str | Expression] = []
    for index, part in enumerate(template.replace("}", "{").split("{")):
        if index % 2:
            pieces += arguments[int(part)].within(CALL)
        else:
            pieces.append(part)
    return composed(pieces, _loosest(template), span)


def _loosest(template: str) -> int:
    """The precedence of a formula: that of its loosest operator outside parentheses."""
    outside, inner = template, ""
    while outside != inner:
        inner, outside = outside, re.sub(r"\w*\([^()]*\)|\{\d\}", "x", outside)
    symbols = re.findall(r"[-+*/%^<>=!]+", outside)
    return min((INFIX[symbol].precedence for symbol in symbols), default=CALL)


def chosen(pairs: Sequence[tuple[Expression, Expression]], otherwise: Expression, span: Span) -> Expression:
    """The value of the first pair (condition, value) whose condition holds; a condition 1 or 0 is not a choice."""
    for condition, value in reversed(pairs):
        if condition.pieces == ("1",):
            otherwise = value
        elif condition.pieces != ("0",):
            otherwise = call("where", (condition, value, otherwise), span)
    return otherwise


def takes(name: str, count: int) -> bool:
    """Whether a function of the language takes this many arguments."""
    return any(operation.takes(count) for operation in FUNCTIONS.get(name, ()))


def applied(name: str, formula: str | None, arguments: Sequence[Expression], span: Span) -> Expression | None:
    """A formula, or a function of the language, on arguments; None where neither takes that many."""
    if formula is not None and {int(place) for place in re.findall(r"\{(\d)", formula)} == {*range(len(arguments))}:
        return filled(formula, arguments, span)
    return call(name, arguments, span) if takes(name, len(arguments)) else None


def operation_of_helper(name: str, arguments: Sequence[Expression], span: Span) -> Expression | None:
    """The operation that a helper function of generated code stands for; None if it is not in the table.

    An internal one, which the language does not know, occurs only in derivatives, and `needed` leaves these out.
    Its name is that of the operation, perhaps with `_` around it, and with a number of arguments or an order.
    """
    word = name.strip("_")
    stem, digits = re.fullmatch(r"(.*?)(\d*)", word).groups()  # type: ignore[union-attr]  # it always matches
    if word not in OPERATIONS and digits and stem == "polygamma":
        return call(stem, (atom(digits, span), *arguments), span)
    operation = by_name(word) or OPERATIONS.get(stem)
    if operation is None or not operation.takes(len(arguments)):
        return None
    if operation.symbol and len(arguments) == 2:
        return infix(operation.symbol, arguments[0], arguments[1], span)
    return call(operation.called, arguments, span)


def assembled(statements: Sequence[NamedExpression], source: Source) -> Converted:
    """The text of a program, a line for each statement."""
    texts: list[str] = []
    places: list[tuple[int, Span]] = []
    length = 0

    def append(text: str, span: Span) -> None:
        nonlocal length
        places.append((length, span))
        texts.append(text)
        length += len(text)

    for number, (name, expression) in enumerate(statements):
        charge(_WRITTEN * expression.length)
        append("\n" * bool(number) + (f"{name} = " if name else ""), expression.span)
        for text, span in _leaves(expression):
            append(text, span)
    return Converted("".join(texts), Origin(source.text, source.name, source.line, tuple(places)))


def _leaves(expression: Expression) -> Iterator[tuple[str, Span]]:
    pending: list[tuple[str | Expression, Span]] = [(expression, expression.span)]
    while pending:
        piece, span = pending.pop()
        if isinstance(piece, str):
            yield piece, span
        else:
            pending += [(part, piece.span) for part in reversed(piece.pieces)]


def needed(statements: Sequence[NamedExpression]) -> list[NamedExpression]:
    """The last statement and those that it depends on; generated code also computes derivatives."""
    names = {statement.name for statement in statements[-1:]}
    kept: list[NamedExpression] = []
    for statement in reversed(statements):
        if statement.name in names:
            kept.append(statement)
            names |= set(re.findall(NAME, statement.expression.text))
    return kept[::-1]


def error(source: Source, span: Span, message: str, hint: str = "") -> AutodiffError:
    """The error about a place in the text that is read."""
    return AutodiffError(message, span=span, source=source, hint=hint)


def wrong_count(source: Source, span: Span, name: str, count: int) -> AutodiffError:
    """The error for a function that is known, but not with this number of arguments."""
    return error(source, span, f"`{name}` does not take {counted(count, 'argument')}")


def same_letters(name: str, known: Iterable[str]) -> str:
    """A hint with a known function whose name has the same letters; many library functions have similar names."""
    letters = sorted(name.casefold())
    return did_you_mean(name, [other for other in known if sorted(other.casefold()) == letters])


def after_function(source: Source, span: Span) -> AutodiffError:
    """The error for a statement after the function that is the program."""
    message = "this follows the function that is the program"
    return error(source, span, message, "leave it out, or move it before the function")


def refuse_assigned(source: Source, statements: Iterable[NamedExpression], parameters: Collection[str]) -> None:
    """Raise AutodiffError for a statement that assigns a parameter, since an input is assigned nowhere."""
    for name, expression in statements:
        if name in parameters:
            message = f"`{name}` is a parameter, and assigned here"
            raise error(source, expression.span, message, "give the new value another name")


def ambiguous(source: Source, span: Span, readings: Sequence[str], hint: str, text: str = "") -> AutodiffError:
    """The error for what can be read in two ways: the text at the place, or another."""
    first, second = readings
    return error(source, span, f"`{text or source.text[slice(*span)]}` can mean {first} or {second}", hint)
