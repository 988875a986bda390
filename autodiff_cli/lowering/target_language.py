"""The description of a target language, from which code is generated.

An operation is written by a `Shape`, as a function of the language, or as a helper function that is written by hand.
Any other operation is replaced by its formula in the table.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from ..operations import Operation

ATOM = 100  # binds tighter than every operator: a name, a call, parentheses
LOOSE = 0  # binds looser than every operator


@dataclass(frozen=True)
class Shape:
    """The text of an operation: a template of its operands, and its precedence."""

    template: str
    binding: int = ATOM
    operands: tuple[int, ...] = ()
    """the precedence that each operand needs"""

    @cached_property
    def repeated(self) -> tuple[int, ...]:
        """The operands that the template writes more than once, so that they have to be short."""
        return tuple(place for place in range(len(self.operands)) if self.template.count(f"{{{place}}}") > 1)


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


class Assignment(NamedTuple):
    """A variable and the expression that it is assigned."""

    name: str
    text: str
    condition: bool
    """whether it is true or false, and no number"""


@dataclass(frozen=True)
class TargetLanguage:
    """A target language: the text of its numbers, operations, statements and small functions."""

    shapes: Mapping[str, Shape]
    """operation → how it is written, where that is not a plain call"""
    functions: Mapping[str, str]
    """operation → the name of the language's own function for it"""
    number: Callable[[float], str]
    """the text of a number; a negative one binds as `neg` does"""
    as_number: Shape
    """1 or 0 for a condition"""
    as_condition: Shape
    """the condition that a number is not 0"""
    assignment: str = ""
    """the template of an assignment, of `name`, `text` and `type`"""
    types: tuple[str, str] = ("", "")
    """the types of a variable that is a number, and of one that is a condition"""
    parameter: str = "{}"
    """the template of a parameter of a helper function"""
    helper: str = ""
    """the template of a helper function, of `name`, `parameters`, `body`, `result` and `doc`, or `sentence`"""
    handwritten: Mapping[str, str] = field(default_factory=dict)
    """operation → the text of the helper function that `functions` names, written by hand"""
    specialized: Callable[[Operation, Sequence[float | None]], Operation] | None = None
    """(operation, the numbers among its arguments) → the operation that does in this case, and is simpler to write"""
    reference: Callable[[str], str] = str
    """returns the text of a name in an expression"""
    helper_prefix: str = ""
    """the beginning of the names of helper functions"""
    variadic: frozenset[str] = frozenset()
    """the operations whose functions take any number of arguments"""
    reserved: frozenset[str] = frozenset()
    """words that cannot be names"""
    reserved_functions: frozenset[str] = frozenset()
    """further words that cannot be names of functions"""
    only_ascii: bool = True
    """whether names have only ASCII letters"""
    ignores_case: bool = False
    """whether names that differ only in case clash"""
    expands_all: bool = False
    """whether every formula of the table is written out, because there are no helper functions"""
    longest_operand: int = 60
    """the length from which an operand has a statement of its own"""

    def assignments(self, statements: Iterable[Assignment]) -> list[str]:
        """The lines of assignments."""
        return [
            self.assignment.format(name=name, text=text, type=self.types[condition])
            for name, text, condition in statements
        ]

    def helper_function(
        self, name: str, parameters: Iterable[str], statements: Sequence[Assignment], result: str, doc: str
    ) -> str:
        """The text of a small function; `doc` describes it."""
        body = "".join(f"{line}\n" for line in self.assignments(statements))
        listed = ", ".join(map(self.parameter.format, parameters))
        sentence = f"{doc[0].upper()}{doc[1:]}."
        return self.helper.format(name=name, parameters=listed, body=body, result=result, doc=doc, sentence=sentence)

    def knows(self, operation: Operation, count: int) -> bool:
        """Whether the language itself, or a helper function written by hand, computes the operation."""
        if operation.variadic and count != 2 and operation.name not in self.variadic:
            return False
        return operation.name in self.shapes or operation.name in self.functions or operation.name in self.handwritten

    def shape(self, operation: Operation, count: int) -> Shape:
        """The shape of an operation that the language knows."""
        if operation.name in self.shapes:
            return self.shapes[operation.name]
        return call(self.functions.get(operation.name, operation.name), count)

    @cached_property
    def taken(self) -> frozenset[str]:
        """The words that cannot be names of variables."""
        import re

        texts = [shape.template for shape in self.shapes.values()] + list(self.functions.values())
        return self.reserved | {word for text in texts for word in re.findall(r"[A-Za-z_]\w*", text)}


def call(name: str, count: int) -> Shape:
    """A call of a function of `count` arguments."""
    return Shape(f"{name}({', '.join(f'{{{i}}}' for i in range(count))})", ATOM, (LOOSE,) * count)


def numerals(nan: str, infinity: str, finite: Callable[[float], str] = repr) -> Callable[[float], str]:
    """Return a function that writes numbers, given the words for nan and infinity and a function for finite numbers."""

    def numeral(number: float) -> str:
        if number != number:
            return nan
        if abs(number) == float("inf"):
            return infinity if number > 0 else f"-{infinity}"
        return finite(number)

    return numeral
