"""Derivative rules with one mistake in them, such as people and generators of code make.

A mutant is an operation with one partial changed. A program gets it in place of the right one, so that its
gradient is the wrong one in every arithmetic; what the operation computes stays as it is.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import cache
from random import Random

from autodiff_cli.operations import TABLE, Operation
from autodiff_cli.program import Program

CHANGES: dict[str, Callable[[str], str]] = {
    "factor 1+1e-7": lambda partial: f"({partial})*1.0000001",
    "factor 1-1e-7": lambda partial: f"({partial})*0.9999999",
    "wrong sign": lambda partial: f"-({partial})",
    "twice": lambda partial: f"2*({partial})",
    "half": lambda partial: f"({partial})/2",
    "one too much": lambda partial: f"({partial}) + 1",
    "missing": lambda partial: f"({partial})*0",
    "factor too much": lambda partial: f"({partial})*y",
    "divided by the result": lambda partial: f"({partial})/y",
    "dropped term": lambda partial: _without_last(partial),
    "dropped sign": lambda partial: partial.removeprefix("-"),
    "other function": lambda partial: partial.translate(str.maketrans({"+": "-", "*": "/"})),
}
_ACROSS = ("swapped arguments", "another operation's rule")
KINDS = (*CHANGES, *_ACROSS)


def _without_last(partial: str) -> str:
    """The expression without its last term or factor."""
    depth, cut = 0, len(partial)
    for place, sign in enumerate(partial):
        depth += (sign == "(") - (sign == ")")
        if sign in "+-*/" and not depth and place:
            cut = place
    return partial[:cut]


@cache
def mutant(operation: Operation, kind: str, place: int, other: Operation) -> Operation:
    """The operation with a mistake of that kind in one partial; `other` is one with as many parameters."""
    partials = list(operation.partials)
    if kind == "another operation's rule":
        partials[place] = other.partials[place]
    elif kind == "swapped arguments":
        partials = [_exchanged(partial) for partial in partials]
    else:
        *statements, partial = partials[place].split(";")
        partials[place] = ";".join([*statements, " " + CHANGES[kind](partial.strip())])
    return replace(operation, partials=tuple(partials))


def _exchanged(partial: str) -> str:
    """A rule in which somebody has mixed up a and b."""
    words = partial.replace("(", "( ").replace(")", " )").replace(",", " ,").replace("*", " * ").replace("/", " / ")
    return " ".join({"a": "b", "b": "a"}.get(word, word) for word in words.split())


def draw(random: Random, program: Program, nodes: list[int]) -> tuple[str, Program] | None:
    """The program with a mistake in the rule of one of the operations at the nodes, and which mistake it is."""
    candidates = sorted({program.graph.operations[node] for node in nodes}, key=TABLE.index)
    operation = random.choice(candidates)
    others = [
        other
        for other in TABLE
        if other is not operation and other.parameters == operation.parameters and not other.literal
    ]
    kinds = (
        [*CHANGES] + ["swapped arguments"] * (len(operation.partials) > 1) + ["another operation's rule"] * bool(others)
    )
    kind, place = random.choice(kinds), random.randrange(operation.literal, len(operation.partials))
    made = mutant(operation, kind, place, random.choice(others or [operation]))
    if made.partials == operation.partials:
        return None
    graph = copy(program.graph)
    graph.operations = [made if used is operation else used for used in graph.operations]
    return f"{operation.name}: {kind}", replace(program, graph=graph)
