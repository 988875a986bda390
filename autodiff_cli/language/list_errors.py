"""Errors about lists, sums over an index and derivatives: what is wrong, where, and how to write it."""

import re
from collections.abc import Sequence
from math import isfinite

from ..errors import AutodiffError, Remedy, Span, quoted_names
from ..notation import flattened, shortest
from ..operations import CONSTANT, INPUT, LIST_FUNCTIONS, PARAMETER
from ..parser.diagnostics import idioms
from ..parser.diagnostics.calls import arguments, quoted
from ..parser.diagnostics.context import Context, repeated
from ..parser.diagnostics.idiom_matching import find_idiom, is_elementary
from ..parser.scope import FunctionCall, Scope
from ..parser.tokens import NAME
from ..program import along_curve
from .list_graph import ListGraph, ListValue, depth

_NAME = re.compile(rf"{NAME}(?:\[[^\[\]]*+\])*+")


def _graph(scope: Scope) -> ListGraph:
    assert isinstance(scope.graph, ListGraph)
    return scope.graph


def _places(scope: Scope, call: FunctionCall) -> list[Span]:
    return arguments(scope, call.first, call.end)


def _entries(count: int) -> str:
    return f"{count} entr{'y' if count == 1 else 'ies'}"


# ---- Entries ---------------------------------------------------------------------------------------------------------


def no_entry(scope: Scope, count: int, number: float, start: int, opening: int, end: int) -> AutodiffError:
    """The error for an index that a list of `count` entries does not have."""
    text = scope.source.text
    name, index = repeated(text[start:opening]), repeated(text[opening:end])
    if number % 1:
        return scope.error(f"an index is a whole number, not {shortest(number)}", opening, end, "count from 1")
    if number == 0:
        hint = f"the first entry is {name}[1]"
        return scope.error(f"entries are counted from 1: there is no `{name}{index}`", opening, end, hint)
    if number < 0:
        hint = f"the last entry is {name}[len({name})]"
        return scope.error("entries are counted from 1, not from the end", opening, end, hint)
    message = f"`{name}` has {_entries(count)}: there is no `{name}[{number:.0f}]`"
    return scope.error(message, opening, end, f"the last is {name}[{count}]")


def not_a_list(scope: Scope, start: int, opening: int, end: int) -> AutodiffError:
    """The error for an index after what is not a list."""
    text = scope.source.text
    match = find_idiom(Context(text, opening, opening), idioms.BRACKETS)
    if match:
        return match.error(scope)
    base = repeated(text[start:opening])
    hint = "for a product put an operator before the bracket"
    if base.isidentifier():
        hint += f"; a list is written {base} = [a, b, c]"
    return scope.error(f"`{base}` is a number, so it has no entries", opening, end, hint)


def index_from_input(scope: Scope, value: ListValue, opening: int, end: int) -> AutodiffError:
    """The error for an index that is not known when the text is read."""
    text = scope.source.text
    called = f"; for a call write {value}({repeated(text[opening + 1 : end - 1])})" if isinstance(value, str) else ""
    message = "an index has to be a number that is known when the formula is read"
    hint = "write a number, or the index of a sum, as in sum(i, 1, 3, x[i]); n = (3) is a number, n = 3 an input"
    return scope.error(message, opening, end, hint + called)


def list_as_index(scope: Scope, start: int, end: int) -> AutodiffError:
    """The error for a list in the brackets of an index."""
    return scope.error("an index is a number, and this is a list", start, end, "choose one of its entries, or a number")


def no_such_entry(scope: Scope, entry: str, value: ListValue, start: int) -> AutodiffError:
    """The error for an assignment to an entry that a list does not have."""
    name = entry.partition("[")[0]
    what = f"a list of {_entries(len(value))}" if isinstance(value, tuple) else "a number"
    message = f"`{name}` is {what}: there is no `{entry}` to assign"
    return scope.error(message, start, start + len(entry), f"write the whole list: {name} = [a, b, c]")


def in_call(scope: Scope, error: AutodiffError, start: int, end: int) -> AutodiffError:
    """The error in the body of a function, with the call that leads to it."""
    if "the call is" not in error.hint:
        error.add_hint(f"the call is `{repeated(scope.source.text[start:end])}`")
    error.span, error.source = error.span or (start, end), scope.source
    return error


def not_written_out(scope: Scope, start: int, end: int) -> AutodiffError:
    """The error for an assignment to an entry whose number is computed."""
    message = "the left side of an assignment is a name, or an entry such as x[2]"
    return scope.error(message, start, end, "write the number of the entry out")


def nested_too_deep(scope: Scope, most: int, start: int, end: int) -> AutodiffError:
    """The error for a list within too many others, or an entry with too many indices."""
    return scope.error(f"lists are nested more than {most} deep", start, end)


def missing_entry(scope: Scope, name: str, number: int, start: int, end: int) -> AutodiffError:
    """The error for a list of which all entries but one are known."""
    entry = f"{name}[{number}]"
    message = f"`{name}` is a list without an entry {number}: no `{entry}` is known"
    remedy = Remedy("list entry", (entry,), "give all of its entries")
    return scope.error(message, start, end, remedy=remedy)


def unknown_length(scope: Scope, name: str, start: int, end: int) -> AutodiffError:
    """The error for a list of which only some entries are known."""
    remedy = Remedy("list input", (name,), f"pass a list for `{name}`")
    return scope.error(
        f"the length of `{name}` is not known",
        start,
        end,
        f"a list of inputs is written {name} = [{name}1, {name}2]",
        remedy,
    )


def different_lists(
    scope: Scope, values: Sequence[ListValue], places: Sequence[Span], start: int, end: int
) -> AutodiffError:
    """The error for an operation on lists of different lengths, or on a list of numbers and a list of lists."""
    texts, depths = quoted(scope, places), list(map(depth, values))
    if len(texts) == 1:
        texts = [f"entry {index}" for index in range(1, len(values) + 1)]
    if len({*depths} - {0}) > 1:
        matrix, vector = depths.index(max(depths)), next(i for i, d in enumerate(depths) if 0 < d < max(depths))
        message = f"`{texts[matrix]}` is a list of lists, and `{texts[vector]}` a list of numbers"
        product = f"a matrix times a vector is matvec({texts[matrix]}, {texts[vector]})"
        hint = f"{product}; anything else goes row by row, with entries such as A[1] and b[1]"
        return scope.error(message, start, end, hint)
    pairs = zip(texts, values, strict=False)
    lengths = [f"`{text}` has {_entries(len(value))}" for text, value in pairs if isinstance(value, tuple)]
    hint = "entries are combined one by one, so both need the same number of them"
    return scope.error(f"lists of different lengths: {' and '.join(lengths[:2])}", start, end, hint)


# ---- Functions of lists ----------------------------------------------------------------------------------------------


def list_result(scope: Scope, value: tuple[ListValue, ...], name: str | None, start: int, end: int) -> AutodiffError:
    """The error for a program whose output is a list."""
    message = f"the result is a list of {_entries(len(value))}, not a number"
    entry, first = "", (value,)
    while isinstance(first[0], tuple) and first[0]:
        entry, first = entry + "[1]", first[0]
    is_nested = any(isinstance(part, tuple) for part in value)
    if name is None:
        if is_nested:
            return scope.error(message, start, end, f"give it a name and choose an entry: h = …; h{entry}")
        if len(value) == 1 and "[" in scope.source.text[start:end]:
            return scope.error(message, start, end, "brackets make a list: write parentheses, or sum(…) for a number")
        hint = "write sum(…) for a number, dot(a, b) for a dot product, or give the list a name: h = …"
        return scope.error(message, start, end, hint)
    remedy = Remedy("entry of a list", (name, f"{name}{entry}"), f"choose an entry, such as `{name}{entry}`")
    return scope.error(message, start, end, "" if is_nested else f"a number would be sum({name})", remedy)


def list_expected(scope: Scope, call: FunctionCall, index: int) -> AutodiffError:
    """The error for a number where a function takes a list."""
    name, value, place = call.function, call.values[index], _places(scope, call)[index]
    text = repeated(scope.source.text[slice(*place)])
    graph = scope.graph
    form = LIST_FUNCTIONS[name][0].split("), ")[0]
    hint = f"a list is written [a, b, c]: {form if form.endswith(')') else form + ')'}"
    remedy = None
    needed = graph.needed_by(value) if isinstance(value, int) else []
    inputs = [graph.labels[node] for node in needed if graph.operations[node] is INPUT and node not in graph.numbers]
    if inputs:
        remedy = Remedy("list input", (inputs[0],), f"pass a list for `{inputs[0]}`")
        hint = f"a list of inputs is written {inputs[0]} = [{inputs[0]}1, {inputs[0]}2]"
    message = f"`{name}` takes a list, and `{text}` is a number"
    return scope.error(message, *place, hint, remedy)


def nested_list(scope: Scope, call: FunctionCall, index: int) -> AutodiffError:
    """The error for a list of lists where a list of numbers is needed."""
    name, place = call.function, _places(scope, call)[index]
    text = repeated(scope.source.text[slice(*place)])
    message = f"`{name}` takes a list of numbers, and `{text}` is a list of lists"
    row = text if text.isidentifier() else "W"
    hint = f"choose a row, such as {row}[1]"
    if name == "dot":
        both, depths = quoted(scope, _places(scope, call)), list(map(depth, call.values))
        a, b = (text if text.isidentifier() else other for text, other in zip(both, "AB", strict=True))
        hint = f"for the products of all of its numbers write sum(i, 1, len({a}), dot({a}[i], {b}[i]))"
        if 1 in depths:
            hint = f"for a matrix times a vector write matvec({', '.join(both[:: 1 if depths[0] > depths[1] else -1])})"
    if name == "sum":
        hint = f"for all of its numbers write sum(i, 1, len({row}), sum({row}[i]))"
    return scope.error(message, *place, hint)


def matrix_expected(scope: Scope, call: FunctionCall) -> AutodiffError:
    """The error for a first argument of `matvec` that is not a list of lists."""
    place = _places(scope, call)[0]
    text = repeated(scope.source.text[slice(*place)])
    hint = "a matrix is a list of its rows: [[a, b], [c, d]]"
    if isinstance(call.values[0], tuple):
        hint += "; for two lists of numbers write dot"
    return scope.error(f"`matvec` takes a list of lists, and `{text}` is not one", *place, hint)


def different_rows(scope: Scope, call: FunctionCall, row: int, vector: int) -> AutodiffError:
    """The error for a matrix whose rows are longer or shorter than the vector."""
    matrix, right = quoted(scope, _places(scope, call))
    message = f"a row of `{matrix}` has {_entries(row)}, and `{right}` has {_entries(vector)}"
    return scope.error(message, call.first, call.end - 1, "each row needs an entry for every entry of the list")


# ---- Sums over an index ----------------------------------------------------------------------------------------------


def bound_not_whole(scope: Scope, bound: float, call: FunctionCall, place: int) -> AutodiffError:
    """The error for a bound of a sum over an index, its argument `place`, that is not a whole number."""
    message = f"the bounds of a sum are whole numbers, not {shortest(bound)}"
    hint = "write round(…) around a computed bound" if isfinite(bound) else ""
    start, end = _places(scope, call)[place]
    return scope.error(message, start, end, hint or "there are no infinite sums: end at the last term that matters")


def no_series(scope: Scope, call: FunctionCall, index: str, bounds: range | None) -> AutodiffError:
    """The error for a sum over an index with too many arguments, or whose terms do not depend on the index."""
    name, count, place = call.function, len(call.values), (call.start, call.end)
    what, parts = ("sum", "terms") if name == "sum" else ("product", "factors")
    if count != 4:
        hint = f"write {name}(i, first, last, expression)"
        return scope.error(f"a {what} over an index takes 4 arguments, got {count}", *place, hint)
    texts = quoted(scope, _places(scope, call))
    message = f"the {parts} of this {what} do not depend on its index `{index}`"
    low, high = map(_in_parentheses, texts[1:3])
    times = high if low == "1" else f"({high} - {low} + 1)"
    if bounds is not None:
        times = str(len(bounds))
    part = _in_parentheses(texts[3])
    equal = f"{times}*{part}" if name == "sum" else f"{part}^{times}"
    kind = "no" if times == "0" else "equal"
    return scope.error(message, *place, f"write {equal} for {kind} {parts}, or {_joined(name, texts)} for four numbers")


def _joined(name: str, texts: Sequence[str]) -> str:
    """The sum of some expressions, or their product."""
    return " + ".join(texts) if name == "sum" else "*".join(map(_in_parentheses, texts))


def _in_parentheses(text: str) -> str:
    """An expression as a part of a longer one: as it is only if it is a name or a number."""
    return text if re.fullmatch(r"[\w.]+", text) else f"({text})"


def misplaced_index(scope: Scope, call: FunctionCall) -> AutodiffError | None:
    """The error for a sum whose index is in another place, or whose bounds are not known; None for other sums."""
    values, graph = call.values, _graph(scope)
    if len(values) != 4 or not all(isinstance(value, int) for value in values):
        return None
    known = [graph.number(value) is not None for value in values]
    names = [
        place
        for place, value in enumerate(values)
        if (place == 0 or sum(known) >= 2) and not graph.arguments[value] and not _is_written_number(scope, call, value)
    ]
    depends = [set(graph.needed_by(value)) - {value} for value in values] if names else []
    for index in names:
        terms = [place for place in range(4) if values[index] in depends[place]]
        if index == 0 and values[0] == values[3] and known[1] and not known[2]:
            terms = [3]
        if len(terms) == 1 and (error := _index_at(scope, call, index, terms[0], known)):
            return error
    return None


def _is_written_number(scope: Scope, call: FunctionCall, node: int) -> bool:
    """Whether a number is written in a call; in that of a function, a parameter may stand for a number elsewhere."""
    start = scope.graph.starts[node]
    return call.start <= start < call.end and bool(re.match(r"\.?\d", scope.source.text[start : start + 2]))


def _index_at(scope: Scope, call: FunctionCall, index: int, term: int, known: Sequence[bool]) -> AutodiffError | None:
    """The error for a sum with the index and the expression at these places; None where that is no sum over an index.

    `known` says which arguments are numbers that are known when the text is read.
    """
    places = _places(scope, call)  # takes time in proportion to the text, so it is the last to be asked for
    texts = quoted(scope, places)
    low, high = (place for place in range(4) if place not in (index, term))
    hint = f"write {call.function}({texts[index]}, {texts[low]}, {texts[high]}, {texts[term]})"
    if not _NAME.fullmatch(texts[index]):
        return None
    if not (known[low] and known[high]):
        return computed_bound(scope, call) if (index, term) == (0, 3) else None
    if index != 0:
        message = "the index of a sum comes first, then its bounds, then the expression"
        return scope.error(message, *places[index], hint)
    if term != 3:
        return scope.error("the bounds of a sum come before the expression", *places[term], hint)
    return None


def computed_bound(scope: Scope, call: FunctionCall) -> AutodiffError:
    """The error for a sum with bounds that are not known when the text is read; the call may end at the third one."""
    graph, places, values = _graph(scope), _places(scope, call), call.values
    index = 1 if graph.number(values[1]) is None else 2
    needed = graph.needed_by(values[index])
    inputs = [graph.labels[node] for node in needed if node in graph.labels and graph.operations[node] is not CONSTANT]
    cause = f"the input{'s' * (len(inputs) > 1)} {quoted_names(inputs)}" if inputs else "an input"
    what, verb = ("sum", "add") if call.function == "sum" else ("product", "multiply")
    message = f"a bound of a {what} has to be known when the formula is read, and this one depends on {cause}"
    hint = "write the number" + (f"; {inputs[0]} = (3) is a number, {inputs[0]} = 3 an input" if inputs else "")
    if len(values) == 4:
        hint += f"; to {verb} four numbers write {_joined(call.function, quoted(scope, places))}"
    return scope.error(message, *places[index], hint)


# ---- Derivatives -----------------------------------------------------------------------------------------------------


def invalid_order(scope: Scope, most: int, call: FunctionCall) -> AutodiffError:
    """The error for an invalid order of a derivative."""
    message = f"the order of a derivative is a whole number from 1 to {most}, known when the formula is read"
    places, hint = _places(scope, call), "write D(f, x, 2) for the second derivative"
    expression, first, second = quoted(scope, places)
    if _NAME.fullmatch(second):
        hint += f", or D(D({expression}, {first}), {second}) for a mixed one"
    return scope.error(message, *places[2], hint)


def variable_of_derivative(scope: Scope, call: FunctionCall) -> AutodiffError | None:
    """The error for a derivative with respect to anything but a name that the expression can know; else None."""
    graph, places = _graph(scope), _places(scope, call)
    text, value, variable = scope.source.text[slice(*places[1])], *call.values[:2]
    expression = repeated(scope.source.text[slice(*places[0])])
    is_name = bool(_NAME.fullmatch(text))
    if isinstance(value, int) and _is_uncalled(scope, expression, value):
        parameters = scope.parameters(expression) if expression in scope.functions else "x"
        by = text if is_name and text != expression else parameters.partition(",")[0]
        called = f"{expression}({parameters if ',' in parameters else by})"
        return scope.error(f"`{expression}` is a function, not a value", *places[0], f"write D({called}, {by})")
    if not is_name:
        hint = f"give it a name first: u = {repeated(text)}; D(…, u), with u in the expression"
        is_number = isinstance(variable, int) and graph.number(variable) is not None
        if is_number and (name := _first_input(graph, value)):
            hint = f"write D({expression}, {name}), and {name} = {repeated(text)} before it"
        return scope.error("a derivative is with respect to a name: an input or a named value", *places[1], hint)
    if not isinstance(variable, int):
        return None
    if graph.starts[variable] == places[1][0] and not graph.arguments[variable]:
        message = f"`{text}` is not in `{expression}`, nor anywhere before"
        name = _first_input(graph, value)
        hint = "a derivative is with respect to a name that the expression uses" + (
            f", such as `{name}`" if name else ""
        )
        return scope.error(message, *places[1], hint)
    if text in _NAME.findall(scope.source.text[slice(*places[0])]):
        return None  # as in D(D(x*y, x), x), which is 0
    if slope := along_curve(graph, expression, text, flattened(value), variable):
        message = f"`{expression}` is not computed from `{text}`"
        return scope.error(message, call.start, call.end, f"for the slope of a curve write {slope}")
    if isinstance(value, int) and graph.operations[value] is INPUT and value != variable:
        message = f"`{expression}` is an input, which does not depend on `{text}`"
        return scope.error(message, *places[0], f"define it before: {expression} = … with {text} in it")
    computed_from = {*graph.needed_by(*flattened(value))}
    if variable not in computed_from and any(graph.operations[node] is PARAMETER for node in computed_from):
        message = f"`{expression}` does not depend on `{text}`: a parameter is a number, whatever the call has there"
        hint = f"write the expression itself in its place, as in h({text}) = D({text}^2, {text})"
        return scope.error(message, *places[0], hint)
    return None


def _first_input(graph: ListGraph, value: ListValue) -> str:
    """The first input that a number depends on; "" if there is none."""
    nodes = graph.needed_by(value) if isinstance(value, int) else []
    return next((graph.labels[node] for node in nodes if graph.operations[node] is INPUT), "")


def _is_uncalled(scope: Scope, name: str, value: int) -> bool:
    """Whether the name, of a node that is an input without a number, is that of a function."""
    graph = scope.graph
    is_input = graph.operations[value] is INPUT and value not in graph.numbers and graph.labels[value] == name
    return is_input and (name in scope.functions or is_elementary(name))
