"""Calls of SymPy whose arguments are not values: pieces with conditions, derivatives, and sums over an index."""

import ast
from collections.abc import Callable, Mapping, Sequence

from .expressions import Expression, atom, call, chosen
from .python_expressions import ExpressionReader

_PAIR = "this is not a pair of an expression and a condition"
_BOUNDS = "this is not an index with its bounds, such as (i, 1, 3)"
_NAME = "a derivative is with respect to a name"


def _pieces(reader: ExpressionReader, node: ast.Call, arguments: Sequence[ast.expr]) -> Expression:
    """`Piecewise`: pairs of an expression and a condition."""
    pairs: list[tuple[Expression, Expression]] = []
    otherwise = atom("nan", reader.span(node))
    for pair in arguments:
        value, condition = _elements(reader, pair, 2, _PAIR)
        if isinstance(condition, ast.Constant) and condition.value is True:
            otherwise = reader.expression(value)
            break
        pairs.append((reader.expression(condition), reader.expression(value)))
    return chosen(pairs, otherwise, reader.span(node))


def _derivative(reader: ExpressionReader, node: ast.Call, arguments: Sequence[ast.expr]) -> Expression:
    """`Derivative` and `diff`: names, each perhaps with an order after it or in a pair with one."""
    if len(arguments) < 2:
        raise reader.refuse(node, _NAME, "write it after the expression")
    names: list[list[Expression]] = []
    for argument in arguments[1:]:
        if isinstance(argument, ast.Tuple):
            name, order = _elements(reader, argument, 2, "this is not a pair of a name and an order")
            names.append([_name(reader, name, _NAME), reader.expression(order)])
        elif isinstance(argument, ast.Constant) and names and len(names[-1]) == 1:
            names[-1].append(reader.expression(argument))
        else:
            names.append([_name(reader, argument, _NAME)])
    result = reader.expression(arguments[0])
    for with_order in names:
        result = call("D", (result, *with_order), reader.span(node))
    return result


def _over_index(function: str) -> Callable[[ExpressionReader, ast.Call, Sequence[ast.expr]], Expression]:
    def read(reader: ExpressionReader, node: ast.Call, arguments: Sequence[ast.expr]) -> Expression:
        """`Sum` and `Product`: an expression, and indices with their bounds, the innermost first."""
        if len(arguments) < 2:
            raise reader.refuse(node, "the index and its bounds are missing", "write them after it, such as (i, 1, 3)")
        result = reader.expression(arguments[0])
        for limits in arguments[1:]:
            index, *bounds = _elements(reader, limits, 3, _BOUNDS)
            parts = [_name(reader, index, _BOUNDS), *map(reader.expression, bounds), result]
            result = call(function, parts, reader.span(node))
        return result

    return read


def _elements(reader: ExpressionReader, node: ast.expr, count: int, message: str) -> list[ast.expr]:
    if not isinstance(node, ast.Tuple) or len(node.elts) != count:
        raise reader.refuse(node, message)
    return node.elts


def _name(reader: ExpressionReader, node: ast.expr, message: str) -> Expression:
    if not isinstance(node, ast.Name):
        raise reader.refuse(node, message)
    return reader.expression(node)


SYMPY_CALLS: Mapping[str, Callable[[ExpressionReader, ast.Call, Sequence[ast.expr]], Expression]] = {
    "Piecewise": _pieces,
    "Derivative": _derivative,
    "diff": _derivative,
    "Sum": _over_index("sum"),
    "Product": _over_index("prod"),
}
