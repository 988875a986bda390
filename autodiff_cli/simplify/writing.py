"""Writing: forms as nodes, in the shortest of several ways, or as the user wrote them where that is as short."""

from collections.abc import Collection, Sequence

from ..graph import Graph
from ..operations import ADD, CONSTANTS, EXP, GT, NE, NOT, OPERATIONS, SUB, WHERE
from ..work_budget import charge
from .algebra import Algebra
from .choices import by_sign
from .conditions import negation
from .factoring import alternatives
from .forms import NAMED, Call, E, Form, Leaf, Number, Product, Sum, Term
from .monomials import Monomials
from .numbers import Exact, magnitude
from .quotients import Quotient

_RELU = OPERATIONS["relu"]
_EXCESS = 2  # nodes by which the formula that the user wrote may be longer
_MOST_TERMS = 30  # of a sum that is written in more than one way
_FORM = 4.3e-5  # the work for one, in seconds
_DEPTH = 2  # levels of sums in alternatives to a sum for which alternatives are tried


class Writer(Monomials):
    """Writes forms of every kind."""

    def __init__(self, algebra: Algebra, graph: Graph, names: Collection[str], trials: int) -> None:
        super().__init__(algebra, graph, names, trials)
        self._written: dict[Form, int] = {}
        self._depth = 0

    def keep(self, node: int, form: Form | None, *, is_leaf: bool = False) -> None:
        """Keep a node that the user wrote: it may stand for its form as it is."""
        self.enter(node, is_leaf=is_leaf)
        if form is not None and self.costs[node] < self.costs[self.originals.setdefault(form, node)]:
            self.originals[form] = node

    def write(self, form: Form) -> int:
        """The node of a form."""
        if form not in self._written:
            parts = self._parts(form)
            charge(_FORM * len(parts))
            for part in parts:
                if part not in self._written:
                    self._written[part] = self._shortest(part)
        return self._written[form]

    def _parts(self, form: Form) -> list[Form]:
        """The parts of a form that are still to be written, itself included, each before what contains it."""
        parts = {form}
        pending = [form]
        while pending:
            new = {part for part in _inside(pending.pop()) if part not in parts and part not in self._written}
            parts |= new
            pending += new
        return sorted(parts, key=lambda part: part.index)

    def _shortest(self, form: Form) -> int:
        node = self._plain(form)
        excess = _EXCESS if isinstance(form, Sum) and not form.is_scaled else 0
        return self._original(form, node, excess)

    def _original(self, form: Form, node: int, excess: int) -> int:
        """The node that the user wrote for a form, if it is not much longer than this one."""
        original = self.originals.get(form)
        if original is None or self.costs[original] > self.costs[node] + excess:
            return node
        return original if self.samples.faults(original) <= self.samples.faults(node) else node

    def argument(self, form: Form) -> int:
        """The node of a form as the argument of a function; as the user wrote its opposite, for `f(x)*f(-x)`."""
        node = self.write(form)
        opposite = self.originals.get(self.algebra.scaled(-1, form))
        if opposite is not None and form not in self.originals:
            size, is_negative = self.unsigned(opposite)
            if is_negative:
                self.originals[form] = size
        return self._original(form, node, _EXCESS if self.costs[node] > 1 else 0)

    def _plain(self, form: Form) -> int:
        if isinstance(form, Leaf):
            if form.node < 0:
                return self._named(form.node)
            self.costs.setdefault(form.node, 1)
            return form.node
        if isinstance(form, Call):
            return self._choice(form) if form.operation is WHERE else self._call(form)
        if isinstance(form, Sum) and not form.is_scaled:
            return self._sum(form)
        return self.monomial(*self.algebra.split(form))

    def _named(self, code: int) -> int:
        if code == E:
            return self.add(EXP, self.constant(1.0))
        name = next(name for name, known in NAMED.items() if known == code)
        return self.constant(CONSTANTS[name], name)

    def _call(self, form: Call) -> int:
        return self.add(form.operation, *[self.argument(argument) for argument in form.arguments])

    def _choice(self, form: Call) -> int:
        c, a, b = form.arguments
        zero = self.algebra.zero
        if "relu" in self.names and b is zero and c is self.algebra.plain_call(GT, (a, zero)):
            return self.add(_RELU, self.argument(a))
        signed = by_sign(self.algebra, form)
        if signed is not None:
            self.shorter[form] = signed
            return self.write(signed)
        if isinstance(c, Call) and c.operation in (NE, NOT):
            c, a, b = negation(self.algebra, c), b, a
        return self.add(WHERE, *[self.write(part) for part in (c, a, b)])

    def _sum(self, form: Sum) -> int:
        best = self.terms(form.terms)
        if len(form.terms) > _MOST_TERMS or self._depth > _DEPTH or self.is_exhausted():
            return best
        self._depth += 1
        self._written[form] = best  # for an alternative that contains this sum
        for alternative in alternatives(self.algebra, form):
            if self.is_exhausted():
                break
            self.trials -= 1
            node = self.write(alternative)
            if self.shortest(best, node) != best:
                best, self.shorter[form] = node, alternative
        if any(monomial in self.shorter for monomial, _ in form.terms) and form not in self.being_replaced:
            self.being_replaced.add(form)
            alternative = self.algebra.sum([(self.shorter.get(monomial, monomial), n) for monomial, n in form.terms])
            best = self.shortest(self.write(alternative), best)
            self.being_replaced.remove(form)
        self._depth -= 1
        return best

    def terms(self, terms: Sequence[Term]) -> int:
        """The node of a sum of terms as they are."""
        result = -1
        for monomial, number in _ordered(terms):
            size, is_negative = self.unsigned(self._term(monomial, magnitude(number)))
            if result < 0:
                result = self._term(monomial, number)
            else:
                result = self.add(ADD if (number > 0) != is_negative else SUB, result, size)
        return result

    def _term(self, monomial: Form, number: Exact) -> int:
        """The node of a term of a sum: a sum times a number is a product there, not a sum in parentheses."""
        node = self.write(self.algebra.scaled(number, monomial))
        if isinstance(monomial, Sum) and self.graph.operations[node] in (ADD, SUB):
            product = self.quotient(Quotient(number, dict(self.algebra.factors(monomial))))
            return self.shortest(product, node)
        return node


def _inside(form: Form) -> Sequence[Form]:
    if isinstance(form, Call):
        return form.arguments
    if isinstance(form, Product):
        return [part for power in form.factors for part in power]
    return [monomial for monomial, _ in form.terms] if isinstance(form, Sum) else ()


def _ordered(terms: Sequence[Term]) -> list[Term]:
    """The terms by their degree, with a positive one first if there is one.

    A polynomial is descending unless it is given in ascending order, or only in the other order begins with a positive
    term; a sum with functions in it is ascending, as in `2*x*sin(x) + x^2*cos(x)`.
    """
    degrees = {monomial: _degree(monomial) for monomial, _ in terms}
    rising = sorted(terms, key=lambda term: degrees[term[0]][0])
    falling = sorted(terms, key=lambda term: -degrees[term[0]][0])
    if any(has_functions for _, has_functions in degrees.values()):
        orders = [rising]
    else:
        orders = [rising, falling] if rising == [*terms] else [falling, rising]
    ordered = next((order for order in orders if order[0][1] > 0), orders[0])
    first = next((place for place, (_, number) in enumerate(ordered) if number > 0), 0)
    return [ordered[first], *ordered[:first], *ordered[first + 1 :]]


def _degree(monomial: Form) -> tuple[Exact, bool]:
    """The degree of a product in the inputs that are factors of it, and whether it has other factors too."""
    degree: Exact = 0
    has_others = False
    for base, exponent in monomial.factors if isinstance(monomial, Product) else ((monomial, None),):
        if isinstance(base, Leaf) and base.node >= 0:
            degree += exponent.value if isinstance(exponent, Number) else 1
        elif not isinstance(base, Number | Leaf):
            has_others = True
    return degree, has_others
