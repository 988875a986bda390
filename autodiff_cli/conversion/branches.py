"""`if` and `else` over statements: what the two branches assign or return becomes a value that `where` chooses."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from ..errors import Source
from .expressions import NAME, Expression, NamedExpression, atom, chosen, error


class Assigned:
    """The names that have a value so far, and those that have one in some cases of an `if` alone.

    What is returned is a statement without a name, the last one of its branch.
    """

    def __init__(self, source: Source, always: set[str] | None = None, sometimes: set[str] | None = None) -> None:
        self._source = source
        self.always, self.sometimes = always or set(), sometimes or set()

    def copy(self) -> "Assigned":
        """The same names, for a branch to add its own."""
        return Assigned(self._source, self.always.copy(), self.sometimes.copy())

    def record(self, statements: Sequence[NamedExpression]) -> None:
        """Take in further statements. Raises AutodiffError if they use a name that has a value only sometimes."""
        for name, expression in statements:
            self.refuse_unassigned(expression)
            self.sometimes.discard(name)
            self.always.add(name)

    def refuse_unassigned(self, used: Expression) -> None:
        """Raise AutodiffError if an expression uses a name that has a value only sometimes."""
        if self.sometimes and (names := self.sometimes & _names(used)):
            message = f"`{min(names)}` has a value in one case of an `if` alone"
            raise error(self._source, used.span, message, "give it one in each case, or before the `if`")

    def refuse_output(self, statements: Sequence[NamedExpression]) -> None:
        """Raise AutodiffError if a program's output, its last statement, has a value only sometimes."""
        for name, expression in statements[-1:]:
            self.refuse_unassigned(atom(name, expression.span))

    def chosen(
        self,
        condition: Expression,
        then: tuple[Sequence[NamedExpression], "Assigned"],
        other: tuple[Sequence[NamedExpression], "Assigned"],
    ) -> list[NamedExpression]:
        """The statements of two branches, in an order that keeps those of each: a name gets the value of its branch.

        A name that one branch alone assigns keeps its value in the other. Raises AutodiffError where it has none that
        is used or returned, and where the condition depends on a value that changes before the last choice.
        """
        first, second = (statements for statements, _ in (then, other))
        for own, names in ((first, _assigned(second)), (second, _assigned(first))):
            Assigned(self._source, sometimes=names - self.always).record(own)
        assigned, changed, read = self.always.copy(), set[str](), list[NamedExpression]()
        for name, left, right in _aligned(first, second):
            if not name and None in (left, right):
                message = "a value is returned in one case of this `if` alone"
                raise error(self._source, condition.span, message, "return one in each case")
            old = atom(name, condition.span) if name in assigned else None
            left, right = left or old or right, right or old or left
            assert left is not None
            assert right is not None
            if left is not right and (moving := changed & _names(condition)):
                message = f"`{min(moving)}` changes in this `if`, whose condition depends on it"
                raise error(self._source, condition.span, message, "give the new value another name")
            read.append(
                NamedExpression(name, left if left is right else chosen([(condition, left)], right, condition.span))
            )
            assigned.add(name)
            changed.add(name)
        always = then[1].always & other[1].always
        self.sometimes |= (then[1].always | other[1].always | then[1].sometimes | other[1].sometimes) - always
        self.sometimes -= always
        self.always = always
        return read


def _aligned(
    first: Sequence[NamedExpression], second: Sequence[NamedExpression]
) -> Iterator[tuple[str, Expression | None, Expression | None]]:
    """Each name with what it is in two branches; None in one that does not assign it there."""
    own, others = ([statement.name for statement in branch] for branch in (first, second))
    for kind, start, end, other_start, other_end in SequenceMatcher(None, own, others, autojunk=False).get_opcodes():
        then, other = first[start:end], second[other_start:other_end]
        if kind == "equal":
            yield from ((one.name, one.expression, two.expression) for one, two in zip(then, other, strict=True))
        else:
            yield from ((one.name, one.expression, None) for one in then)
            yield from ((two.name, None, two.expression) for two in other)


def _assigned(statements: Sequence[NamedExpression]) -> set[str]:
    return {statement.name for statement in statements} - {""}


def _names(expression: Expression) -> set[str]:
    return set(re.findall(NAME, expression.text))
