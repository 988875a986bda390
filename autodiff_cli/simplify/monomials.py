"""Products of powers as nodes of a graph, in the shortest of several ways to write them."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import reduce

from ..graph import Graph
from ..notation import shortest
from ..operations import DIV, EXP, MUL, NEG, POW, SQRT, WHERE, Operation
from ..work_budget import charge
from .algebra import Algebra
from .forms import Call, Form, Power, Sum, Term, whole
from .numbers import Exact, digits, double, excess_factor, magnitude, without_tens
from .quotients import Quotient, regrouped, variants
from .samples import Samples

_MOST_COST = 10**9  # a cost that counts as any larger one
_MOST_WORK = 3000  # products that are made while other ways are still tried
_MOST_LEVELS = 10  # of nested sums and choices that a number is multiplied into
_DIGITS = 15
_QUOTIENT = 5e-5  # the work for one, in seconds


class CountedNodes:
    """Adds nodes to a graph, each once. The cost of a node is the number of nodes in its formula, written out."""

    def __init__(self, graph: Graph, *, decimals: Mapping[int, Collection[Fraction]]) -> None:
        self.graph, self.decimals = graph, decimals
        self._most_digits = max([digits(decimal) for group in decimals.values() for decimal in group], default=0)
        self.costs: dict[int, int] = {}
        self.samples = Samples(graph, self.costs)
        self._nodes: dict[object, int] = {}

    def enter(self, node: int, *, is_leaf: bool = False) -> None:
        """Enter a node that is there already; one that is a leaf costs as much as a name."""
        arguments = () if is_leaf else self.graph.arguments[node]
        self.costs[node] = self._cost(arguments)
        if arguments:
            self._nodes.setdefault((self.graph.operations[node], arguments), node)

    def _cost(self, arguments: Sequence[int]) -> int:
        return min(_MOST_COST, 1 + sum([self.costs[argument] for argument in arguments]))

    def add(self, operation: Operation, *arguments: int) -> int:
        """The node of an operation."""
        key = operation, arguments
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = self.graph.add(operation, arguments)
            self.costs[node] = self._cost(arguments)
        return node

    def constant(self, number: float, name: str | None = None) -> int:
        """The node of a number that is not negative, or of a constant with a name."""
        key = number, name
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = self.graph.constant(number)
            self.costs[node] = 1
            if name is not None:
                self.graph.labels[node] = name
        return node

    def shortest(self, *nodes: int) -> int:
        """The shortest of several nodes of the same value, among those that lose the least in doubles."""
        different = dict.fromkeys(nodes)
        if len(different) == 1:
            return nodes[0]
        return min(different, key=lambda node: (self.samples.faults(node), self.costs[node]))

    def fraction(self, value: Exact) -> tuple[float, float]:
        """A positive number as numerator and denominator; as a double and 1 where it is better written as a decimal.

        The denominator is a decimal of the formula, unless the reduced fraction has fewer digits.
        """
        if value.denominator == 1 or (self.decimals and digits(value) <= _DIGITS):
            return double(value), 1.0
        pairs = [(Fraction(value), Fraction(1))]
        if max(value.numerator, value.denominator) <= 2**53:
            scales = [10**power for power in range(_DIGITS if self.decimals else 1)]
            pairs = [(Fraction(value.numerator, s), Fraction(value.denominator, s)) for s in scales]
            pairs = [min(pairs, key=lambda pair: len("".join(shortest(double(part)) for part in pair)))]
        if self.decimals:
            below, _ = without_tens(value.denominator)
            written = [(Fraction(value * bottom), bottom) for bottom in self.decimals.get(below, ())]
            pairs = [pair for pair in written if digits(pair[0]) <= self._most_digits] + pairs
            others = [*written, (Fraction(value * below), Fraction(below))]
            pairs += [pair for pair in others if max(map(digits, pair)) <= _DIGITS]
        top, bottom = min(pairs, key=lambda pair: (pair[0] != 1, sum(map(digits, pair))))
        return double(top), double(bottom)

    def product(self, nodes: Sequence[int]) -> int:
        """The product of nodes, from left to right; 1 without any."""
        return reduce(lambda a, b: self.add(MUL, a, b), nodes) if nodes else self.constant(1.0)


class Monomials(CountedNodes, ABC):
    """Writes monomials; `names` are the operations of the user's formula, `trials` the other ways that may be tried."""

    def __init__(self, algebra: Algebra, graph: Graph, names: Collection[str], trials: int) -> None:
        super().__init__(graph, decimals=algebra.decimals)
        self.algebra, self.names, self.trials = algebra, names, trials
        self.originals: dict[Form, int] = {}
        """form → the node of it that the user wrote"""
        self.shorter: dict[Form, Form] = {}
        """form → another with the same value that is shorter"""
        self.being_replaced: set[Form] = set()
        """forms whose parts are written in their shorter form, which may lead back to the form"""
        self._levels = 0
        """the levels of sums and choices that a number is being multiplied into"""

    @abstractmethod
    def write(self, form: Form) -> int:
        """The node of a form."""

    @abstractmethod
    def argument(self, form: Form) -> int:
        """The node of a form as the argument of a function."""

    @abstractmethod
    def terms(self, terms: Sequence[Term]) -> int:
        """The node of a sum of terms."""

    def is_exhausted(self) -> bool:
        """Whether the trials, or the work allowed for them, are used up."""
        return self.trials <= 0 or self.algebra.work > _MOST_WORK

    def power(self, base: Form, exponent: Form) -> int:
        """The node of a power."""
        if exponent is self.algebra.one:
            return self.write(base)
        if base is self.algebra.e:
            return self.add(EXP, self.argument(exponent))
        if exponent is self.algebra.half:
            return self.add(SQRT, self.write(base))
        return self.add(POW, self.write(base), self.write(exponent))

    def monomial(self, coefficient: Exact, monomial: Form) -> int:
        """A monomial times a number, in the shortest of several ways."""
        algebra = self.algebra
        quotient = Quotient(coefficient, dict(algebra.factors(monomial)))
        quotients = [*variants(algebra, quotient, self.names)]
        if not self.is_exhausted():
            quotients += regrouped(algebra, quotient, self.originals)
        nodes = [self.quotient(variant) for variant in quotients]
        best = quotients[nodes.index(self.shortest(*nodes))]
        total = best.total()
        if coefficient == 1 and total is not None and total is not monomial:
            self.shorter[monomial] = total
        if self._levels < _MOST_LEVELS:
            self._levels += 1
            if isinstance(monomial, Sum):
                # where both are as short: 3*x^2 - 12*x, but 2*(x - 1) where the user wrote x - 1
                multiplied_in = self.terms([(m, number * coefficient) for m, number in monomial.terms])
                nodes.insert(len(nodes) if monomial in self.originals else 0, multiplied_in)
            elif isinstance(monomial, Call) and monomial.operation is WHERE:
                c, *branches = monomial.arguments
                scaled = (algebra.scaled(coefficient, branch) for branch in branches)
                nodes.insert(0, self.add(WHERE, self.write(c), *map(self.write, scaled)))
            self._levels -= 1
        for variant in (quotient, best) if monomial not in self.being_replaced else ():
            if not self.shorter.keys().isdisjoint(variant.powers):
                powers = [(self.shorter.get(base, base), exponent) for base, exponent in variant.powers.items()]
                alternative = algebra.product(variant.coefficient, powers)
                self.being_replaced.add(monomial)
                nodes.insert(0, self.write(alternative))
                self.being_replaced.remove(monomial)
                if coefficient == 1 and self.shortest(*nodes) == nodes[0]:
                    self.shorter[monomial] = alternative
        return self.shortest(*nodes)

    def quotient(self, quotient: Quotient) -> int:
        """The node of a quotient as it is."""
        charge(_QUOTIENT)
        coefficient, scales = quotient.coefficient, list[Exact]()
        while (scale := excess_factor(coefficient)) != 1:
            coefficient = Fraction(coefficient) / scale
            scales.append(scale)
        top, bottom = self.fraction(magnitude(coefficient))
        above, below = quotient.sides(self.algebra)
        is_negative = quotient.coefficient < 0 and not (self._reverse(above) or self._reverse(below))
        tops = [self.power(base, exponent) for base, exponent in above]
        bottoms = [self.power(base, exponent) for base, exponent in below]
        if top != 1 or not tops:
            tops.insert(0, self.constant(top))
        if is_negative:
            tops[0] = self.add(NEG, tops[0])
        if bottom != 1:
            bottoms.insert(0, self.constant(bottom))
        result = self.product(tops)
        if bottoms:
            result = self.add(DIV, result, self.product(bottoms))
        return reduce(lambda node, scale: self.add(MUL, node, self.constant(double(scale))), reversed(scales), result)

    def _reverse(self, side: list[Power]) -> bool:
        """Reverse a difference among the factors, which changes the sign; False where there is none."""
        for place, (base, exponent) in enumerate(side):
            is_difference = isinstance(base, Sum) and not base.is_scaled and any(n < 0 for _, n in base.terms)
            if is_difference and (whole(exponent) or 0) % 2 == 1:
                reverse = self.algebra.scaled(-1, base)
                if isinstance(reverse, Sum) and not reverse.is_scaled:
                    side[place] = reverse, exponent
                    return True
        return False

    def unsigned(self, node: int) -> tuple[int, bool]:
        """A product without its leading minus sign, and whether there was one."""
        graph, first, products = self.graph, node, []
        while graph.operations[first] is MUL or graph.operations[first] is DIV:
            products.append(first)
            first = graph.arguments[first][0]
        if graph.operations[first] is not NEG:
            return node, False
        (first,) = graph.arguments[first]
        for product in reversed(products):
            operation, second = graph.operations[product], graph.arguments[product][1]
            is_one = operation is MUL and graph.numbers.get(first) == 1 and first not in graph.labels
            first = second if is_one else self.add(operation, first, second)
        return first, True
