"""Points drawn from ranges, the same for the same seed."""

from collections.abc import Iterator, Mapping
from random import Random

_SIMPLE = (1.0, 2.0, 3.0, 0.5, -1.0, -2.0, 0.0)


def sample(ranges: Mapping[str, tuple[float, float]], count: int, seed: int) -> Iterator[dict[str, float]]:
    """So many points: first those with simple coordinates, which make the best examples, then random ones."""
    random = Random(seed)  # noqa: S311  # nobody has to be kept from guessing them
    simple = {name: [number for number in _SIMPLE if low <= number <= high] for name, (low, high) in ranges.items()}
    for number in range(count):
        point = {}
        for place, (name, (low, high)) in enumerate(ranges.items()):
            choices = simple[name]
            drawn = random.uniform(low, high)
            point[name] = choices[(number + place) % len(choices)] if number < len(choices) else drawn
        yield point
