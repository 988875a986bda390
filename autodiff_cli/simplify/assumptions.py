"""Assumptions about forms: their signs for any inputs, and the facts that follow from a condition."""

from collections.abc import Callable, Mapping
from functools import lru_cache

from ..operations import ABS, AND, CONDITIONS, MAX, MIN, NOT, OR, WHERE
from ..work_budget import charge
from .algebra import Algebra
from .conditions import (  # fmt: skip
    ALWAYS,
    EQUAL,
    GREATER,
    LESS,
    UNORDERED,
    comparison,
    is_comparison,
    joined,
    joined_by,
    outcomes,
    possible,
)
from .forms import Call, E, Form, Leaf, Number, Product, Sum

_POSITIVE = frozenset(["cosh", "sech", "exp2", "sigmoid", "softplus", "erfc", "normpdf", "normcdf"])
_NONNEGATIVE = frozenset(["abs", "hypot", "relu", "acos", "acosh", "asech", "step"])
_SIGN_DEPTH = 6  # levels of a form that are searched for its sign
_DEPTH = 5  # levels of a branch that are simplified by its condition

_MOST_REFINED = 300  # junctions, beyond which conditions are no longer taken apart
_FACT = 2.0e-6  # the work for one and for its use, in seconds

Facts = Mapping[Form | tuple[Form, ...], int]
"""a pair of forms → the outcomes that comparing them may have; another condition → whether it holds, 1 or 0"""

# ---- Signs -----------------------------------------------------------------------------------------------------------


def is_positive(form: Form, depth: int = _SIGN_DEPTH) -> bool:
    """Whether a form is above 0 wherever it has a value; False if that is not known."""
    if isinstance(form, Number):
        return form.value > 0
    if isinstance(form, Leaf):
        return form.node == E
    if isinstance(form, Call):
        return form.operation.name in _POSITIVE or _branches(form, is_positive, depth)
    if isinstance(form, Product):
        return depth > 0 and all(is_positive(base, depth - 1) for base, _ in form.factors)
    assert isinstance(form, Sum)
    return (
        depth > 0
        and is_nonnegative(form, depth)
        and any(is_positive(monomial, depth - 1) for monomial, _ in form.terms)
    )


def is_nonnegative(form: Form, depth: int = _SIGN_DEPTH) -> bool:
    """Whether a form is 0 or above wherever it has a value; False if that is not known."""
    if isinstance(form, Number):
        return form.value >= 0
    if isinstance(form, Product):
        return depth > 0 and all(_is_nonnegative_power(base, exponent, depth - 1) for base, exponent in form.factors)
    if isinstance(form, Sum):
        return depth > 0 and all(number > 0 and is_nonnegative(monomial, depth - 1) for monomial, number in form.terms)
    if isinstance(form, Call) and (form.operation.name in _NONNEGATIVE or _branches(form, is_nonnegative, depth)):
        return True
    return (depth > 0 or isinstance(form, Call)) and is_positive(form, depth)


def _is_nonnegative_power(base: Form, exponent: Form, depth: int) -> bool:
    if isinstance(exponent, Number) and (exponent.value.denominator != 1 or exponent.value % 2 == 0):
        return True  # a power that is not whole has no value for a negative base
    return is_nonnegative(base, depth)


def _branches(form: Call, test: Callable[[Form, int], bool], depth: int) -> bool:
    """Whether a form is a choice, and the test holds for both of its branches."""
    return form.operation is WHERE and depth > 0 and all(test(branch, depth - 1) for branch in form.arguments[1:])


# ---- Facts -----------------------------------------------------------------------------------------------------------


@lru_cache(1000)  # nested choices ask for the same again and again
def facts(condition: Form, holds: bool) -> Facts:
    """The facts that follow where a condition holds, or where it does not."""
    known: dict[Form | tuple[Form, ...], int] = {}
    pending = [(condition, holds)]
    seen: set[tuple[Form, bool]] = set()  # conditions share parts
    while pending:
        part, is_true = pending.pop()
        if (part, is_true) in seen:
            continue
        seen.add((part, is_true))
        if is_comparison(part):
            every = possible(part.arguments)
            known[part.arguments] = known.get(part.arguments, every) & (outcomes(part) if is_true else ~outcomes(part))
        elif isinstance(part, Call) and part.operation is (AND if is_true else OR):
            pending += [(argument, is_true) for argument in part.arguments]
        elif isinstance(part, Call) and part.operation is NOT:
            pending.append((part.arguments[0], not is_true))
        known.setdefault(part, int(is_true))
    charge(_FACT * len(known))
    return known


def _combined(known: Facts, more: Facts) -> Facts:
    return {**known, **{key: value & known.get(key, ALWAYS) for key, value in more.items()}}


def decided(condition: Form, known: Facts) -> bool | None:
    """Whether a condition holds; None where the facts do not say."""
    if condition in known:
        return bool(known[condition])
    if isinstance(condition, Call) and condition.operation is NOT:
        inside = decided(condition.arguments[0], known)
        return None if inside is None else not inside
    if not is_comparison(condition) or condition.arguments not in known:
        return None
    left = known[condition.arguments]
    return True if not left & ~outcomes(condition) else False if not left & outcomes(condition) else None


def refined(algebra: Algebra, form: Form, known: Facts, depth: int = _DEPTH) -> Form:
    """Simplify a form by known facts: replace the conditions that they decide, and the choices by these."""
    if not depth or not known:
        return form
    if isinstance(form, Call):
        return _refined_call(algebra, form, known, depth - 1)
    if isinstance(form, Product):
        powers = [(refined(algebra, base, known, depth - 1), exponent) for base, exponent in form.factors]
        return form if tuple(powers) == form.factors else algebra.product(1, powers)
    if isinstance(form, Sum):
        terms = [(refined(algebra, monomial, known, depth - 1), number) for monomial, number in form.terms]
        return form if tuple(terms) == form.terms else algebra.sum(terms)
    return form


def _refined_call(algebra: Algebra, form: Call, known: Facts, depth: int) -> Form:
    operation, arguments = form.operation, form.arguments
    if operation in CONDITIONS:
        return _refined_condition(algebra, form, known, depth)
    if operation is WHERE:
        c, a, b = arguments
        holds = decided(c, known)
        if holds is not None:
            return refined(algebra, a if holds else b, known, depth)
        if not depth:
            return form
        parts = (
            refined(algebra, c, known, depth),
            _refined_branch(algebra, a, known, c, True, depth),
            _refined_branch(algebra, b, known, c, False, depth),
        )
        return form if parts == arguments else algebra.call(WHERE, parts)
    if operation is ABS or operation.name == "relu":
        return form if known.get((arguments[0], algebra.zero), ALWAYS) & LESS else arguments[0]
    if operation.name == "clip":
        a, low, high = arguments
        inside = not known.get((a, low), ALWAYS) & LESS and not known.get((a, high), ALWAYS) & GREATER
        return a if inside else form
    if operation in (MAX, MIN) and len(arguments) == 2:
        a, b = arguments if arguments in known else arguments[::-1]
        left = known.get((a, b), ALWAYS)
        larger, smaller = (a, b) if operation is MAX else (b, a)
        return form if left & UNORDERED else larger if not left & LESS else smaller if not left & GREATER else form
    return form


def _refined_branch(algebra: Algebra, branch: Form, known: Facts, condition: Form, holds: bool, depth: int) -> Form:
    if isinstance(branch, Number | Leaf):
        return branch
    return refined(algebra, branch, _combined(known, facts(condition, holds)), depth)


def _refined_condition(algebra: Algebra, form: Call, known: Facts, depth: int) -> Form:
    holds = decided(form, known)
    if holds is not None:
        return algebra.one if holds else algebra.zero
    if form.operation in (AND, OR):
        algebra.refined_junctions += 1
        if algebra.refined_junctions > _MOST_REFINED:
            algebra.most_parts = 0
        parts = [part for argument in form.arguments for part in joined_by(algebra, form.operation, argument)]
        short = [refined(algebra, part, known, depth) for part in parts]
        return form if short == parts else joined(algebra, form.operation, short)
    if form.operation is NOT:
        return algebra.call(NOT, (refined(algebra, form.arguments[0], known, depth),))
    left = known.get(form.arguments, ALWAYS)
    if left & outcomes(form) == EQUAL:
        return comparison(algebra, form.arguments, EQUAL)
    return comparison(algebra, form.arguments, ALWAYS & ~EQUAL) if left & ~outcomes(form) == EQUAL else form
