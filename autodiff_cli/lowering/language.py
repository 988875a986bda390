"""What the rest of code generation asks of a target language: how each thing is written, and nothing else.

An operation is written by a `Shape`, by a function of the language, or by a helper function; what the language has in
none of these ways is taken apart by its formula in the table.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import NamedTuple

from ..operations import Operation

ATOM = 100  # binds tighter than every operator: a name, a call, parentheses
LOOSE = 0  # binds looser than every operator

CONDITIONS = frozenset(("lt", "le", "gt", "ge", "eq", "ne", "not", "and", "or"))
"""the operations whose result is true or false in a language that knows the difference to 1 and 0"""
LOGIC = frozenset(("not", "and", "or"))
"""those whose operands are conditions too"""


class Shape(NamedTuple):
    """How an operation is written: a template of its operands, how tightly it binds, and what it needs of them."""

    template: str
    binding: int = ATOM
    operands: tuple[int, ...] = ()
    """how tightly each operand must bind"""

    @property
    def repeated(self) -> tuple[int, ...]:
        """The operands that the template writes more than once, so that they have to be short."""
        return _repeated(self.template, len(self.operands))


@cache
def _repeated(template: str, count: int) -> tuple[int, ...]:
    return tuple(place for place in range(count) if template.count(f"{{{place}}}") > 1)


ARITHMETIC: dict[str, Shape] = {
    "add": Shape("{0} + {1}", 5, (5, 6)),
    "sub": Shape("{0} - {1}", 5, (5, 6)),
    "mul": Shape("{0}*{1}", 6, (6, 7)),
    "div": Shape("{0}/{1}", 6, (6, 7)),
    "neg": Shape("-{0}", 7, (8,)),
}
COMPARISONS: dict[str, Shape] = {
    "lt": Shape("{0} < {1}", 4, (5, 5)),
    "le": Shape("{0} <= {1}", 4, (5, 5)),
    "gt": Shape("{0} > {1}", 4, (5, 5)),
    "ge": Shape("{0} >= {1}", 4, (5, 5)),
    "eq": Shape("{0} == {1}", 4, (5, 5)),
    "ne": Shape("{0} != {1}", 4, (5, 5)),
}
SIGNS: dict[str, Shape] = {
    "not": Shape("!{0}", 7, (8,)),
    "and": Shape("{0} && {1}", 2, (2, 3)),
    "or": Shape("{0} || {1}", 1, (1, 2)),
}
"""logic as C and many others write it"""


class Statement(NamedTuple):
    """A name for what a text computes."""

    name: str
    text: str
    condition: bool
    """is it true or false?"""


@dataclass(frozen=True)
class Language:
    """How a language writes numbers, operations, statements and small functions."""

    shapes: Mapping[str, Shape]
    """operation → how it is written, where that is no plain call"""
    functions: Mapping[str, str]
    """operation → the name of the language's own function for it"""
    number: Callable[[float], str]
    """how a number is written; a negative one binds as `neg` does"""
    as_number: Shape
    """1 or 0 for a condition"""
    as_condition: Shape
    """whether a number is not 0"""
    helper: Callable[[str, Sequence[str], Sequence[Statement], str, str], Iterable[str]]
    """(name, parameters, statements, result, description) → the lines of a small function"""
    written: Mapping[str, str] = field(default_factory=dict)
    """operation → the text of the helper function that `functions` names, written by hand"""
    refined: Callable[[Operation, Sequence[float | None]], Operation] | None = None
    """(operation, its arguments that are numbers) → another operation that the language has for this case"""
    reference: Callable[[str], str] = str
    """how a name is written in an expression"""
    private: str = ""
    """what the names of helper functions begin with"""
    variadic: frozenset[str] = frozenset()
    """the operations whose functions take any number of arguments"""
    reserved: frozenset[str] = frozenset()
    """words that cannot be names"""
    outside: frozenset[str] = frozenset()
    """words that cannot be names of functions"""
    ascii: bool = True
    """are names of ASCII letters alone?"""
    same_case: bool = False
    """do names that differ in upper and lower case alone clash?"""
    splits: bool = False
    """is every formula of the table to be taken apart, for want of functions?"""
    widest: int = 60
    """the length from which an operand has a statement of its own"""

    def knows(self, row: Operation, count: int) -> bool:
        """Does the language itself, or a helper function written by hand, compute the operation?"""
        if row.variadic and count != 2 and row.name not in self.variadic:
            return False
        return row.name in self.shapes or row.name in self.functions or row.name in self.written

    def shape(self, row: Operation, count: int) -> Shape:
        """How an operation that the language knows is written."""
        if row.name in self.shapes:
            return self.shapes[row.name]
        return call(self.functions.get(row.name, row.name), count)

    @cached_property
    def taken(self) -> frozenset[str]:
        """The words that no variable may be called by."""
        import re

        texts = [shape.template for shape in self.shapes.values()] + list(self.functions.values())
        return self.reserved | {word for text in texts for word in re.findall(r"[A-Za-z_]\w*", text)}


def call(name: str, count: int) -> Shape:
    """A call of a function of so many arguments."""
    return Shape(f"{name}({', '.join(f'{{{i}}}' for i in range(count))})", ATOM, (LOOSE,) * count)
