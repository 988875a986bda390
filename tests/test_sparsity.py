"""The colouring by which second derivatives share sweeps."""

from itertools import combinations
from random import Random

from autodiff_cli.sparsity import star_colouring


def test_no_path_of_four_has_two_colours() -> None:
    chance = Random(3)
    for _ in range(60):
        size = chance.randint(1, 16)
        neighbours: list[set[int]] = [{i} for i in range(size)]
        for i, j in combinations(range(size), 2):
            if chance.random() < chance.choice((0.1, 0.3, 0.6)):
                neighbours[i].add(j)
                neighbours[j].add(i)
        colours = star_colouring(neighbours)
        edges = [(i, j) for i, around in enumerate(neighbours) for j in around - {i}]
        for i, j in edges:
            assert colours[i] != colours[j]
            ends = ((a, b) for a in neighbours[i] - {i, j} for b in neighbours[j] - {a, i, j})
            assert not any(colours[a] == colours[j] and colours[b] == colours[i] for a, b in ends)
