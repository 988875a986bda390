"""Choices: `where`, sums of choices by related conditions, and the slopes of `max` and `min`, which share a tie."""

from collections.abc import Collection, Iterable, Mapping

from ..operations import AND, EQ, GT, LT, NOT, SIGN, WHERE
from .algebra import Algebra
from .assumptions import Facts, decided, facts, refined
from .conditions import EQUAL, GREATER, LESS, is_comparison, joined_by, negation, outcomes, without_redundant_parts
from .forms import Call, Form, Leaf, Number, Product, Sum, Term, whole
from .numbers import Exact

_FINITE = frozenset(
    ["sin", "cos", "abs", "sign", "atan", "asinh", "sigmoid", "erf", "erfc", "normpdf", "normcdf", "max", "min"]
)
_DEPTH = 5  # levels of a form that are searched for what may be infinite


def choice(algebra: Algebra, c: Form, a: Form, b: Form) -> Form:
    """`where(c, a, b)`."""
    c = without_redundant_parts(algebra, c)
    if isinstance(c, Number):
        return a if c.value else b
    if isinstance(c, Call) and c.operation is NOT:
        c, a, b = c.arguments[0], b, a
    a, b = refined(algebra, a, facts(c, True)), refined(algebra, b, facts(c, False))
    if a is b or (b is algebra.zero and _vanishes(algebra, a, facts(c, False))):
        return a
    if a is algebra.zero or (
        b is not algebra.zero and is_comparison(other := negation(algebra, c)) and _is_preferred(algebra, other, c)
    ):
        c, a, b = negation(algebra, c), b, a
    return _with_common_factor(algebra, c, a, b)


def _is_preferred(algebra: Algebra, c: Form, other: Form) -> bool:
    """Whether to write this condition rather than its opposite: the user's own, or else the one that says more."""
    written = algebra.written_conditions
    if (c in written) != (other in written):
        return c in written
    return c.index < other.index if c in written else outcomes(c) in (LESS, EQUAL, GREATER)


def _with_common_factor(algebra: Algebra, c: Form, a: Form, b: Form) -> Form:
    """A choice with the factors of both branches in front; where one branch is zero, with the number of the other."""
    (times_a, a), (times_b, b) = algebra.split(a), algebra.split(b)
    if times_a == 0 or times_b == 0:
        a, b = (a, algebra.zero) if times_a else (algebra.zero, b)
        return algebra.scaled(times_a or times_b, _nested(algebra, c, a, b))
    number = times_a if times_a == times_b else -1 if times_a < 0 and times_b < 0 else 1
    powers = dict(algebra.factors(b))
    common = [(base, exponent) for base, exponent in algebra.factors(a) if powers.get(base) is exponent]
    divisor = [*algebra.inverse(common), (algebra.number(number), algebra.minus_one)]
    a = algebra.product(times_a, [(a, algebra.one), *divisor])
    b = algebra.product(times_b, [(b, algebra.one), *divisor])
    return algebra.product(number, [(_nested(algebra, c, a, b), algebra.one), *common])


def _nested(algebra: Algebra, c: Form, a: Form, b: Form) -> Form:
    """A choice by the laws; `where(c, where(d, a, 0), 0)` is `where(c and d, a, 0)`."""
    if b is algebra.zero and isinstance(a, Call) and a.operation is WHERE and a.arguments[2] is algebra.zero:
        c, a = algebra.call(AND, (c, a.arguments[0])), a.arguments[1]
        if isinstance(c, Number):
            return a if c.value else b
    return algebra.rewritten(WHERE, (c, a, b))


# ---- Sums of choices -------------------------------------------------------------------------------------------------


def join_choices(algebra: Algebra, terms: dict[Form, Exact]) -> list[Term]:
    """Remove from a sum choices that one condition decides, as far as they are not zero; return their replacements.

    The condition that most choices depend on is the outermost: `where(c, a, where(d, b, 0))` has the derivative
    `where(c, a', 0) + where(d and not c, b', 0)`. Choices that share no condition are joined at once, as a sum of many
    would otherwise be looked through for each.
    """
    replacements: list[Term] = []
    for conditions, choices in _by_condition(algebra, terms):
        if choices.keys() <= terms.keys():  # none of them is joined yet
            replacements += _joined_by_one(algebra, terms, conditions, choices)
    return replacements


def _joined_by_one(
    algebra: Algebra, terms: dict[Form, Exact], conditions: Iterable[Form], choices: Mapping[Form, Call]
) -> list[Term]:
    """Remove from a sum the choices that the first fitting condition decides; return their replacement."""
    for c in conditions:
        dependent = [monomial for monomial, inner in choices.items() if _decides(algebra, c, inner)]
        sides = [[refined(algebra, monomial, facts(c, holds)) for monomial in dependent] for holds in (True, False)]
        is_simpler = all(monomial not in pair for monomial, *pair in zip(dependent, *sides, strict=True))
        if len(dependent) > 1 and is_simpler:
            numbers = [terms.pop(monomial) for monomial in dependent]
            a, b = (algebra.sum(zip(side, numbers, strict=True)) for side in sides)
            return [(choice(algebra, c, a, b), 1)]
    return []


def _by_condition(algebra: Algebra, terms: Iterable[Form]) -> Iterable[tuple[Collection[Form], Mapping[Form, Call]]]:
    """Conditions that compare the same, with the monomials whose choices depend on them; most choices first."""
    groups: dict[Form | tuple[Form, ...], tuple[dict[Form, None], dict[Form, Call]]] = {}
    for monomial in terms:
        choice = _choice_in(monomial)
        if choice is None:
            continue
        whole = choice.arguments[0]
        for c in dict.fromkeys(map(_asserted, [whole, *reversed(joined_by(algebra, AND, whole))])):
            conditions, choices = groups.setdefault(c.arguments if is_comparison(c) else c, ({}, {}))
            conditions[c] = None
            choices[monomial] = choice
    return sorted(groups.values(), key=lambda group: (-len(group[1]), len(group[0])))


def _choice_in(monomial: Form) -> Call | None:
    """The choice among the factors of a monomial; None if there is none."""
    bases = [base for base, _ in monomial.factors] if isinstance(monomial, Product) else [monomial]
    return next((base for base in bases if isinstance(base, Call) and base.operation is WHERE), None)


def _asserted(c: Form) -> Form:
    """A condition without a `not`."""
    return c.arguments[0] if isinstance(c, Call) and c.operation is NOT else c


def _decides(algebra: Algebra, c: Form, choice: Call) -> bool:
    """Whether a condition is that of a choice, or the choice is zero where the condition holds or where it does not."""
    is_its_own = c is _asserted(choice.arguments[0])
    return is_its_own or _vanishes(algebra, choice, facts(c, True)) or _vanishes(algebra, choice, facts(c, False))


def _vanishes(algebra: Algebra, form: Form, known: Facts) -> bool:
    """Whether the facts decide the conditions in a form such that it is zero."""
    if isinstance(form, Sum):
        return all(_vanishes(algebra, monomial, known) for monomial, _ in form.terms)
    if isinstance(form, Product):
        return any(_vanishes(algebra, base, known) for base, _ in form.factors)
    if not isinstance(form, Call) or form.operation is not WHERE:
        return isinstance(form, Number) and not form.value
    c, *branches = form.arguments
    holds = decided(c, known)
    if holds is None and any(decided(part, known) is False for part in joined_by(algebra, AND, c)):
        holds = False
    return all(
        _vanishes(algebra, branch, known) for branch in (branches if holds is None else [branches[0 if holds else 1]])
    )


# ---- Ties ------------------------------------------------------------------------------------------------------------


def by_sign(algebra: Algebra, choice: Call) -> Form | None:
    """A choice between two finite branches, with their mean at a tie, without conditions; None for any other.

    `where(a > b, 1, where(a == b, 1/2, 0))`, a slope of `max`, is `(1 + sign(a - b))/2`. Two branches that
    are not numbers stay a choice: in a sum of both, the larger one would take digits from the other.
    """
    c, p, rest = choice.arguments
    number, rest = algebra.split(rest)
    if not is_comparison(c) or c.operation not in (LT, GT) or not isinstance(rest, Call) or rest.operation is not WHERE:
        return None
    tie, mean, q = rest.arguments[0], *(algebra.scaled(number, branch) for branch in rest.arguments[1:])
    if not isinstance(tie, Call) or tie.operation is not EQ or tie.arguments != c.arguments:
        return None
    half = algebra.half.value
    if mean is not algebra.sum([(p, half), (q, half)]) or not (_is_finite(p) and _is_finite(q)):
        return None
    if not (p is algebra.zero or q is algebra.zero or (isinstance(p, Number) and isinstance(q, Number))):
        return None
    a, b = c.arguments
    sign = algebra.apply(SIGN, (algebra.sum([(a, 1), (b, -1)]),))
    slope = algebra.sum([(p, half), (q, -half)] if c.operation is GT else [(p, -half), (q, half)])
    return algebra.sum([(mean, 1), (algebra.times(slope, sign), 1)])


def _is_finite(form: Form, depth: int = _DEPTH) -> bool:
    """Whether a form is finite wherever its inputs are; False if that is not known."""
    if isinstance(form, Number | Leaf):
        return True
    if not depth:
        return False
    if isinstance(form, Product):
        return all((whole(exponent) or 0) > 0 and _is_finite(base, depth - 1) for base, exponent in form.factors)
    if isinstance(form, Sum):
        return all(_is_finite(monomial, depth - 1) for monomial, _ in form.terms)
    assert isinstance(form, Call)
    return form.operation.name in _FINITE and all(_is_finite(argument, depth - 1) for argument in form.arguments)
