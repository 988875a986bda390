"""Errors for texts that the grammar does not allow: the place, what was expected there, and how to mend it.

The tables of `idioms` are tried first; the general answer names what the grammar needs.
"""

import re
import unicodedata
from collections.abc import Sequence

from ...errors import AutodiffError
from ...notation import as_formula, canonical
from ..scope import FunctionCall, Scope
from ..tokens import Token, tokens
from . import idioms
from .calls import factor_and_call, invalid_call
from .context import LOOSE, Context, plain, repeated
from .idiom_matching import find_idiom, is_elementary

_OPERANDS = {"NUMBER", "NAME", "DEFINED", "INFINITY", "ROOT", "LPAR", "LSQB"}
_OPERAND_ENDS = {"NUMBER", "NAME", "INFINITY", "SUPERSCRIPT", "RPAR", "RSQB"}
_ADD_OPERAND = "add a number, a name or an expression in parentheses"
_ENDS = {"$END", "NEWLINE", "SEMICOLON"}
_NEEDED_AFTER = {"COMMA": "an argument", "EQUALS": "an expression"}


def syntax_error(scope: Scope, end: int, at: int, opened: Sequence[int]) -> AutodiffError:
    """The error for a token, at a place, that the parser cannot take.

    `end` is where the token before it ends; `opened` are the places of the parentheses that are open.
    """
    context = Context(scope.source.text, end, at, opened)
    current, caller = context.current, context.caller
    if current.kind == "$END" and opened:
        return _unclosed(scope, opened[-1])
    if caller and caller.kind == "DEFINED":
        return _parameters(scope, current, caller)
    if context.enclosing is not None and _begins_statement(context) and not _closes(context):
        return _unclosed(scope, context.enclosing)
    if context.previous.kind == "ROOT":
        return _root(scope, context)
    if current.kind == "COMMA" and context.enclosing is not None and scope.source.text[context.enclosing] == "[":
        return _several_indices(scope, context.enclosing, at)
    if context.previous.kind == "LSQB" and current.kind == "RSQB":
        return scope.error("a list has at least one entry", context.previous.start, current.end, "write [a, b, c]")
    if context.previous.kind == "COMMA" and current.kind == "RSQB":
        return scope.error("expected an entry after `,`, found `]`", *current.span, "remove the comma")
    needs_operand = context.previous.kind not in _OPERAND_ENDS
    table = idioms.BEFORE_AN_OPERAND if needs_operand else idioms.AFTER_AN_OPERAND
    if _is_function(scope, context.previous):
        table = (*idioms.AFTER_A_FUNCTION, *table)
    match = find_idiom(context, (*table, *idioms.ANYWHERE))
    if match:
        return match.error(scope)
    if current.kind == "UNKNOWN":
        return _unknown(scope, current)
    return _operand_expected(scope, context) if needs_operand else _operator_expected(scope, context)


def unopened(scope: Scope, at: int) -> AutodiffError:
    """The error for a closing parenthesis or bracket that nothing opened."""
    what, symbol = ("parenthesis", "(") if scope.source.text[at] == ")" else ("bracket", "[")
    return scope.error(f"this {what} was never opened", at, at + 1, f"remove it, or add the {symbol} before")


def _unclosed(scope: Scope, at: int) -> AutodiffError:
    what, symbol = ("parenthesis", ")") if scope.source.text[at] == "(" else ("bracket", "]")
    return scope.error(f"this {what} is never closed", at, at + 1, f"add the {symbol} that belongs to it")


def _several_indices(scope: Scope, opening: int, comma: int) -> AutodiffError:
    """The error for a comma in the brackets of an index."""
    match = find_idiom(Context(scope.source.text, opening, opening), idioms.BRACKETS)
    if match:
        return match.error(scope)
    return scope.error("an index is one number", comma, comma + 1, "write W[i][j] for the entry of a list of lists")


# ---- What the grammar needs -----------------------------------------------------------------------------------------


def _parameters(scope: Scope, current: Token, function: Token) -> AutodiffError:
    message = "the parameters of a function are names, separated by commas"
    hint = f"write {repeated(function.text)}(a, b) = … to define a function, or == to compare"
    return scope.error(message, *current.span, hint)


def _root(scope: Scope, context: Context) -> AutodiffError:
    root, operand = context.previous, context.operand_after(context.at, LOOSE)
    return scope.error("the root needs parentheses", *root.span, f"write √({operand})")


def _begins_statement(context: Context) -> bool:
    """Whether a statement seems to begin at the place or just before: in a new line, or after a `;`."""
    first = context.previous if context.current.kind == "EQUALS" else context.current
    gap = context.text[context.preceding(first.start)[0].end : first.start]
    return "\n" in gap or "\r" in gap or first.kind == "SEMICOLON"


def _closes(context: Context) -> bool:
    """Whether the innermost parenthesis is closed somewhere from the place on."""
    depth = 1
    for match in re.compile(r"#[^\r\n]*+|[()\[\]]").finditer(context.text, context.at):
        depth += (match[0] in "([") - (match[0] in ")]")
        if depth == 0:
            return True
    return False


def _unknown(scope: Scope, current: Token) -> AutodiffError:
    """The error for a character that no token of the language begins with."""
    character, simple = current.text, plain(current.text)
    name = unicodedata.name(character, "") if not character.isascii() else ""
    hint = "remove it" if unicodedata.category(character)[0] in "CM" else ""
    if simple != character and simple.isascii() and simple.isprintable():
        hint = f"write {simple}"
    message = f"unexpected character `{character}`" + f" ({name.lower()})" * bool(name)
    return scope.error(message, *current.span, hint)


def _operand_expected(scope: Scope, context: Context) -> AutodiffError:
    before, at = context.previous, context.current
    if before.kind == "LPAR" and at.kind == "RPAR":
        return _empty(scope, context)
    if at.kind == "DEFINED":
        at = next(token for token in tokens(context.text, at.start) if token.kind == "EQUALS")
        return scope.error(idioms.ASSIGNS, *at.span, idioms.COMPARE)
    hint = _ADD_OPERAND
    if at.kind == "COMMA" or (before.kind == "COMMA" and at.kind == "RPAR"):
        hint = "remove the comma"
    elif at.kind == "NEWLINE" or (before.kind == "NEWLINE" and before.text):
        hint = idioms.PARENTHESES
    what = "an argument" if at.kind == "COMMA" else _NEEDED_AFTER.get(before.kind, "an operand")
    if before.kind in ("LPAR", "LSQB", "NEWLINE", "SEMICOLON"):
        message = f"expected {what} before `{at.text}`"
    elif at.kind in _ENDS:
        message, at = f"expected {what} after `{before.text}`", before
    else:
        message = f"expected {what} after `{before.text}`, found `{at.text}`"
    return scope.error(message, *at.span, hint)


def _empty(scope: Scope, context: Context) -> AutodiffError:
    """The error for `f()` or `()`."""
    opening, end, function = context.previous.start, context.current.end, context.caller
    if function is None:
        return scope.error("expected an expression between the parentheses", opening, end, "fill them")
    name = function.text
    value = next(filter(scope.is_value, (name, name.lower())), None)
    if value:
        return scope.error(f"`{value}` is a value, not a function", function.start, end, f"write {value}")
    return invalid_call(scope, FunctionCall(name, [], function.start, opening, opening + 1, end))


def _operator_expected(scope: Scope, context: Context) -> AutodiffError:
    current = context.current
    if current.kind not in _OPERANDS:
        return scope.error(f"`{current.text}` has no meaning here", *current.span)
    if _is_function(scope, context.previous):
        message = f"the argument of `{context.previous.text}` needs parentheses"
    else:
        message = f"expected an operator{_closing(context)} before `{current.text}`"
    return scope.error(message, *current.span, _joined(scope, context))


def _closing(context: Context) -> str:
    """The symbols other than an operator that can follow an operand where a parenthesis or bracket is open."""
    if context.enclosing is None:
        return ""
    closing = {"(": ")", "[": "]"}[context.text[context.enclosing]]
    takes_comma = _in_list(context) if closing == "]" else context.caller
    return ", `,`" * bool(takes_comma) + f" or `{closing}`"


def _in_list(context: Context) -> bool:
    """Whether the place is among the entries of a list."""
    at = context.enclosing
    return at is not None and context.text[at] == "[" and context.preceding(at)[0].kind not in _OPERAND_ENDS


def _is_function(scope: Scope, token: Token) -> bool:
    return scope.is_function(canonical(token.text))


def _joined(scope: Scope, context: Context) -> str:
    """The hint for two operands that are side by side."""
    before, current = context.previous, context.current
    left, right = context.operand_before(context.at), context.operand_after(context.at)
    argument = context.operand_after(context.at, LOOSE)
    if _is_function(scope, before):
        call, name = f"write {left}({argument})", canonical(left)
        certain = name in scope.functions or is_elementary(name)
        return call if certain else f"{call} for the function, or {left}*{right} for a product"
    is_apart = _in_list(context) and before.end < current.start
    write = "write , between the entries of a list, or" if is_apart else "write"
    if context.is_tight(context.at):
        return f"{write} {idioms.TIGHT}"
    if current.kind == "NUMBER":
        return f"{write} {left}*{right} for a product" + f", or {left}^{right} for a power" * (before.kind != "NUMBER")
    if product := factor_and_call(left, argument, {*scope.names, right}, guesses=True):
        return f"{write} {product}"
    if right == current.text and scope.is_function(right):
        right += f"({context.operand_after(current.end, LOOSE)})"
    elif not scope.is_value(right):
        right = as_formula(right, scope.names) or right
    are_names = left.isidentifier() and right.isidentifier() and len(left + right) > 3
    return f"{write} {left}*{right}" + f", or {left}_{right} for one name" * are_names
