"""Points for the sweep over the operations: from the whole range of doubles, and close to where formulas go wrong."""

import math
import random
from collections.abc import Iterator

from referee import LARGEST, Arguments

from autodiff_cli.operations import Operation

_TURNING = (
    0.5, 1, 1.5, 2, 3, 8, 10, 20, 36.7, 40, 170.6, 709.78, 745.1, 800, math.pi / 2, math.pi, math.sqrt(2), math.e,
)  # fmt: skip
"""zeros, kinks and edges of functions, where doubles over- and underflow, and where formulas change"""


def points(operation: Operation, count: int, seed: str) -> Iterator[Arguments]:
    """Points without end, the same for the same seed: of any size and either sign, several arguments often related."""
    chance = random.Random(f"{operation.name} {count} {seed}")
    while True:
        point = [_number(chance) for _ in range(count)]
        if operation.literal:
            point[0] = float(chance.randrange(5))
        elif count > 1 and chance.random() < 0.6:
            _relate(point, chance)
        yield tuple(max(-LARGEST, min(LARGEST, a)) + 0.0 for a in point)  # + 0.0: no -0.0, which mpmath lacks


def _number(chance: random.Random) -> float:
    """A double."""
    draw = chance.choices(_KINDS, _WEIGHTS)[0]
    return math.copysign(1.0, chance.random() - 0.4) * draw(chance)


def _of_any_size(chance: random.Random) -> float:
    return 10 ** chance.uniform(-307, 308)


def _ordinary(chance: random.Random) -> float:
    return 10 ** chance.uniform(-6, 3)


def _beside_a_half(chance: random.Random) -> float:
    """Half a whole number, exactly or nearly."""
    half = math.floor(2 * 10 ** chance.uniform(-1, chance.choice((1, 2, 3, 16)))) / 2
    return _beside(half, chance)


def _beside_a_turn(chance: random.Random) -> float:
    return _beside(float(chance.choice(_TURNING)), chance)


def _subnormal(chance: random.Random) -> float:
    return 5e-324 * int(2 ** chance.uniform(0, 53))


def _largest(chance: random.Random) -> float:
    return LARGEST * 10 ** -chance.uniform(0, 3)


_KINDS = (_of_any_size, _ordinary, _beside_a_half, _beside_a_turn, _subnormal, _largest)
_WEIGHTS = (24, 38, 20, 14, 2, 2)


def _beside(a: float, chance: random.Random) -> float:
    """The number itself, a neighbour, or one that agrees with it in some digits."""
    draw = chance.random()
    if draw < 0.2:
        return a
    if draw < 0.4:
        return a + chance.randint(-3, 3) * math.ulp(a)
    return a + chance.choice((-1, 1)) * (a or 1) * 10 ** -chance.uniform(1, 17)


def _relate(point: list[float], chance: random.Random) -> None:
    """Make the arguments equal, opposite, multiples, of like size, or such that their sum is nearly whole."""
    first, *others = point
    for place in range(1, len(others) + 1):
        draw = chance.random()
        if draw < 0.15:
            point[place] = _beside(first, chance)
        elif draw < 0.3:
            point[place] = -_beside(first, chance)
        elif draw < 0.5:
            point[place] = _beside(math.floor(chance.uniform(-9, 9)) - first, chance)
        elif draw < 0.7:
            point[place] = first * chance.choice((1, -1)) * 10 ** chance.uniform(-9, 9)
        elif draw < 0.85:
            point[place] = chance.choice((_ordinary, _beside_a_half))(chance) * chance.choice((1, -1))
