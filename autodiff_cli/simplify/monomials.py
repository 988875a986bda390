"""Products of powers as nodes: the shortest of the ways to write them."""

from abc import abstractmethod
from collections.abc import Collection, Sequence

from ..graph import Graph
from ..operations import OPERATIONS
from .algebra import Algebra
from .forms import Call, Form, Number, Sum, factors
from .nodes import Nodes
from .numbers import Exact, magnitude
from .quotients import Power, Quotient, variants
from .regrouping import regrouped

_MUL, _DIV, _NEG, _POW, _SQRT, _EXP, _WHERE = (
    OPERATIONS[name] for name in ("mul", "div", "neg", "pow", "sqrt", "exp", "where")
)
_MOST_WORK = 30_000  # products that are made while other ways are still tried


class Monomials(Nodes):
    """Writes monomials; `names` are the operations of the user's formula, `originals` the nodes of its forms."""

    def __init__(self, algebra: Algebra, graph: Graph, names: Collection[str], trials: int) -> None:
        super().__init__(graph, decimals=algebra.decimals)
        self.algebra, self.names, self.trials = algebra, names, trials
        self.originals: dict[Form, int] = {}
        self.shorter: dict[Form, Form] = {}
        """form → another with the same value that is shorter"""

    @abstractmethod
    def write(self, form: Form) -> int:
        """The node of a form."""

    @abstractmethod
    def argument(self, form: Form) -> int:
        """The node of a form inside of a function."""

    @abstractmethod
    def terms(self, terms: Sequence[tuple[Form, Exact]]) -> int:
        """The node of a sum of terms."""

    def is_tired(self) -> bool:
        """Has enough been tried?"""
        return self.trials <= 0 or self.algebra.work > _MOST_WORK

    def power(self, base: Form, exponent: Form) -> int:
        """The node of a power."""
        if exponent is self.algebra.one:
            return self.write(base)
        if base is self.algebra.e:
            return self.add(_EXP, self.argument(exponent))
        if exponent is self.algebra.half:
            return self.add(_SQRT, self.write(base))
        return self.add(_POW, self.write(base), self.write(exponent))

    def monomial(self, coefficient: Exact, monomial: Form) -> int:
        """A monomial times a number, in the shortest of several ways."""
        nodes = []
        quotient = Quotient(coefficient, dict(factors(monomial, self.algebra.one)))
        nodes += [self._quotient(variant) for variant in variants(self.algebra, quotient, self.names)]
        if not self.is_tired():
            nodes += [self._quotient(other) for other in regrouped(self.algebra, quotient, self.originals)]
        if isinstance(monomial, Sum):
            nodes.append(self.terms([(m, number * coefficient) for m, number in monomial.terms]))
        elif isinstance(monomial, Call) and monomial.row is _WHERE:
            c, *branches = monomial.arguments
            nodes.insert(
                0, self.add(_WHERE, self.write(c), *[self.write(self.algebra.scaled(coefficient, b)) for b in branches])
            )
        shorter = [(self.shorter.get(base, base), exponent) for base, exponent in quotient.powers.items()]
        if any(base not in quotient.powers for base, _ in shorter):
            nodes.insert(0, self.write(self.algebra.product(coefficient, shorter)))
        return min(nodes, key=self.costs.__getitem__)

    def _quotient(self, quotient: Quotient) -> int:
        top, bottom = self.fraction(magnitude(quotient.coefficient))
        above, below = quotient.sides(self.algebra)
        negative = quotient.coefficient < 0
        if negative:
            above, below, negative = self._turned(above, below)
        tops = [self.power(base, exponent) for base, exponent in above]
        bottoms = [self.power(base, exponent) for base, exponent in below]
        if top != 1 or not tops:
            tops.insert(0, self.constant(top))
        if negative:
            tops[0] = self.add(_NEG, tops[0])
        if bottom != 1:
            bottoms.insert(0, self.constant(bottom))
        result = self.product(tops)
        return self.add(_DIV, result, self.product(bottoms)) if bottoms else result

    def _turned(self, above: list[Power], below: list[Power]) -> tuple[list[Power], list[Power], bool]:
        """The sides of a negative quotient, with a difference turned round in place of the sign if there is one."""
        for side in (above, below):
            for place, (base, exponent) in enumerate(side):
                odd = isinstance(exponent, Number) and exponent.value.denominator == 1 and exponent.value % 2 == 1
                if odd and isinstance(base, Sum) and not base.is_scaled and any(n < 0 for _, n in base.terms):
                    side[place] = self.algebra.scaled(-1, base), exponent
                    return above, below, False
        return above, below, True

    def unsigned(self, node: int) -> tuple[int, bool]:
        """A product without the minus that it begins with, and whether there was one."""
        row, arguments = self.graph.operations[node], self.graph.arguments[node]
        if row is _NEG:
            return arguments[0], True
        if row is not _MUL and row is not _DIV:
            return node, False
        first, negative = self.unsigned(arguments[0])
        if not negative:
            return node, False
        if row is _MUL and self.graph.numbers.get(first) == 1 and first not in self.graph.labels:
            return arguments[1], True
        return self.add(row, first, arguments[1]), True
