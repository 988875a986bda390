"""Errors in calls, definitions and argument lists that the grammar allows but that have no meaning."""

import re
from collections.abc import Collection, Sequence
from itertools import islice

from ...errors import AutodiffError, Remedy, Span
from ...notation import as_formula
from ...operations import FUNCTIONS, INFINITY, LIST_FUNCTIONS, Operation
from ..scope import FunctionCall, Scope
from ..tokens import NAME, Token, tokens
from .context import Context, plain, repeated
from .idiom_matching import find_idiom
from .idioms import THOUSANDS, TIGHT
from .synonyms import MISSING_FUNCTIONS, MORE_ARGUMENTS, SYNONYMS, similar_function

_LAST_DIGITS = re.compile(r"(?<![\w.])\d{1,3}\Z")
_TRIPLES = re.compile(r"(?:,\d{3})*+")


def invalid_call(scope: Scope, call: FunctionCall) -> AutodiffError:
    """The error for a call that no function can take."""
    name = call.function
    operations = FUNCTIONS.get(name, ())
    if name not in scope.functions:
        if name in LIST_FUNCTIONS and scope.is_function(name):
            return wrong_list_count(scope, call, "1 or more")
        if not operations:
            return _unknown_function(scope, call)
        for operation in operations:
            if operation.takes(len(call.values)):
                return _not_a_literal(scope, operation, call)
    return _wrong_count(scope, call)


def _unknown_function(scope: Scope, call: FunctionCall) -> AutodiffError:
    """The error for a call of something that is not a function."""
    text, name, end, remedy = scope.source.text, call.function, call.end, None
    token = next(tokens(text, call.start))
    if scope.is_value(name):
        message, hint = f"`{name}` is a value, not a function", _product(text, token, call.opening, end)
        hint = hint or "put an operator before the parenthesis"
    elif scope.is_defining(name):
        message = f"`{name}` calls itself"
        hint = "a call is replaced by the function's formula, so it cannot call itself: write the steps out"
    elif _is_defined_after(text, token.text, end):
        message = f"`{name}` is called before it is defined"
        hint = f"move the definition of `{name}` above this statement"
    else:
        message = f"unknown function `{name}`"
        match = find_idiom(Context(text, token.end, token.end), MISSING_FUNCTIONS)
        if match:
            hint, remedy = match.hint, match.idiom.remedy
        else:
            hint = _multiplied(scope, token, call) or similar_function(name, scope.functions)
            remedy = None if hint else _product_or_list(text, token, call.opening, end)
    return scope.error(message, *token.span, hint, remedy)


def _multiplied(scope: Scope, token: Token, call: FunctionCall) -> str:
    """The hint for a factor and a function without a sign between them, as in `xsin(x)`; "" for another call."""
    text, argument = scope.source.text, repeated(scope.source.text[call.opening : call.end])
    certain, possible = (
        factor_and_call(token.text, argument[1:-1], scope.names, guesses=guesses) for guesses in (False, True)
    )
    if "," in argument or argument == "()" or not possible or call.function.lower() in SYNONYMS:
        return ""
    if Context(text, token.end, call.opening).is_tight(token.end):
        return f"write {TIGHT}"
    if certain:
        return f"write {certain}"
    similar = similar_function(call.function, scope.functions)
    return f"for a product write {possible}" + f"; {similar}" * bool(similar)


def factor_and_call(word: str, argument: str, known: Collection[str], *, guesses: bool) -> str:
    """A word that ends with a function, as the product that it may be with an argument: `x*sin(y)` for xsin and y.

    It is "" for another word; `guesses` are those of `as_formula`.
    """
    formula = as_formula(f"{word}…", {*known, "…"} - {word}, guesses=guesses)
    return formula.replace("…", argument) if formula.endswith("(…)") else ""


def _product(text: str, token: Token, opening: int, end: int) -> str:
    argument = repeated(text[opening:end])
    certain = "," not in argument and argument != "()" and not Context(text, token.end, opening).is_tight(token.end)
    return f"write {repeated(token.text)}*{argument}" if certain else ""


def _product_or_list(text: str, token: Token, opening: int, end: int) -> Remedy:
    product = _product(text, token, opening, end)
    lead = f"for a product {product}; " if product else ""
    return Remedy("list of functions", (), "`docs/language.md` lists the functions", lead)


def _is_defined_after(text: str, name: str, start: int) -> bool:
    definitions = re.compile(rf"(?<!\w)({NAME})\s*+\([^()=#]*+(?:#[^\r\n]*+[^()=#]*+)*+\)\s*+=(?!=)")
    return any(match[1] == name for match in definitions.finditer(text, start))


def _wrong_count(scope: Scope, call: FunctionCall) -> AutodiffError:
    """The error for a call with too few or too many arguments."""
    name, count = call.function, len(call.values)
    function = scope.functions.get(name)
    if function:
        least = most = float(len(function.parameters))
        forms = f"{name}({scope.parameters(name)})"
    else:
        operations = FUNCTIONS[name]
        least, most = min(o.counts[0] for o in operations), max(o.counts[1] for o in operations)
        other = f"{name}2"  # such as atan2
        called = other if any(o.takes(count) for o in FUNCTIONS.get(other, ())) else name
        forms = " or ".join(_form(called, operation) for operation in FUNCTIONS[called])
        if count > most and name in MORE_ARGUMENTS:
            forms = MORE_ARGUMENTS[name]
    takes = f"{least:.0f}" if most == least else f"{least} or more" if most == INFINITY else f"{least} or {most:.0f}"
    plural = "s" * (takes != "1")
    return scope.error(f"`{name}` takes {takes} argument{plural}, got {count}", call.start, call.end, f"write {forms}")


def _form(name: str, operation: Operation) -> str:
    """A call of an operation by one of its names, as an example."""
    called, parenthesis, arguments = operation.example.partition("(")
    named = parenthesis and called in (operation.called, *operation.aliases)
    return f"{name}({arguments}" if named else f"{name}({', '.join(operation.names)})"


def _not_a_literal(scope: Scope, operation: Operation, call: FunctionCall) -> AutodiffError:
    """The error for a first argument that has to be a whole number written in the formula."""
    place = arguments(scope, call.first, call.end)[0]
    message = f"the first argument of `{operation.called}` must be a whole number written out"
    return scope.error(message, *place, f"write a call such as {operation.example}")


def wrong_list_count(scope: Scope, call: FunctionCall, takes: str) -> AutodiffError:
    """The error for a call of a function of lists with too few or too many arguments."""
    name, values, plural = call.function, call.values, "s" * (takes != "1")
    forms, meaning, _ = LIST_FUNCTIONS[name]
    hint = f"write {forms.replace('), ', ') or ')}"
    if takes == "1" and len(values) > 1:
        texts = quoted(scope, arguments(scope, call.first, call.end))
        are_numbers = all(isinstance(value, int) for value in values)
        whole = f"write {name}({texts[0]}) for the {meaning.partition(':')[0]}"
        hint = f"write {name}([{', '.join(texts)}])" if are_numbers else whole
    return scope.error(f"`{name}` takes {takes} argument{plural}, got {len(values)}", call.start, call.end, hint)


def not_a_name(scope: Scope, text: str, start: int) -> AutodiffError:
    """The error for a token, at or after `start`, that cannot be a name, such as `½`."""
    start, simple = scope.source.text.index(text, start), plain(text)
    fraction = re.fullmatch(r"(\d+/\d+)(\w*)", simple)
    factor = f"*{fraction[2]}" if fraction and fraction[2] else ""
    hint = f"write ({fraction[1]}){factor}" if fraction else "a name has letters, digits and _"
    return scope.error(f"`{text}` cannot be a name", start, start + len(text), hint)


def named_twice(scope: Scope, index: int, start: int) -> AutodiffError:
    """The error for a parameter, by its index in the list at `start`, with the name of an earlier one."""
    names = (token for token in tokens(scope.source.text, start) if token.kind == "NAME")
    token = next(islice(names, index, None))
    message = f"the parameter `{token.text}` is named twice"
    return scope.error(message, *token.span, "give each parameter its own name")


def thousands(scope: Scope, comma: int) -> int:
    """Raise the error for a comma inside what reads as one number, such as 1,000.

    Returns the place up to which the commas separate arguments.
    """
    text = scope.source.text
    if _LAST_DIGITS.search(text, max(0, comma - 4), comma):
        idiom = THOUSANDS._replace(hint=f"{THOUSANDS.hint}; for two arguments put a space after the comma")
        match = find_idiom(Context(text, comma, comma), [idiom])
        if match:
            raise match.error(scope)
    return next(_TRIPLES.finditer(text, comma)).end()


def plus_minus(scope: Scope, plus: int) -> AutodiffError:
    """The error for `+-` in one piece, which many read as ±."""
    right = Context(scope.source.text, plus, plus).operand_after(plus + 2)
    hint = f"for the sum put a space between them: `+ -{right}`; for both signs write two formulas"
    return scope.error("`+-` could be a plus and a minus, or the sign ±", plus, plus + 2, hint)


def left_arrow(scope: Scope, start: int, name: str, right: str) -> AutodiffError:
    """The error for a statement `name <- right`, which assigns in R."""
    arrow, value = start + len(name), repeated(right)
    assigned = f"to assign write {name.rstrip()} = {value}"
    hint = f"{assigned}; for the comparison put a space between them: `< -{value}`"
    return scope.error("`<-` could be a less-than and a minus, or an assignment", arrow, arrow + 2, hint)


def used_before(scope: Scope, name: str, start: int, end: int) -> AutodiffError:
    """The error for a name that is assigned after it, or an entry of it, was used."""
    hint = f"assign `{name}` before this line, or give the later value another name"
    return scope.error(f"`{name}` is used before it is assigned", start, end, hint)


def arguments(scope: Scope, first: int, end: int) -> list[Span]:
    """The places of the arguments of a call: the first begins at `first`, they end before `end` or at a parenthesis."""
    places, start, last, depth = [], first, first, 0
    for token in tokens(scope.source.text, first):
        if token.start >= end or (token.kind == "RPAR" and depth == 0):
            break
        if token.kind == "COMMA" and depth == 0:
            places.append((start, last))
            start = -1
        elif start < 0:
            start = token.start
        depth += (token.kind in ("LPAR", "LSQB")) - (token.kind in ("RPAR", "RSQB"))
        last = token.end
    return [*places, (start, last)]


def quoted(scope: Scope, places: Sequence[Span]) -> list[str]:
    """The texts at some places, as a hint repeats them."""
    return [repeated(scope.source.text[slice(*place)].strip()) for place in places]
