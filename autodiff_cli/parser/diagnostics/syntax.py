"""What to say about a text that the grammar does not allow: the place, what was expected there, and how to mend it.

The general answer names what the grammar needs. Before it, the tables of `habits` are tried: they know what people mean
who learnt to write formulas elsewhere.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...errors import AutodiffError
from ...operations import FUNCTIONS
from . import idioms
from .calls import unknown_function, wrong_count
from .context import LOOSE, Surroundings, Word, plain, repeated, words
from .hints import advise, is_elementary

if TYPE_CHECKING:
    from ..builder import Builder

_OPERANDS = {"NUMBER", "NAME", "DEFINED", "INFINITY", "ROOT", "LPAR"}
_OPERAND_ENDS = {"NUMBER", "NAME", "INFINITY", "SUPERSCRIPT", "RPAR"}
_ADD = "add a number, a name or an expression in parentheses"
_ENDS = {"$END", "NEWLINE", "SEMICOLON"}
_EXPECTED = {"COMMA": "an argument", "EQUALS": "an expression"}


def syntax_error(builder: "Builder", end: int, at: int, opened: Sequence[int]) -> AutodiffError:
    """The error for a word at a place where the parser cannot take it.

    `end` is where the word before it ends, `opened` where the parentheses that are open stand.
    """
    place = Surroundings(builder.source.text, end, at, opened)
    found = place.found
    operand = place.previous.kind not in _OPERAND_ENDS
    caller = place.caller
    if caller and caller.kind == "DEFINED":
        return _parameters(builder, found, caller)
    if place.enclosing is not None and _begins_statement(place) and not _closes(place):
        return unclosed(builder, place.enclosing)
    if place.previous.kind == "ROOT":
        return _root(builder, place)
    rows = idioms.BEFORE_AN_OPERAND if operand else idioms.AFTER_AN_OPERAND
    error = advise(builder, place, (*rows, *idioms.ANYWHERE))
    if error is not None:
        return error
    if found.kind == "UNKNOWN":
        return _unknown(builder, found)
    return _operand_expected(builder, place) if operand else _operator_expected(builder, place, caller)


def unclosed(builder: "Builder", at: int) -> AutodiffError:
    """The error for an opening parenthesis that nothing closes."""
    return builder.error("this parenthesis is never closed", at, at + 1, hint="add the ) that belongs to it")


def unopened(builder: "Builder", at: int) -> AutodiffError:
    """The error for a closing parenthesis that nothing opened."""
    return builder.error("this parenthesis was never opened", at, at + 1, hint="remove it, or add the ( before")


# ---- What the grammar needs -----------------------------------------------------------------------------------------


def _parameters(builder: "Builder", found: Word, function: Word) -> AutodiffError:
    message = "the parameters of a function are names, separated by commas"
    hint = f"write {repeated(function.text)}(a, b) = … to define a function, or == to compare"
    return builder.error(message, found.start, found.end, hint=hint)


def _root(builder: "Builder", place: Surroundings) -> AutodiffError:
    root, operand = place.previous, place.operand_after(place.at, LOOSE)
    return builder.error("the root needs parentheses", root.start, root.end, hint=f"write √({operand})")


def _begins_statement(place: Surroundings) -> bool:
    """Does a statement begin at the place or just before, as far as the words tell: in a new line, or after a `;`?"""
    first = place.previous if place.found.kind == "EQUALS" else place.found
    gap = place.text[place.preceding(first.start)[0].end : first.start]
    return "\n" in gap or "\r" in gap or first.kind == "SEMICOLON"


def _closes(place: Surroundings) -> bool:
    """Is the innermost parenthesis closed somewhere from the place on?"""
    depth = 1
    for match in re.compile(r"#[^\r\n]*+|[()]").finditer(place.text, place.at):
        depth += (match[0] == "(") - (match[0] == ")")
        if depth == 0:
            return True
    return False


def _unknown(builder: "Builder", found: Word) -> AutodiffError:
    """A character that no word of the language begins with."""
    character, simple = found.text, plain(found.text)
    name = unicodedata.name(character, "") if not character.isascii() else ""
    hint = "remove it" if unicodedata.category(character)[0] in "CM" else ""
    if simple != character and simple.isascii() and simple.isprintable():
        hint = f"write {simple}"
    message = f"unexpected character `{character}`" + f" ({name.lower()})" * bool(name)
    return builder.error(message, found.start, found.end, hint=hint)


def _operand_expected(builder: "Builder", place: Surroundings) -> AutodiffError:
    before, at = place.previous, place.found
    if before.kind == "LPAR" and at.kind == "RPAR":
        return _empty(builder, place)
    if at.kind == "DEFINED":
        at = next(word for word in words(place.text, at.start) if word.kind == "EQUALS")
        return builder.error(idioms.ASSIGNS, at.start, at.end, hint=idioms.COMPARE)
    hint = _ADD
    if at.kind == "COMMA" or (before.kind == "COMMA" and at.kind == "RPAR"):
        hint = "remove the comma"
    elif at.kind == "NEWLINE" or (before.kind == "NEWLINE" and before.text):
        hint = idioms.PARENTHESES
    what = "an argument" if at.kind == "COMMA" else _EXPECTED.get(before.kind, "an operand")
    if before.kind in ("LPAR", "NEWLINE", "SEMICOLON"):
        message = f"expected {what} before `{at.text}`"
    elif at.kind in _ENDS:
        message, at = f"expected {what} after `{before.text}`", before
    else:
        message = f"expected {what} after `{before.text}`, found `{at.text}`"
    return builder.error(message, at.start, at.end, hint=hint)


def _empty(builder: "Builder", place: Surroundings) -> AutodiffError:
    """`f()` or `()`."""
    opening, end, function = place.previous.start, place.found.end, place.caller
    if function is None:
        return builder.error("expected an expression between the parentheses", opening, end, hint="fill them")
    name = function.text
    value = next((known for known in (name, name.lower()) if builder.is_value(known)), None)
    if value:
        return builder.error(f"`{value}` is a value, not a function", function.start, end, hint=f"write {value}")
    if name in builder.functions or name in FUNCTIONS:
        return wrong_count(builder, name, 0, function.start, end)
    return unknown_function(builder, name, [function.start, opening], end)


def _operator_expected(builder: "Builder", place: Surroundings, caller: Word | None) -> AutodiffError:
    found = place.found
    if found.kind not in _OPERANDS:
        return builder.error(f"`{found.text}` has no meaning here", found.start, found.end)
    if builder.is_function(place.previous.text):
        message = f"the argument of `{place.previous.text}` needs parentheses"
    else:
        closing = ", `,` or `)`" if caller else " or `)`" if place.enclosing is not None else ""
        message = f"expected an operator{closing} before `{found.text}`"
    return builder.error(message, found.start, found.end, hint=_joined(builder, place))


def _joined(builder: "Builder", place: Surroundings) -> str:
    """How to write two operands that stand side by side."""
    before, found = place.previous, place.found
    left, right = place.operand_before(place.at), place.operand_after(place.at)
    if builder.is_function(before.text):
        call = f"write {left}({place.operand_after(place.at, LOOSE)})"
        certain = left in builder.functions or is_elementary(left)
        return call if certain else f"{call} for the function, or {left}*{right} for a product"
    if place.is_tight(place.at):
        return "write the *, and parentheses around what belongs together"
    if found.kind == "NUMBER":
        return f"write {left}*{right} for a product" + f", or {left}^{right} for a power" * (before.kind != "NUMBER")
    if right == found.text and builder.is_function(right):
        right += f"({place.operand_after(found.end, LOOSE)})"
    words = left.isidentifier() and right.isidentifier() and len(left + right) > 3
    return f"write {left}*{right}" + f", or {left}_{right} for one name" * words
