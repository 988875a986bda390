"""Points drawn from ranges, reproducible by a seed."""

from collections.abc import Iterator, Mapping
from math import isfinite
from random import Random

_SIMPLE = (1.0, 2.0, 3.0, 0.5, -1.0, -2.0, 0.0)


def sample(ranges: Mapping[str, tuple[float, float]], count: int, seed: int) -> Iterator[dict[str, float]]:
    """Yield `count` points: first some with simple coordinates, which make the best examples, then random ones."""
    random = Random(seed)  # noqa: S311  # the points need not be secret
    simple = {name: [number for number in _SIMPLE if low <= number <= high] for name, (low, high) in ranges.items()}
    for i in range(count):
        point = {}
        for j, (name, (low, high)) in enumerate(ranges.items()):
            choices = simple[name]
            drawn = _uniform(random, low, high)
            point[name] = choices[(i + j) % len(choices)] if i < len(choices) else drawn
        yield point


def _uniform(random: Random, low: float, high: float) -> float:
    """A random number in a range, which may be wider than the largest double."""
    if isfinite(high - low):
        return random.uniform(low, high)
    share = random.random()
    return low * (1 - share) + high * share
