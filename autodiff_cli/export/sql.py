"""SQL: a SELECT with common table expressions, a column for each partial derivative, in the dialect of DuckDB.

A level of the expressions computes what needs no other column of its own level. DuckDB orders nan above all numbers and
finds it equal to itself, and in older versions raises an error outside the domain of a function: the conditions that
keep to IEEE arithmetic are in the text.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from ..errors import AutodiffError, quoted_names
from ..file_extensions import extension_of
from ..lowering.function_request import FunctionRequest
from ..lowering.identifiers import Identifiers
from ..lowering.target_language import ARITHMETIC, ATOM, LOOSE, Assignment, Shape, TargetLanguage, numerals
from ..operations import OPERATIONS, Operation
from .function_code import FunctionCode, function_code

_NATIVE = """
abs exp cbrt atan atan2 sinh cosh tanh asinh floor ceil trunc
"""
_MOST_NAMED = 8  # columns that the comment names
_FILES = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet")  # that DuckDB reads by their names
_NAN, _INFINITY = "CAST('NaN' AS DOUBLE)", "CAST('Infinity' AS DOUBLE)"


def _within(condition: str, function: str, otherwise: str = _NAN) -> Shape:
    return Shape(f"CASE WHEN {condition} THEN {function} ELSE {otherwise} END", ATOM, (ATOM,))


_LOGARITHM = "CASE WHEN {{0}} > 0 THEN {name}({{0}}) WHEN {{0}} = 0 THEN -{infinity} ELSE {nan} END"
_ATANH = f"CASE WHEN abs({{0}}) < 1 THEN atanh({{0}}) WHEN abs({{0}}) = 1 THEN {{0}}*{_INFINITY} ELSE {_NAN} END"
_COMPARISONS = {
    "lt": ("{0} < {1}", "{0} < {1} AND NOT isnan({1})", 1),
    "le": ("{0} <= {1}", "{0} <= {1} AND NOT isnan({1})", 1),
    "gt": ("{0} > {1}", "{0} > {1} AND NOT isnan({0})", 0),
    "ge": ("{0} >= {1}", "{0} >= {1} AND NOT isnan({0})", 0),
    "eq": ("{0} = {1}", "{0} = {1} AND NOT isnan({0})", 0),
    "ne": ("{0} <> {1}", "{0} <> {1} OR isnan({0})", 0),
}
"""comparison → its text where nan can do no harm, its text otherwise, and the operand that must not be nan"""
_PLAIN = {name: Operation(f"plain_{name}", "a, b", (), OPERATIONS[name].doc) for name in _COMPARISONS}


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _finite(number: float) -> str:
    text = repr(number)
    return text if "e" in text else f"{text.removesuffix('.0')}e0"


def _specialized(operation: Operation, numbers: Sequence[float | None]) -> Operation:
    """A comparison with a number that nan cannot upset."""
    if operation.name not in _COMPARISONS:
        return operation
    either = operation.name in ("eq", "ne") and numbers != [None, None]
    number = numbers[_COMPARISONS[operation.name][2]]
    return _PLAIN[operation.name] if either or (number is not None and number == number) else operation


LANGUAGE = TargetLanguage(
    shapes={
        **ARITHMETIC,
        "mul": Shape("{0}*{1}", 6, (6, 8)),
        "div": Shape("{0}/{1}", 6, (6, 8)),
        **{name: Shape(guarded, 1, (5, 5)) for name, (_, guarded, _) in _COMPARISONS.items()},
        **{f"plain_{name}": Shape(plain, 4, (5, 5)) for name, (plain, _, _) in _COMPARISONS.items()},
        "not": Shape("NOT {0}", 3, (4,)),
        "and": Shape("{0} AND {1}", 2, (2, 3)),
        "or": Shape("{0} OR {1}", 1, (1, 2)),
        "where": Shape("CASE WHEN {0} THEN {1} ELSE {2} END", ATOM, (LOOSE, LOOSE, LOOSE)),
        "pow": Shape("pow({0}, {1})", ATOM, (LOOSE, LOOSE)),
        "round": Shape("round_even({0}, 0)", ATOM, (LOOSE,)),
        "copysign": Shape("CASE WHEN signbit({1}) THEN -abs({0}) ELSE abs({0}) END", ATOM, (LOOSE, LOOSE)),
        "mod": Shape(
            "CASE WHEN {0} % {1} = 0 THEN CASE WHEN {1} < 0 THEN -0e0 ELSE 0e0 END"
            " WHEN ({0} % {1} < 0) <> ({1} < 0) THEN {0} % {1} + {1} ELSE {0} % {1} END",
            ATOM,
            (ATOM, ATOM),
        ),
        "max": Shape("greatest({0}, {1})", ATOM, (LOOSE, LOOSE)),
        "min": Shape(
            f"CASE WHEN isnan({{0}}) OR isnan({{1}}) THEN {_NAN} ELSE least({{0}}, {{1}}) END", ATOM, (LOOSE, LOOSE)
        ),
        **{
            name: Shape(_LOGARITHM.format(name=function, infinity=_INFINITY, nan=_NAN), ATOM, (ATOM,))
            for name, function in (("log", "ln"), ("log2", "log2"), ("log10", "log10"))
        },
        **{name: _within("isfinite({0})", f"{name}({{0}})") for name in ("sin", "cos", "tan")},
        **{name: _within("abs({0}) <= 1", f"{name}({{0}})") for name in ("asin", "acos")},
        "atanh": Shape(_ATANH, ATOM, (ATOM,)),
        "sqrt": _within("{0} >= 0", "sqrt({0})"),
        "acosh": _within("{0} >= 1", "acosh({0})"),
        "gamma": _within("{0} <> 0", "gamma({0})", f"CASE WHEN signbit({{0}}) THEN -{_INFINITY} ELSE {_INFINITY} END"),
        "lgamma": _within("{0} <> 0", "lgamma({0})", _INFINITY),
    },
    functions={name: name for name in _NATIVE.split()},
    number=numerals(_NAN, _INFINITY, _finite),
    as_number=Shape("CASE WHEN {0} THEN 1e0 ELSE 0e0 END", ATOM, (LOOSE,)),
    as_condition=Shape("{0} <> 0", 4, (5,)),
    specialized=_specialized,
    reference=_quoted,
    only_ascii=False,
    ignores_case=True,
    expands_all=True,
)


def function(request: FunctionRequest, name: str, table: str = "points", keep: Sequence[str] = ()) -> str:
    """A SELECT of the inputs, the value and a column for each derivative, from a table with a column for each input.

    `keep` names other columns of the table to include in the result.
    """
    keep = [column for column in dict.fromkeys(keep) if column not in request.inputs]
    seen = dict[str, str]()
    for column in (*request.inputs, *keep):
        if (other := seen.setdefault(column.lower(), column)) != column:
            message = f"`{other}` and `{column}` are one column for SQL, which does not tell capitals apart"
            raise AutodiffError(message, hint="give one of them another name")
    code = function_code(request, LANGUAGE, name, keep=keep)
    step = "level" if re.fullmatch(r"step\d+", table, re.IGNORECASE) else "step"
    kept = [_quoted(column) for column in keep]
    inputs = [f"CAST({_quoted(each.name)} AS DOUBLE) AS {_quoted(column)}" for column, each in code.parameters]
    place = f"{step}0"
    parts = [_level(place, [*kept, *inputs] or ['1 AS "one"'], _table(table))]
    code = _null_for_null(code, keep)
    for depth, statements in enumerate(_levels(code.statements), 1):
        columns = [f"{each.text} AS {_quoted(each.name)}" for each in statements]
        parts.append(_level(f"{step}{depth}", ["*", *columns], place))
        place = f"{step}{depth}"
    computed = _results(code, keep)
    final = [*kept, *(_quoted(column) for column, _ in code.parameters)]
    final += [f"{text} AS {_quoted(column)}" for column, text in computed.items()]
    results = quoted_names(computed, _MOST_NAMED)
    lines = code.documentation(
        "-- ", f"Reads {_table(table)}. The value and its derivatives are the columns {results}."
    )
    return "\n".join([*lines, f"WITH {', '.join(parts)}", f"{_select(final, place, '')};", ""])


def _null_for_null(code: FunctionCode, keep: Sequence[str]) -> FunctionCode:
    """The code with a value that is NULL where an input is, since CASE and the like have a number there."""
    if not code.parameters:
        return code
    statements = {each.name: each for each in code.statements}
    name = next((name for name in statements if _quoted(name) == code.value), "")
    name = name or Identifiers(LANGUAGE, (*keep, *code.names, *statements)).new("value")
    text = statements[name].text if name in statements else code.value
    missing = " OR ".join(f"{_quoted(column)} IS NULL" for column in code.names)
    statements[name] = Assignment(name, f"CASE WHEN {missing} THEN NULL ELSE {text} END", False)
    return replace(code, statements=list(statements.values()), value=_quoted(name))


def _results(code: FunctionCode, keep: Sequence[str]) -> dict[str, str]:
    free = Identifiers(LANGUAGE, (*keep, *(column for column, _ in code.parameters)))
    names = code.function.wrt
    columns = {free.new(code.name): code.value}
    for name, text in zip(names, code.gradient, strict=True):
        columns[free.new(f"d_{name}")] = _unless_nan(code.value, text)
    for (i, j), text in code.hessian.items():
        columns[free.new(f"d_{names[i]}_d_{names[j]}")] = _unless_nan(code.value, text)
    return columns


def _unless_nan(value: str, text: str) -> str:
    return f"CASE WHEN NOT isnan({value}) THEN {text} ELSE {value} END"


def _levels(statements: Sequence[Assignment]) -> list[list[Assignment]]:
    """The statements, each as early as what it is computed from allows."""
    depths: dict[str, int] = {}
    levels = defaultdict[int, list[Assignment]](list)
    for each in statements:
        quoted = re.findall(r'"(?:[^"]|"")*"', each.text)
        depth = max((depths.get(word, 0) for word in quoted), default=0) + 1
        depths[_quoted(each.name)] = depth
        levels[depth].append(each)
    return list(levels.values())


def _level(name: str, columns: Sequence[str], source: str) -> str:
    return f"{name} AS (\n{_select(columns, source, '    ')}\n)"


def _select(columns: Sequence[str], source: str, margin: str) -> str:
    listed = ",\n".join(f"{margin}    {column}" for column in columns)
    return f"{margin}SELECT\n{listed}\n{margin}FROM {source}"


def _table(name: str) -> str:
    """A table's name, perhaps with its schema before it, or a file that DuckDB reads."""
    parts = name.split(".")
    qualified = all(part.isidentifier() for part in parts) and extension_of(name) not in _FILES
    return ".".join(map(_quoted, parts)) if qualified else _quoted(name)
