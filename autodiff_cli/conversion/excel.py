"""Excel and other spreadsheets: a formula whose cells are names, with Excel's operators and functions.

A minus binds tighter than a power there, and powers are left-associative: `=-2^2` is 4.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from ..errors import AutodiffError, Source, Span, did_you_mean
from ..notation import CALL
from ..parser.tokens import Token
from .expressions import (
    Expression,
    NamedExpression,
    Names,
    ambiguous,
    applied,
    atom,
    call,
    chosen,
    error,
    filled,
    infix,
    joined,
    prefix,
    wrong_count,
)
from .tokens import TokenReader

_PATTERN = re.compile(
    r"(?P<blank>\s+)"
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<range>(?:(?:'[^']*'|\w+)!)?\$?[A-Za-z]{1,3}\$?\d{1,7}\s*:\s*\$?[A-Za-z]{1,3}\$?\d{1,7})"
    r"|(?P<cell>(?:(?:'[^']*'|\w+)!)?\$?[A-Za-z]{1,3}\$?\d{1,7}(?![\w.(]))"
    r"|(?P<name>[^\W\d][\w.]*)"
    r"|(?P<sign><=|>=|<>|[-+*/^%<>=(),;:&])"
)
_CELL = re.compile(r"(?:(?P<sheet>'[^']*'|\w+)!)?\$?(?P<column>[A-Za-z]{1,3})\$?(?P<row>\d+)")
_MOST_CELLS = 10_000  # of a range
_SAME = """
ABS ACOS ACOSH ASIN ASINH ATAN ATANH COS COSH COT COTH CSC CSCH DEGREES ERF ERFC EXP LN LOG10 MAX MIN RADIANS SEC SECH
SIGN SIN SINH SQRT TAN TANH TRUNC GAMMA
"""
_FUNCTIONS = {name: name.lower() for name in _SAME.split()} | {"LOG": "log10"}


def _rounded(rounded: str) -> str:
    """A formula for rounding to digits, by one that rounds whole numbers; numbers without more digits stay."""
    scaled = "abs({0})*10^trunc({1})"
    return (
        f"where(abs({{0}}) < 10^(15 - trunc({{1}})), copysign({rounded.format(scaled)}/10^trunc({{1}}), {{0}}), {{0}})"
    )


_FORMULAS = {
    "POWER": "{0}^{1}", "MOD": "{0} % {1}", "ATAN2": "atan2({1}, {0})", "ACOT": "pi/2 - atan({0})", "INT": "floor({0})",
    "GAMMALN": "lgamma({0})", "GAMMALN.PRECISE": "lgamma({0})", "SQRTPI": "sqrt({0}*pi)", "NORMSDIST": "normcdf({0})",
    "PHI": "normpdf({0})", "FACT": "factorial(trunc({0}))",
    "ERF": "erf({1}) - erf({0})", "LOG": "log({0}, {1})", "PI": "pi",
    "ERF.PRECISE": "erf({0})", "ERFC.PRECISE": "erfc({0})", "QUOTIENT": "trunc({0}/{1})", "ACOTH": "acoth({0})",
    "STANDARDIZE": "({0} - {1})/{2}",
    "ROUND": _rounded("floor({}*(1 + 4e-16) + 0.5)"), "ROUNDUP": _rounded("ceil({}*(1 - 4e-16))"),
    **dict.fromkeys(("ROUNDDOWN", "TRUNC"), _rounded("floor({}*(1 + 4e-16))")),
}  # fmt: skip
"""functions as formulas; a number is rounded as its first 15 digits are, since 1.005 is below that in binary"""
_DISTRIBUTIONS = {
    "NORM.S.DIST": ("normcdf({0})", "normpdf({0})"),
    **dict.fromkeys(("NORM.DIST", "NORMDIST"), ("normcdf(({0} - {1})/{2})", "normpdf(({0} - {1})/{2})/{2}")),
}
"""distribution functions and densities; the last argument determines which"""
_SEPARATORS = "arguments are separated by commas, and numbers have a decimal point"
_RANGES = "in arithmetic write its cells one by one; SUM(…) and SUMPRODUCT(…) take ranges that stand alone"
_COMPARISONS = ("=", "<>", "<", ">", "<=", ">=")
_LEVELS = (("+", "-"), ("*", "/"), ("^",))
"""operators between numbers, loosest first"""
_TRUTHS = {"TRUE": "1", "FALSE": "0"}
_SYMBOLS = {"=": "==", "<>": "!="}


def statements(source: Source) -> list[NamedExpression]:
    """The formula of a cell; several lines such as `B1 = A1*2` are statements, unless a parenthesis is open."""
    read: list[NamedExpression] = []
    names = _CellNames(source)
    start = end = depth = 0
    for line in source.text.splitlines(keepends=True):
        end += len(line)
        signs = [match["sign"] for match in _PATTERN.finditer(line)]
        depth += signs.count("(") - signs.count(")")
        if depth > 0 and end < len(source.text):
            continue
        if statement := source.text[start:end].rstrip():
            read.append(_CellReader(source, names, start, start + len(statement)).statement())
        start, depth = end, 0
    return read


class _CellNames(Names):
    """The names of cells and ranges, whose case does not matter."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._cased: dict[str, str] = {}
        self.numbers: set[str] = set()
        """names that the text gives a value: they are no ranges"""

    def atom(self, name: str, spelling: str, span: Span) -> Expression:
        """A name of the program, spelled as at its first occurrence."""
        return super().atom(self._cased.setdefault(name.casefold(), name), spelling.casefold(), span)


class _CellReader(TokenReader):
    def __init__(self, source: Source, names: _CellNames, start: int, end: int) -> None:
        super().__init__(source, _PATTERN, start, end)
        self._names = names
        self._separator = ""
        """the separator of arguments, once there is one"""

    def statement(self) -> NamedExpression:
        """One line: `=formula`, a formula, or `name = formula`."""
        name = ""
        if not self.accept("=") and self.token.kind in ("cell", "name") and self.ahead().text == "=":
            name = (self._cell(self.take()) if self.token.kind == "cell" else self._named(self.take())).text
            self.take()
        expression = self._expression()
        self._names.numbers.add(name)
        if self.token.kind != "end":
            hint = _SEPARATORS if self.token.text in ",;" else ""
            raise error(self.source, self.token.span, f"`{self.token.text}` does not fit here", hint)
        return NamedExpression(name, expression)

    def _expression(self) -> Expression:
        """A sum, or two that are compared."""
        first = self._next
        left = self._level(0)
        sign = self.accept(*_COMPARISONS)
        if sign is None:
            return left
        right = self._level(0)
        if self.token.text in _COMPARISONS:
            raise self._chained(first, sign)
        if (self._is_truth(left) and self._is_number(right)) or (self._is_number(left) and self._is_truth(right)):
            hint = "in Excel these are above every number: write IF(…,1,0) for the number 1 or 0"
            raise error(self.source, self._since(first), "TRUE or FALSE is compared with a number", hint)
        return infix(_SYMBOLS.get(sign.text, sign.text), left, right)

    def _since(self, first: int) -> Span:
        """The place of all that was read from a token on."""
        return self._tokens[first].start, self._tokens[self._next - 1].end

    def _chained(self, first: int, sign: Token) -> AutodiffError:
        """The error for two comparisons in a row, of which the first begins at a token and has a sign."""
        before = self._since(first)
        second = self.take()
        self._level(0)
        span = self._since(first)
        compared, last = (self.source.text[slice(*part)] for part in (before, (second.start, span[1])))
        both = f"AND({compared}{self._separator or ','}{self.source.text[sign.end : before[1]].strip()}{last})"
        readings = f"({compared}){last}, as in Excel,", both
        return ambiguous(self.source, span, readings, f"write {both} for both comparisons")

    def _is_truth(self, value: Expression) -> bool:
        """Whether a value is TRUE or FALSE for certain."""
        return value.is_condition or self.source.text[slice(*value.span)].upper() in _TRUTHS

    def _is_number(self, value: Expression) -> bool:
        """Whether a value is a number for certain, which a cell, a name and a call are not."""
        is_literal = self.source.text[value.span[0]] in ".0123456789"
        return not value.is_condition and (value.binding < CALL or is_literal)

    def _level(self, level: int) -> Expression:
        if level == len(_LEVELS):
            return self._signed()
        left = self._level(level + 1)
        while token := self.accept(*_LEVELS[level]):
            left = infix(token.text, left, self._level(level + 1))
        return left

    def _signed(self) -> Expression:
        sign = self.accept("-", "+")
        if sign is None:
            return self._percent()
        operand = self._signed()
        return operand if sign.text == "+" else prefix("-", operand, (sign.start, operand.span[1]))

    def _percent(self) -> Expression:
        value = self._value()
        while token := self.accept("%"):
            value = infix("/", value, atom("100", token.span), (value.span[0], token.end))
        return value

    def _value(self) -> Expression:
        token = self.take()
        if token.kind == "number":
            return atom(token.text, token.span)
        if token.kind == "cell":
            return self._cell(token)
        if token.text == "(":
            inner = self._expression()
            self.expect(")")
            return inner
        if token.kind == "range":
            raise error(self.source, token.span, "a range is not a number", _RANGES)
        if token.kind == "name" and self.token.text == "(":
            return self._call(token)
        if token.kind == "name":
            return self._named(token)
        raise self.unexpected(token)

    def _named(self, token: Token) -> Expression:
        """The name of a range or of a value, or TRUE or FALSE."""
        if token.text.upper() in _TRUTHS:
            return atom(_TRUTHS[token.text.upper()], token.span)
        if not token.text.isidentifier():
            hint = "give it a name without dots"
            raise error(self.source, token.span, f"`{token.text}` cannot be the name of a value", hint)
        return self._names.atom(token.text, token.text, token.span)

    def _cell(self, token: Token) -> Expression:
        match = _CELL.fullmatch(token.text)
        assert match is not None
        return self._at(match, match["column"], int(match["row"]), token.span)

    def _at(self, match: re.Match[str], column: str, row: int, span: Span) -> Expression:
        """The cell in a column and a row, on the sheet of a match."""
        sheet, cell = (match["sheet"] or "").strip("'"), f"{column.upper()}{row}"
        if not sheet:
            return self._names.atom(cell, cell, span)
        word = re.sub(r"^(?=\d)|\W", "_", sheet)  # no name begins with a digit
        return self._names.atom(f"{word}_{cell}", f"{sheet}!{cell}", span)

    def _cells(self, token: Token) -> list[Expression]:
        """The cells of a range, row by row."""
        first, _, last = token.text.partition(":")
        begin, end = _CELL.fullmatch(first.rstrip()), _CELL.fullmatch(last.lstrip())
        assert begin is not None and end is not None
        columns = sorted((_number(begin["column"]), _number(end["column"])))
        rows = sorted((int(begin["row"]), int(end["row"])))
        if (columns[1] - columns[0] + 1) * (rows[1] - rows[0] + 1) > _MOST_CELLS:
            raise error(self.source, token.span, f"the range has more than {_MOST_CELLS:,} cells")
        return [
            self._at(begin, _letters(column), row, token.span)
            for row in range(rows[0], rows[1] + 1)
            for column in range(columns[0], columns[1] + 1)
        ]

    def _call(self, token: Token) -> Expression:
        groups: list[_Group] = []
        self.expect("(")
        while not self.accept(")"):
            groups.append(self._group())
            if self.token.text != ")":
                self._separate()
        span = token.start, self._tokens[self._next - 1].end
        return self._applied(token, groups, span)

    def _group(self) -> "_Group":
        """An argument of a function."""
        if self.token.kind == "range":
            return _Group(self._cells(self.take()))
        is_name = self.token.kind == "name" and self.ahead().text in (",", ";", ")")
        value = self._expression()
        return _Group([value], is_name and value.text.isidentifier() and value.text not in self._names.numbers)

    def _separate(self) -> None:
        """Take what separates arguments: a comma or a semicolon, the same in the whole formula."""
        separator = self.accept(",", ";")
        if separator is None:
            raise self.unexpected()
        self._separator = self._separator or separator.text
        if separator.text != self._separator:
            message = "`,` and `;` cannot both separate arguments"
            raise error(self.source, separator.span, message, _SEPARATORS)

    def _sum_of_products(self, groups: Sequence["_Group"], span: Span) -> Expression:
        """The sum of the products of cells at the same place in each range, or of ranges with names."""
        if any(group.is_named for group in groups):
            if not all(group.is_named for group in groups):
                message = "a range with a name and cells are not multiplied"
                raise error(self.source, span, message, "write all ranges with their cells, or all with names")
            factors = [group.values[0] for group in groups]
            return call("dot", factors, span) if len(factors) == 2 else call("sum", [joined("*", factors, span)], span)
        if len({len(group.values) for group in groups}) > 1:
            raise error(self.source, span, "these ranges have different numbers of cells")
        rows = zip(*(group.values for group in groups), strict=True)
        return joined("+", [joined("*", cells, span) for cells in rows], span)

    def _applied(self, token: Token, groups: Sequence["_Group"], span: Span) -> Expression:
        name, values = token.text.upper().removeprefix("_XLFN."), [value for group in groups for value in group.values]
        if name in _AGGREGATES and values:
            return _AGGREGATES[name](groups, span)
        if name == "SUMPRODUCT" and values:
            return self._sum_of_products(groups, span)
        if len(values) == len(groups):
            if name == "IF" and len(values) in (2, 3):
                return chosen([(values[0], values[1])], values[2] if len(values) == 3 else atom("0", span), span)
            if name == "IFS" and values and len(values) % 2 == 0:
                return chosen(list(zip(values[::2], values[1::2], strict=True)), atom("nan", span), span)
            if name in _DISTRIBUTIONS and values:
                *numbers, is_cumulative = values
                cumulative, density = (applied("", formula, numbers, span) for formula in _DISTRIBUTIONS[name])
                if cumulative and density:
                    return chosen([(is_cumulative, cumulative)], density, span)
            if name == "NOT" and len(values) == 1:
                return prefix("not", values[0], span)
        formula = _FORMULAS.get(name) if len(values) == len(groups) else None
        function = _FUNCTIONS.get(name, "")
        if (expression := applied(function, formula, values, span)) is not None:
            return expression
        if name in _KNOWN:
            raise wrong_count(self.source, span, token.text, len(values))
        like = [word for word in _KNOWN if "DIST" not in word]  # another distribution is not a slip
        raise error(self.source, token.span, f"unknown function `{token.text}`", did_you_mean(name, like))


class _Group(NamedTuple):
    """An argument of a function: the cells of a range, or one expression, which may be the name of a range."""

    values: list[Expression]
    is_named: bool = False


def _total(symbol: str, of_cell: str, of_range: str, groups: Sequence[_Group], span: Span) -> Expression:
    """All cells joined by an operator; formulas say what there is for each, and for a range with a name."""
    terms = [
        value if formula == "{0}" else filled(formula, [value], span)
        for values, is_named in groups
        for formula in [of_range if is_named else of_cell]
        for value in values
    ]
    return joined(symbol, terms, span)


def _count(groups: Sequence[_Group], span: Span) -> Expression:
    """The number of cells."""
    cells = sum(len(values) for values, is_named in groups if not is_named)
    lengths = [call("len", values, span) for values, is_named in groups if is_named]
    return joined("+", [*lengths, *([atom(str(cells), span)] if cells else [])], span)


def _mean(groups: Sequence[_Group], span: Span) -> Expression:
    """The mean of all cells."""
    if len(groups) == 1 and groups[0].is_named:
        return call("mean", groups[0].values, span)
    return infix("/", _AGGREGATES["SUM"](groups, span), _count(groups, span), span)


_AGGREGATES: dict[str, Callable[[Sequence[_Group], Span], Expression]] = {
    "SUM": partial(_total, "+", "{0}", "sum({0})"),
    "PRODUCT": partial(_total, "*", "{0}", "prod({0})"),
    "AND": partial(_total, "and", "{0}", "{0}"),
    "OR": partial(_total, "or", "{0}", "{0}"),
    "AVERAGE": _mean,
    "SUMSQ": partial(_total, "+", "{0}^2", "sum({0}^2)"),
    "COUNT": _count,
}
"""functions of any number of cells"""
_KNOWN = (*_FUNCTIONS, *_FORMULAS, *_AGGREGATES, *_DISTRIBUTIONS, "SUMPRODUCT", "IF", "IFS", "NOT")


def _number(column: str) -> int:
    number = 0
    for letter in column.upper():
        number = 26 * number + ord(letter) - 64
    return number


def _letters(number: int) -> str:
    letters = ""
    while number:
        number, letter = divmod(number - 1, 26)
        letters = chr(65 + letter) + letters
    return letters
