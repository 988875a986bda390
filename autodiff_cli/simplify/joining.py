"""Sums of choices: several by the same condition, or by conditions that exclude each other, as one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..operations import OPERATIONS
from .choices import choice, given
from .conditions import Facts, facts, holds, known
from .forms import Call, Form, Product, Sum
from .numbers import Exact

if TYPE_CHECKING:
    from .algebra import Algebra

_WHERE, _NOT = OPERATIONS["where"], OPERATIONS["not"]


def join(algebra: Algebra, terms: dict[Form, Exact]) -> list[tuple[Form, Exact]]:
    """Choices by the same condition, taken out of a sum's terms: what takes their place."""
    choices = [(monomial, found) for monomial in terms if (found := _chosen(monomial)) is not None]
    for place, (monomial, first) in enumerate(choices):
        c = _asserted(first)
        same = [m for m, other in choices[place + 1 :] if _asserted(other) is c]
        if same:
            return [_joined(algebra, c, [(m, terms.pop(m)) for m in (monomial, *same)])]
        for m, other in choices[place + 1 :]:
            for one, two in ((first, other), (other, first)):
                if _exclude(algebra, one, two):
                    return [_joined(algebra, one.arguments[0], [(n, terms.pop(n)) for n in (monomial, m)])]
    return []


def _chosen(monomial: Form) -> Call | None:
    """The choice that a monomial is, or has as a factor."""
    for base, _ in monomial.factors if isinstance(monomial, Product) else ((monomial, None),):
        if isinstance(base, Call) and base.row is _WHERE:
            return base
    return None


def _asserted(chosen: Call) -> Form:
    """The condition of a choice, without a `not`."""
    c = chosen.arguments[0]
    return c.arguments[0] if isinstance(c, Call) and c.row is _NOT else c


def _exclude(algebra: Algebra, first: Call, other: Call) -> bool:
    """Is the second choice zero where the condition of the first holds?"""
    a, b = first.arguments[0], other.arguments[0]
    if not (isinstance(a, Call) and isinstance(b, Call) and holds(a) and a.arguments == b.arguments):
        return False
    return _vanishes(algebra, other, facts(algebra, a, True))


def _vanishes(algebra: Algebra, form: Form, what: Facts) -> bool:
    """Is the form zero where something is known, by its conditions alone?"""
    if isinstance(form, Sum):
        return all(_vanishes(algebra, monomial, what) for monomial, _ in form.terms)
    if isinstance(form, Product):
        return any(_vanishes(algebra, base, what) for base, _ in form.factors)
    if not isinstance(form, Call) or form.row is not _WHERE:
        return form is algebra.zero
    truth = known(form.arguments[0], what)
    branches = form.arguments[1:] if truth is None else [form.arguments[1 if truth else 2]]
    return all(_vanishes(algebra, branch, what) for branch in branches)


def _joined(algebra: Algebra, c: Form, terms: Iterable[tuple[Form, Exact]]) -> tuple[Form, Exact]:
    terms = list(terms)
    branches = []
    for truth in (True, False):
        what = facts(algebra, c, truth)
        branches.append(algebra.sum([(given(algebra, monomial, what), number) for monomial, number in terms]))
    return choice(algebra, c, *branches), 1
