"""Formulas drawn in two dimensions, as on paper: fractions with a bar, raised exponents, choices with a brace."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..graph import Graph
from ..latex.printer import has_own_e
from ..notation import CALL, shortest
from ..operations import ABS, ADD, CONSTANT, DIV, EXP, NEG, POW, SQRT, SUB, WHERE
from ..printer import Statement
from ..terminal.printable_text import columns, printable
from ..work_budget import charge
from .differentiate import Derivatives

_QUARTERS = (4, 3, 2, 1)  # of the width, to which sums are limited: the first with which the whole fits is used
_SYMBOLS = {"mul": "·", "le": "≤", "ge": "≥", "ne": "≠", "eq": "=", "sub": "−", "neg": "−", "not": "not "}
_NAMES = {"pi": "π", "inf": "∞"}
_BRACKETS = {"(": ("⎛", "⎜", "⎝"), ")": ("⎞", "⎟", "⎠"), "|": ("│", "│", "│")}
_OPERATION = 1.4e-5  # the work of drawing an operation, in seconds


class DrawnBlock(NamedTuple):
    """Lines of the same width, the index of the base line, and how tightly the block binds."""

    lines: tuple[str, ...]
    base: int = 0
    binding: int = CALL
    rows: tuple["DrawnBlock", ...] = ()
    """the rows of a sum"""
    pieces: tuple[tuple["DrawnBlock", "DrawnBlock"], ...] = ()
    """the values of a choice, each with its condition"""

    @property
    def width(self) -> int:
        """The width in columns."""
        return columns(self.lines[0])


def drawing(derivatives: Derivatives, width: int) -> str:
    """The statements of derivatives as drawings of up to some columns, after the defaults of inputs as text.

    Wide sums continue in further rows; a statement that is still wider is written as text.
    """
    names = {statement.node: statement.name for statement in derivatives.steps}
    statements = *derivatives.steps, *derivatives.results.values()
    drawn = [_statement(derivatives.graph, statement, names, width) for statement in statements]
    tall = any(part.count("\n") > 1 for part in drawn)
    defaults = "".join(f"{printable(str(statement))}\n" for statement in derivatives.defaults)
    parts = [defaults, *drawn] if defaults else drawn
    return ("\n" if tall else "").join(parts)


def _statement(graph: Graph, statement: Statement, names: Mapping[int, str], width: int) -> str:
    name = names.get(statement.node, statement.name)
    start = _word(f"{printable(statement.name)} = " if statement.name else "")
    for quarters in _QUARTERS:
        most = (width - start.width) * quarters // 4
        block = _drawn(graph, statement.node, names, most) if name == statement.name else _word(printable(name))
        block = _beside(start, block)
        if block.width <= width:
            return "".join(f"{line.rstrip()}\n" for line in block.lines)
    return f"{printable(str(statement))}\n"


def _drawn(graph: Graph, node: int, names: Mapping[int, str], most: int) -> DrawnBlock:
    """A node drawn in terms of the nodes that have names, its sums in rows of at most `most` columns."""
    blocks: dict[int, DrawnBlock] = {}
    order = graph.needed_by(node, leaves=names)
    charge(_OPERATION * len(order))
    for part in order:
        arguments = graph.arguments[part]
        blocks |= {named: _word(printable(names[named])) for named in arguments if named in names}
        blocks[part] = _operation(graph, part, [blocks[argument] for argument in arguments], most)
    return blocks[node]


def _operation(graph: Graph, node: int, operands: Sequence[DrawnBlock], most: int) -> DrawnBlock:
    operation = graph.operations[node]
    if not operands:
        label = graph.labels.get(node)
        if label:
            return _word(_NAMES.get(label, printable(label)))
        number = _word(shortest(graph.numbers[node]))
        return _bound(number, NEG.precedence) if number.lines[0].startswith("-") else number
    if operation is DIV:
        return _fraction(*operands)
    if operation is POW:
        return _power(operands[0], _flat(graph, graph.arguments[node][1]) or operands[1])
    if operation is EXP and not has_own_e(graph):
        return _power(_word("e"), operands[0])
    if operation is ABS:
        return _beside(_bracket("|", operands[0]), operands[0], _bracket("|", operands[0]))
    if operation is WHERE:
        return _choice(*operands)
    if operation.symbol and len(operands) == 1:
        inside = _within(operands[0], operation.precedence)
        return _bound(_beside(_word(_SYMBOLS[operation.name]), inside), operation.precedence)
    if operation.symbol:
        left = _within(operands[0], operation.precedence + (operation.precedence == 4))
        right = _within(operands[1], operation.precedence + 1)
        sign = _SYMBOLS.get(operation.name, operation.symbol)
        if operation in (ADD, SUB):
            return _bound(_sum(left, sign, right, most), operation.precedence)
        gap = "" if operation.name == "mul" else " "
        return _bound(_beside(left, _word(f"{gap}{sign}{gap}"), right), operation.precedence)
    inside = operands[0]
    for operand in operands[1:]:
        inside = _beside(inside, _word(", "), operand)
    return _beside(_word("√" if operation is SQRT else operation.called), _enclosed(inside))


def _flat(graph: Graph, node: int) -> DrawnBlock | None:
    """A fraction of two numbers on one line, for exponents."""
    arguments = graph.arguments[node]
    are_numbers = all(graph.operations[a] is CONSTANT and a not in graph.labels for a in arguments)
    if graph.operations[node] is not DIV or not are_numbers:
        return None
    return _word("/".join(shortest(graph.numbers[a]) for a in arguments))


def _word(text: str) -> DrawnBlock:
    return DrawnBlock((text,))


def _bound(block: DrawnBlock, binding: int) -> DrawnBlock:
    return block._replace(binding=binding)


def _within(block: DrawnBlock, binding: int) -> DrawnBlock:
    return block if block.binding >= binding else _enclosed(block)


def _enclosed(block: DrawnBlock) -> DrawnBlock:
    return _beside(_bracket("(", block), block, _bracket(")", block))


def _bracket(bracket: str, block: DrawnBlock) -> DrawnBlock:
    """A bracket as high as a block."""
    height = len(block.lines)
    if height == 1:
        return _word("│" if bracket == "|" else bracket)
    top, middle, bottom = _BRACKETS[bracket]
    return DrawnBlock((top, *[middle] * (height - 2), bottom), block.base)


def _beside(*blocks: DrawnBlock) -> DrawnBlock:
    """Blocks from left to right, on a common base line."""
    above = max(block.base for block in blocks)
    below = max(len(block.lines) - block.base for block in blocks)
    lines = [""] * (above + below)
    for block in blocks:
        empty = " " * block.width
        for i in range(len(lines)):
            line = i - above + block.base
            lines[i] += block.lines[line] if 0 <= line < len(block.lines) else empty
    return DrawnBlock(tuple(lines), above)


def _sum(left: DrawnBlock, sign: str, right: DrawnBlock, most: int) -> DrawnBlock:
    """A sum with one more term, in a row of its own where the last row would be too wide."""
    *rows, last = left.rows or (left,)
    row = _beside(last, _word(f" {sign} "), right)
    rows += [row] if row.width <= most else [last, _beside(_word(f"{sign} "), right)]
    return DrawnBlock(_stacked(rows), rows[0].base, rows=tuple(rows))


def _stacked(rows: Sequence[DrawnBlock]) -> tuple[str, ...]:
    """The lines of blocks below each other."""
    width = max(row.width for row in rows)
    return tuple([line + " " * (width - row.width) for row in rows for line in row.lines])


def _fraction(top: DrawnBlock, bottom: DrawnBlock) -> DrawnBlock:
    width = max(top.width, bottom.width) + 2
    lines = [*_centred(top, width), "─" * width, *_centred(bottom, width)]
    return DrawnBlock(tuple(lines), len(top.lines), DIV.precedence)


def _centred(block: DrawnBlock, width: int) -> list[str]:
    left = (width - block.width) // 2
    return [" " * left + line + " " * (width - block.width - left) for line in block.lines]


def _power(base: DrawnBlock, exponent: DrawnBlock) -> DrawnBlock:
    base = _within(base, POW.precedence + 1)
    height = len(exponent.lines)
    lines = [" " * base.width + line for line in exponent.lines]
    lines += [line + " " * exponent.width for line in base.lines]
    return DrawnBlock(tuple(lines), height + base.base, POW.precedence)


def _choice(condition: DrawnBlock, a: DrawnBlock, b: DrawnBlock) -> DrawnBlock:
    pieces = ((a, _beside(_word("if "), condition)), *(b.pieces or [(b, _word("otherwise"))]))
    widest = max(value.width for value, _ in pieces)
    lines = _stacked([_beside(value, _word(" " * (widest - value.width + 2)), test) for value, test in pieces])
    body = DrawnBlock(lines, (len(lines) - 1) // 2)
    return _beside(_brace(body), body)._replace(binding=0, pieces=pieces)


def _brace(block: DrawnBlock) -> DrawnBlock:
    signs = ["⎪"] * len(block.lines)
    signs[block.base], signs[0], signs[-1] = "⎨", "⎧", "⎩"
    return DrawnBlock(tuple(f"{sign} " for sign in signs), block.base)
