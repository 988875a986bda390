"""Random formulas over the whole table of operations, each with a point to differentiate it at.

Arguments mostly respect an operation's domain and sometimes leave it; points are ordinary numbers, special ones (0, ±1,
whole numbers, ties) and of every size up to 1e±300. The same seed always draws the same cases.
"""

from dataclasses import dataclass
from random import Random

from autodiff_cli.operations import INFINITY, TABLE, Operation

ORDERS = (*range(5), *range(5), *range(5), 7, 12, 30, 51, 120, 171, 400)
"""of the polygamma function"""
SPECIAL = (
    *(0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -7.0, 10.0, 100.0, 0.5, -0.5, 0.25, 0.1),
    *(1e-9, -1e-9, 1e-30, 1e20, 3.141592653589793),
)
HUGE_AND_TINY = (
    *(1e-300, -1e-300, 1e300, -1e300, 1e100, -1e100, 1e-100, -1e-100, 1e-160, 1e155),
    *(700.0, -700.0, 40.0, -40.0),
)
_INSIDE = {  # ways to bring any number into an interval
    (0.0, INFINITY): ("abs({})", "({})^2", "exp({})", "1 + square({})", "0.3 + abs({})"),
    (-1.0, 1.0): ("tanh({})", "sin({})", "cos({})", "({})/(2 + abs({}))"),
    (1.0, INFINITY): ("1 + abs({})", "cosh({})", "hypot(1, {})", "2 + exp({})"),
    (-1.0, INFINITY): ("abs({})", "expm1({})", "sin({})"),
    (0.0, 1.0): ("sigmoid({})", "abs(sin({}))", "exp(-abs({}))"),
}


@dataclass(frozen=True)
class Case:
    """One partial derivative to check."""

    formula: str
    point: dict[str, float]
    wrt: str
    ordinary: bool
    """neither the point nor a number of the formula is special, huge or tiny"""


def case(seed: int, number: int) -> Case:
    """The case of that number; every operation of the table takes its turn."""
    random = Random(f"{seed} {number}")
    ordinary = random.random() < 0.5
    formula = _Formula(random, ordinary)
    text = formula.call(TABLE[number % len(TABLE)], random.choice((0, 0, 1, 1, 2)))
    for _ in range(random.choice((0, 0, 1, 1, 2))):
        text = formula.call(random.choice(TABLE), 1, text)
    wrt = random.choice(formula.used or ["x"])
    point = {name: _number(random, ordinary) for name in sorted({*formula.used, wrt})}
    if not ordinary and random.random() < 0.2:
        point = dict.fromkeys(point, random.choice(list(point.values())))
    return Case(text, point, wrt, ordinary)


def _number(random: Random, ordinary: bool) -> float:
    """A number for an input or in a formula."""
    kind = random.random()
    if ordinary or kind < 0.3:
        return random.uniform(-3, 3)
    if kind < 0.7:
        return random.choice(SPECIAL)
    if kind < 0.85:
        return random.choice(HUGE_AND_TINY)
    return random.uniform(-3, 3) * 10.0 ** random.randint(-100, 100)


class _Formula:
    """A formula that is being drawn, and the inputs that it uses."""

    def __init__(self, random: Random, ordinary: bool) -> None:
        self.random, self.ordinary = random, ordinary
        self.used: list[str] = []

    def call(self, operation: Operation, depth: int, inner: str = "") -> str:
        """The operation on drawn arguments, one of which is `inner` if that is given."""
        count = (
            self.random.randint(1, 4)
            if operation.variadic
            else self.random.randint(operation.counts[0], len(operation.names))
        )
        place = self.random.randrange(operation.literal, count)
        arguments = [inner if inner and i == place else self.expression(depth) for i in range(count)]
        domain = operation.domain or ((-INFINITY, INFINITY),) * count
        if operation.literal:
            arguments[0] = str(self.random.choice(ORDERS))
        elif operation.domain and self.random.random() < 0.8:
            arguments = [self._inside(text, interval) for text, interval in zip(arguments, domain, strict=False)]
        if operation.name == "where":
            arguments[0] = f"({arguments[0]}) {self.random.choice(['<', '>', '<=', '>=', '!='])} ({self.expression(0)})"
        return self._written(operation, arguments)

    def expression(self, depth: int) -> str:
        """An input, a number or a call."""
        if depth and self.random.random() < 0.6:
            return self.call(self.random.choice(TABLE), depth - 1)
        if self.random.random() < 0.75:
            self.used.append(self.random.choice("xyz"))
            return self.used[-1]
        return repr(_number(self.random, self.ordinary))

    def _inside(self, text: str, interval: tuple[float, float]) -> str:
        forms = _INSIDE.get((float(interval[0]), float(interval[1])))
        return self.random.choice(forms).replace("{}", text) if forms and self.random.random() < 0.8 else text

    @staticmethod
    def _written(operation: Operation, arguments: list[str]) -> str:
        if not operation.symbol:
            return f"{operation.called}({', '.join(arguments)})"
        operands = [f"({text})" for text in arguments]
        return (
            f"({f' {operation.symbol} '.join(operands)})"
            if len(operands) > 1
            else f"({operation.symbol} {operands[0]})"
        )
