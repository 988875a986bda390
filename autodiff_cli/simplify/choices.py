"""Choices: `where`, and what its condition says about its branches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..operations import OPERATIONS
from .conditions import (  # fmt: skip
    ALWAYS,
    EQUAL,
    GREATER,
    LESS,
    LOGIC,
    Facts,
    both,
    condition,
    facts,
    holds,
    known,
    merged,
    narrowed,
    opposite,
)
from .forms import Call, Form, Leaf, Number, Product, Sum, factors, split

if TYPE_CHECKING:
    from .algebra import Algebra

_WHERE, _OR, _NOT = OPERATIONS["where"], OPERATIONS["or"], OPERATIONS["not"]
_DEPTH = 5  # so far does a condition reach into its branches


def choice(algebra: Algebra, c: Form, a: Form, b: Form) -> Form:
    """`where(c, a, b)`."""
    if isinstance(c, Number):
        return a if c.value else b
    if isinstance(c, Call) and c.row is _NOT:
        c, a, b = c.arguments[0], b, a
    a, b = given(algebra, a, facts(algebra, c, True)), given(algebra, b, facts(algebra, c, False))
    if a is b or (b is algebra.zero and _is_redundant(c, a)):
        return a
    if a is algebra.zero or (b is not algebra.zero and holds(c) and _is_better(algebra, opposite(algebra, c), c)):
        c, a, b = opposite(algebra, c), b, a
    return _with_common_factor(algebra, c, a, b)


def _is_better(algebra: Algebra, c: Form, other: Form) -> bool:
    """Is this the condition to choose by, of two opposite ones? The user's own is, else the one that says more."""
    if (c in algebra.written) != (other in algebra.written):
        return c in algebra.written
    return c.index < other.index if c in algebra.written else holds(c) in (LESS, EQUAL, GREATER)


def _with_common_factor(algebra: Algebra, c: Form, a: Form, b: Form) -> Form:
    """What both branches have in common stands in front; where one is zero, only a number does."""
    (times_a, a), (times_b, b) = split(a, algebra.one), split(b, algebra.one)
    if times_a == 0 or times_b == 0:
        number = times_a or times_b
        a, b = (a, algebra.zero) if times_a else (algebra.zero, b)
        return algebra.scaled(number, _choice(algebra, c, a, b))
    number = times_a if times_a == times_b else -1 if times_a < 0 and times_b < 0 else 1
    powers = dict(factors(b, algebra.one))
    common = {base: e for base, e in factors(a, algebra.one) if powers.get(base) is e}
    inverse = [(base, algebra.scaled(-1, e)) for base, e in common.items()]
    a = algebra.product(times_a, [(a, algebra.one), *inverse, (algebra.number(number), algebra.minus_one)])
    b = algebra.product(times_b, [(b, algebra.one), *inverse, (algebra.number(number), algebra.minus_one)])
    chosen = _choice(algebra, c, a, b)
    return algebra.product(number, [(chosen, algebra.one), *common.items()])


def _choice(algebra: Algebra, c: Form, a: Form, b: Form) -> Form:
    if b is algebra.zero and isinstance(a, Call) and a.row is _WHERE and a.arguments[2] is algebra.zero:
        c, a = both(algebra, c, a.arguments[0]), a.arguments[1]
        if isinstance(c, Number):
            return a if c.value else b
    return algebra.laws.call(algebra, _WHERE, (c, a, b)) or algebra.plain_call(_WHERE, (c, a, b))


def _is_redundant(c: Form, body: Form) -> bool:
    """Is the body zero anyway unless the condition holds?"""
    conditions = {c}
    pending = [c]
    while pending:
        part = pending.pop()
        if isinstance(part, Call) and part.row is _OR:
            conditions.update(part.arguments)
            pending += part.arguments
    terms = body.terms if isinstance(body, Sum) else ((body, 1),)
    return all(
        isinstance(term, Call)
        and term.row is _WHERE
        and term.arguments[0] in conditions
        and isinstance(term.arguments[2], Number)
        and not term.arguments[2].value
        for term, _ in terms
    )


def given(algebra: Algebra, form: Form, what: Facts, depth: int = _DEPTH) -> Form:
    """A form where something is known: the conditions in it that this decides, and what depends on them."""
    if not depth or not what or isinstance(form, Leaf | Number):
        return form
    if isinstance(form, Call):
        return _given_call(algebra, form, what, depth - 1)
    if isinstance(form, Product):
        powers = [(given(algebra, base, what, depth - 1), exponent) for base, exponent in form.factors]
        same = all(new is old for (new, _), (old, _) in zip(powers, form.factors, strict=True))
        return form if same else algebra.product(1, powers)
    if isinstance(form, Sum):
        terms = [(given(algebra, monomial, what, depth - 1), number) for monomial, number in form.terms]
        same = all(new is old for (new, _), (old, _) in zip(terms, form.terms, strict=True))
        return form if same else algebra.sum(terms)
    return form


def _given_call(algebra: Algebra, form: Call, what: Facts, depth: int) -> Form:
    name, arguments = form.row.name, form.arguments
    if name in LOGIC:
        truth = known(form, what)
        if truth is not None:
            return algebra.one if truth else algebra.zero
        if holds(form):
            return narrowed(algebra, form, what)
        return condition(algebra, name, tuple([given(algebra, part, what, depth) for part in arguments]))
    if name == "where":
        c, a, b = arguments
        truth = known(c, what)
        if truth is not None:
            return given(algebra, a if truth else b, what, depth)
        parts = (
            given(algebra, c, what, depth),
            given(algebra, a, merged(what, facts(algebra, c, True)), depth),
            given(algebra, b, merged(what, facts(algebra, c, False)), depth),
        )
        return form if parts == arguments else choice(algebra, *parts)
    if name in ("relu", "abs"):
        possible = what.get((arguments[0], algebra.zero), ALWAYS)
        return arguments[0] if not possible & LESS else form
    if name == "clip":
        a, low, high = arguments
        above = not what.get((a, low), ALWAYS) & LESS
        return a if above and not what.get((a, high), ALWAYS) & GREATER else form
    if name in ("max", "min") and len(arguments) == 2:
        a, b = arguments
        possible = what.get((a, b), what.get((b, a), ALWAYS))
        a, b = (a, b) if (a, b) in what else (b, a)
        a, b = (a, b) if name == "max" else (b, a)
        return a if not possible & LESS else b if not possible & GREATER else form
    return form
