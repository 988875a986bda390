"""The algebra that simplifies: every result is collected, folded and rewritten by laws."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction

from ..operations import ABS, CONDITIONS, WHERE, Operation
from ..work_budget import charge
from .algebra import Algebra
from .assumptions import is_nonnegative, is_positive
from .choices import choice, join_choices
from .conditions import condition
from .forms import Form, Number, Power, Term
from .numbers import Exact, exact_factorial, magnitude
from .products import Factors
from .rewriting import Laws
from .sums import collected, total

_PRODUCT, _POWER = 2.3e-5, 1e-5  # the work for one, of a few powers, and for each further power, seconds
_FEW = 4
_OF_NUMBERS: dict[str, Callable[..., Exact | None]] = {
    "abs": abs,
    "sign": lambda a: (a > 0) - (a < 0),
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "round": round,
    "max": lambda *numbers: max(numbers),
    "min": lambda *numbers: min(numbers),
    "step": lambda a: int(a >= 0),
    "relu": lambda a: max(a, 0),
    "factorial": exact_factorial,
    "gamma": lambda a: exact_factorial(a - 1),
}


class Simplifier(Algebra):
    """Sums, products, choices and conditions put together, with the laws to rewrite them by."""

    def __init__(self, laws: Laws, *, decimals: Mapping[int, Collection[Fraction]] | None = None) -> None:
        super().__init__(decimals=decimals)
        self._laws = laws
        self._settled: set[frozenset[tuple[Form, object]]] = set()
        """sums and products that no law applies to"""

    def sum(self, terms: Iterable[Term]) -> Form:
        """The sum of forms, each times its coefficient."""
        sums = collected(self, terms)
        while len(sums) > 1 and (key := frozenset(sums.items())) not in self._settled:
            replacement = join_choices(self, sums) or self._laws.sum(self, sums)
            if not replacement:
                self._settled.add(key)
            sums = collected(self, [*sums.items(), *replacement]) if replacement else sums
        return total(self, sums)

    def product(self, coefficient: Exact, powers: Iterable[Power]) -> Form:
        """A coefficient times powers."""
        self.work += 1
        powers = tuple(powers)
        charge(_PRODUCT + _POWER * max(len(powers) - _FEW, 0))
        factors = Factors(self, coefficient)
        factors.multiply(powers)
        while (key := frozenset(factors.exponents.items())) not in self._settled:
            replacement = self._laws.product(self, factors.exponents)
            if not replacement:
                self._settled.add(key)
            factors.multiply(replacement)
        return factors.result()

    def call(self, operation: Operation, arguments: tuple[Form, ...]) -> Form:
        """An operation other than arithmetic: a choice, a condition, a number if its arguments are, else by laws."""
        if operation is WHERE:
            return choice(self, *arguments)
        if operation in CONDITIONS:
            return condition(self, operation, arguments)
        if operation.name in _OF_NUMBERS:
            numbers = [argument.value for argument in arguments if isinstance(argument, Number)]
            value = _OF_NUMBERS[operation.name](*numbers) if len(numbers) == len(arguments) else None
            if value is not None:
                return self.number(value)
        if operation is ABS or operation.name == "sign":
            return self._without_positive_factors(operation, *arguments)
        return self.rewritten(operation, arguments)

    def rewritten(self, operation: Operation, arguments: tuple[Form, ...]) -> Form:
        """A call, rewritten by the laws for its operation; as given where none applies."""
        return self._laws.call(self, operation, arguments) or self.plain_call(operation, arguments)

    def _without_positive_factors(self, operation: Operation, form: Form) -> Form:
        """abs(2*a) is 2*abs(a) and sign(2*a) is sign(a): positive factors come out."""
        if operation is ABS and is_nonnegative(form):
            return form
        number, monomial = self.split(form)
        powers = self.factors(monomial)
        positive = [power for power in powers if is_positive(power[0])]
        if not self._laws.calls or (abs(number) == 1 and not positive):
            return self.rewritten(operation, (form,))
        rest = self.product(1 if number > 0 else -1, [power for power in powers if power not in positive])
        inner = self.call(operation, (rest,))
        return self.product(magnitude(number), [(inner, self.one), *positive]) if operation is ABS else inner
