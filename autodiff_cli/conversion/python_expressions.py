"""Expressions of Python as those of the language: numbers, names, operators and constants of modules."""

import ast
import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate

from ..errors import AutodiffError, Source, Span
from ..version import WRITTEN_BY
from ..work_budget import charge
from .branches import Assigned
from .expressions import PART, Expression, Names, ambiguous, atom, call, chained, error, filled, infix, joined, prefix
from .python_imports import Imports
from .python_libraries import ARRAY_ATTRIBUTES, CONSTANTS, FLOOR_DIVISION, STARS, THE_SAME, has_constant

_IN_PARENTHESES = ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda, ast.UnaryOp
"""expressions that need parentheses beside a comparison"""
OPERATORS: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "^", ast.Mod: "%",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.And: "and", ast.Or: "or",
}  # fmt: skip


class ExpressionReader:
    """Reads the expressions of one text, apart from calls."""

    def __init__(self, source: Source, imports: Imports) -> None:
        self.source, self._imports = source, imports
        self._is_exported = WRITTEN_BY in source.text
        """whether this program wrote it: then a function with a name of the table is that of the table"""
        self._is_ascii = source.text.isascii()
        self._lines = line_starts(source.text)
        self._alone: set[str] = set()
        """values that are not only objects with others in them, such as `x` and `m.w` in `x*m.w`"""
        self._functions: dict[str, ast.FunctionDef | ast.Lambda] = {}
        self._assigned: set[str] = set()
        self._conditions: set[str] = set()
        """names of conditions"""
        self._values: set[str] = set()
        """names of values that the text computes"""
        self._known = Assigned(source)
        """those that have one where the text is read"""
        self._names = Names(source)
        self._locals: set[str] = set()
        """names of parameters, values and functions within the function that is read"""
        self._within: set[ast.AST] = set()
        """the nodes of that function"""
        self._parameters: set[str] = set()
        """names of parameters without a value"""
        self._has_called = False
        """whether a function of the text was written out"""
        self._substituted: list[dict[str, Expression]] = [{}]

    def _position(self, line: int, column: int, *, bytes_: bool = True) -> int:
        """The place of a line and a column, which `ast` counts in bytes of UTF-8."""
        start = self._lines[min(line, len(self._lines)) - 1]
        if not bytes_ or self._is_ascii:
            return start + column
        return bisect_left(self._bytes, self._bytes[start] + column)

    @cached_property
    def _bytes(self) -> list[int]:
        """The number of bytes before each character of the text, and at its end."""
        return [*accumulate((len(character.encode()) for character in self.source.text), initial=0)]

    def span(self, node: ast.expr | ast.stmt | ast.arg) -> Span:
        """The place of a part in the source."""
        end = self._position(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return self._position(node.lineno, node.col_offset), end

    def refuse(self, node: ast.expr | ast.stmt | ast.arg, message: str, hint: str = "") -> AutodiffError:
        """The error about a part of the source."""
        return error(self.source, self.span(node), message, hint)

    # ---- Expressions -------------------------------------------------------------------------------------------------

    def expression(self, node: ast.expr) -> Expression:
        """An expression of Python as one of the language."""
        charge(PART)
        read: Callable[..., Expression] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        if read is None:
            hint = "a formula has numbers, names, operators, calls and `a if c else b`"
            raise self.refuse(node, "this is not part of a formula", hint)
        return read(node)

    def _constant(self, node: ast.Constant) -> Expression:
        if isinstance(node.value, bool):
            return atom(str(int(node.value)), self.span(node))
        if not isinstance(node.value, int | float):
            raise self.refuse(node, "this is not a real number")
        start, end = self.span(node)
        text = self.source.text[start:end].replace("_", "")
        return atom(text if text[:2].lower() not in ("0x", "0o", "0b") else str(node.value), (start, end))

    def _name(self, node: ast.Name) -> Expression:
        if node.id in self._substituted[-1]:
            return self._substituted[-1][node.id]
        span = self.span(node)
        if self._imports.is_sympy and node.id == "I" and "I" not in self._assigned:
            raise self.refuse(node, "`I` is the imaginary unit, and formulas are real", "give a value another name")
        module, name = self._module_of(node), self._imports.modules.get(node.id, node.id).rpartition(".")[2]
        if node.id not in self._assigned:
            if has_constant(module, name) or (self._imports.is_sympy and not module and name in ("E", "oo")):
                return self._constant_of(name, span)
            if node.id == "e":
                hint = "write math.e for the number, or give the value another name"
                raise ambiguous(self.source, span, ("2.718…", "a value that is called e"), hint)
        if node.id in self._functions and node.id not in self._assigned:
            raise self.refuse(node, f"`{node.id}` is a function, not a value", "write its arguments after it")
        return self._names.atom(node.id, node.id, span)

    def _constant_of(self, name: str, span: Span) -> Expression:
        """A constant of a module."""
        text = CONSTANTS[name]
        self._names.keep_constants(text, span)
        return filled(text, (), span) if "*" in text else atom(text, span)

    def _attribute(self, node: ast.Attribute) -> Expression:
        """A constant of a module, or a value within an object as one name."""
        if self._is_module(node.value):
            if has_constant(self._module_of(node), node.attr):
                return self._constant_of(node.attr, self.span(node))
            raise self.refuse(node, f"`{node.attr}` is not a number that is known")
        base = self.expression(node.value)
        if (value := ast.unparse(node.value)) in self._alone:
            if node.attr in THE_SAME:
                return base
            if node.attr in ARRAY_ATTRIBUTES:
                what, remedy = ARRAY_ATTRIBUTES[node.attr]
                raise self.refuse(node, f"`{value}.{node.attr}` is {what}", f"write {remedy.format(value)}")
        name = node.attr.lstrip("_") if base.text == "self" else f"{base.text}_{node.attr}"
        if not name.isidentifier():
            raise self.refuse(node, f"`.{node.attr}` of an expression is not a value that is known")
        return self._names.atom(name, f"{self._names.spelling(base.text)}.{node.attr}", self.span(node))

    def _subscript(self, node: ast.Subscript) -> Expression:
        """A value in an array as one name: `w[0]` is w_0."""
        base, index = self.expression(node.value), node.slice
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        if not all(isinstance(part, ast.Constant) and isinstance(part.value, int | str) for part in parts):
            raise self.refuse(node, "this part of an array is not a single value", "write numbers as indices")
        names = [str(part.value) for part in parts if isinstance(part, ast.Constant)]
        name = "_".join([base.text, *names])
        if not name.isidentifier():
            raise self.refuse(node, "this part of an array is not a single value")
        return self._names.atom(name, f"{self._names.spelling(base.text)}[{', '.join(names)}]", self.span(node))

    def _unaryop(self, node: ast.UnaryOp) -> Expression:
        operand = self._truth(node.operand) if isinstance(node.op, ast.Not) else self.expression(node.operand)
        if isinstance(node.op, ast.UAdd):
            return operand
        if isinstance(node.op, ast.Invert) and not self._is_exported:
            raise self.refuse(node, "`~` changes bits", "write `not`, or `-`")
        return prefix("-" if isinstance(node.op, ast.USub) else "not", operand, self.span(node))

    def _binop(self, node: ast.BinOp) -> Expression:
        """Operators from the left: a long sum is not nested."""
        operations = [node]
        while isinstance(first := operations[-1].left, ast.BinOp):
            charge(PART)
            operations.append(first)
        left = self.expression(first)
        for operation in reversed(operations):
            left = self._operation(operation, left)
        return left

    def _operation(self, node: ast.BinOp, left: Expression) -> Expression:
        """An operator between an expression that is read already and its right side."""
        if isinstance(node.op, ast.BitXor):
            readings = "exclusive or, as in Python,", "a power"
            raise ambiguous(self.source, self.span(node), readings, "a power is `**` in Python", "^")
        right, span = self.expression(node.right), self.span(node)
        if isinstance(node.op, ast.BitAnd | ast.BitOr) and (self._is_exported or self._are_conditions((left, right))):
            return infix("and" if isinstance(node.op, ast.BitAnd) else "or", left, right, span)
        if isinstance(node.op, ast.FloorDiv):
            return filled(FLOOR_DIVISION, (left, right), span)
        if type(node.op) not in OPERATORS:
            raise self.refuse(node, "this operator has no meaning for real numbers")
        return infix(OPERATORS[type(node.op)], left, right, span)

    def _boolop(self, node: ast.BoolOp) -> Expression:
        """Conditions with `and` or `or` between them. With numbers the value is one of them in Python."""
        operands = [self.expression(value) for value in node.values]
        symbol, span = OPERATORS[type(node.op)], self.span(node)
        if not self._is_exported and not self._are_conditions(operands):
            raise self._ambiguous_choice(node, symbol)
        return joined(symbol, operands, span)

    def _are_conditions(self, operands: Sequence[Expression]) -> bool:
        return all(one.is_condition or one.text in self._conditions for one in operands)

    def _ambiguous_choice(self, node: ast.BoolOp, symbol: str) -> AutodiffError:
        """The error for numbers with `and` or `or` between them."""
        texts = [self.source.text[slice(*self.span(value))] for value in node.values]
        first, *others = [
            f"({text})" if isinstance(value, _IN_PARENTHESES) else text
            for text, value in zip(texts, node.values, strict=True)
        ]
        rest, truth = f" {symbol} ".join(others), f" {symbol} ".join(f"{one} != 0" for one in (first, *others))
        nonzero, zero = (first, rest) if symbol == "or" else (rest, first)
        readings = "one of the values, as in Python,", "whether they are not 0"
        hint = f"write {nonzero} if {first} != 0 else {zero} for the value, or {truth}"
        return ambiguous(self.source, self.span(node), readings, hint)

    def _truth(self, node: ast.expr) -> Expression:
        """An expression of which it only matters whether it is 0."""
        if not isinstance(node, ast.BoolOp):
            return self.expression(node)
        return joined(OPERATORS[type(node.op)], [self._truth(value) for value in node.values], self.span(node))

    def _compare(self, node: ast.Compare) -> Expression:
        operands = [self.expression(operand) for operand in (node.left, *node.comparators)]
        for operator in node.ops:
            if type(operator) not in OPERATORS:
                raise self.refuse(node, "this comparison has no meaning for real numbers")
        return chained([OPERATORS[type(operator)] for operator in node.ops], operands, self.span(node))

    def _ifexp(self, node: ast.IfExp) -> Expression:
        parts = self._truth(node.test), self.expression(node.body), self.expression(node.orelse)
        return call("where", parts, self.span(node))

    # ---- Modules -----------------------------------------------------------------------------------------------------

    def _is_module(self, node: ast.expr) -> bool:
        """Whether an expression is a module, such as `np` or `scipy.special`."""
        if isinstance(node, ast.Attribute):
            return self._is_module(node.value)
        return isinstance(node, ast.Name) and node.id in self._imports.modules and node.id not in self._assigned

    def _module_of(self, function: ast.expr) -> str:
        """The module of a function, such as `scipy.special`; "" for one of the text or not known, and for a method."""
        if isinstance(function, ast.Attribute):
            if not self._is_module(function.value):
                return ""
            first, dot, rest = ast.unparse(function.value).partition(".")
            return f"{self._imports.modules[first]}{dot}{rest}"
        name = function.id if isinstance(function, ast.Name) else ""
        if name in self._functions:
            return ""
        if name in self._imports.modules:
            return self._imports.modules[name].rpartition(".")[0]
        return next((star for star in reversed(self._imports.stars) if name in STARS.get(star, ())), "")


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """The parameters of a function, keyword-only ones last."""
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def names_in(node: ast.AST) -> set[str]:
    """The names in a part of the source."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def values_in(tree: ast.AST) -> set[str]:
    """The names, and those within objects, that stand alone or have methods: `x` and `m.w` in `x.exp()*m.w`."""
    parts = ((part, child) for part in ast.walk(tree) for child in ast.iter_child_nodes(part))
    values = [child for part, child in parts if not isinstance(part, ast.Attribute)]
    functions = [value.func for value in values if isinstance(value, ast.Call)]
    values += [function.value for function in functions if isinstance(function, ast.Attribute)]
    return {ast.unparse(value) for value in values if isinstance(value, ast.Name | ast.Attribute | ast.Subscript)}


def last_name(node: ast.expr) -> str | None:
    """The last word of `np.linalg.norm`; None for what is not a name."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None


def line_starts(text: str) -> list[int]:
    """The places where Python's lines begin; `str.splitlines` ends lines at more characters."""
    return [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]
