"""Points drawn from ranges."""

from random import Random
from sys import float_info

from autodiff_cli.gradient_check.sampling import sample


def test_a_range_wider_than_the_largest_double_has_its_points_inside() -> None:
    low, high = -1e308, float_info.max
    drawn = [point["x"] for point in sample({"x": (low, high)}, 1000, 0)]
    assert all(low <= number <= high for number in drawn)
    assert min(drawn) < low / 2
    assert max(drawn) > high / 2


def test_a_seed_draws_the_same_points_as_ever() -> None:
    random = Random(3)
    points = [{"x": random.uniform(5, 6), "y": random.uniform(-0.4, 0.4)} for _ in range(9)]
    assert list(sample({"x": (5, 6), "y": (-0.4, 0.4)}, 9, 3))[1:] == points[1:]
