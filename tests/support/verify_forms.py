"""A test of `verify` by derivatives in every form, and by slightly wrong ones.

    python tests/support/verify_forms.py                     1,000 derivatives
    python tests/support/verify_forms.py --derivatives 50

SymPy differentiates random formulas and writes each derivative in its forms: as it comes, expanded, simplified, over
one denominator, in partial fractions, with trigonometry simplified, factored. Each must be accepted. In a wrong one,
some part of the derivative, however deep, is larger by a millionth of itself; each must be refused.
"""

import argparse
import signal
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import sympy
from sympy_formulas import TooLateError, for_sympy, from_sympy, too_late

from autodiff_cli import parse
from autodiff_cli.gradient_check.sampling import sample
from autodiff_cli.gradient_check.verify import Verification, verify

FORMS = ("expand", "simplify", "together", "apart", "trigsimp", "factor")
FUNCTIONS = ("sin", "cos", "tan", "exp", "log", "sqrt", "atan", "asin", "sinh", "cosh", "tanh", "asinh", "erf")
POINTS = 20
NOT_REAL = (sympy.I, sympy.zoo, sympy.nan)


def formula(random: Random, depth: int = 3) -> str:
    """A random formula in x and y."""
    if depth == 0 or random.random() < 0.1:
        return random.choice(("x", "x", "y", str(random.randint(1, 9)), f"{random.uniform(-3, 3):.3g}"))
    first, second = formula(random, depth - 1), formula(random, depth - 1)
    shapes = (
        *("({a} + {b})", "({a} - {b})", "({a}*{b})", "({a}/{b})", "({a})^{n}", "pi*({a})"),
        *("{f}({a})",) * 5,
    )
    shape = random.choice(shapes)
    return shape.format(a=first, b=second, n=random.randint(2, 4), f=random.choice(FUNCTIONS))


def derivatives(random: Random) -> Iterator[tuple[str, Any]]:
    """Formulas of x that SymPy differentiates to something that varies, with that derivative."""
    while True:
        text = formula(random)
        try:
            slope = sympy.diff(for_sympy(sympy, text, exact=True), sympy.Symbol("x", real=True))
        except (TypeError, ValueError, ZeroDivisionError):  # 1/0 and its like
            continue
        if slope.free_symbols and not slope.has(*NOT_REAL):
            yield text, slope


def forms(slope: Any, limit: int) -> Iterator[str]:
    """The texts of a derivative's different forms, without those that take SymPy too many seconds."""
    for name in ("", *FORMS):
        try:
            signal.alarm(limit)
            try:
                form = getattr(sympy, name)(slope) if name else slope
                text = "" if form.has(*NOT_REAL) else from_sympy(sympy, form)
            except (NotImplementedError, sympy.PolynomialError):  # `apart` in several variables
                text = ""
            signal.alarm(0)
        except TooLateError:
            text = ""
        if text:
            yield text


def enlarged(slope: Any, random: Random) -> Any:
    """The derivative with one of its parts larger by a millionth of itself."""
    number = random.randrange(sum(1 for _ in sympy.preorder_traversal(slope)))
    counter = iter(range(number + 1))

    def copy(part: Any) -> Any:
        if next(counter, -1) == number:
            return part * sympy.Rational(1_000_001, 1_000_000)
        return part.func(*map(copy, part.args)) if part.args else part

    return copy(slope)


def answer(formula: str, derivative: str) -> Verification:
    """The answer of `verify`."""
    program = parse(formula)
    points = sample(dict.fromkeys(("x", "y"), (-5.0, 5.0)), POINTS, 0)
    return verify(program, {"x": parse(derivative)}, points)


def main() -> None:
    """Draw, verify, count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--derivatives", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=5, help="seconds for one of SymPy's forms")
    arguments = parser.parse_args()
    signal.signal(signal.SIGALRM, too_late)
    random = Random(arguments.seed)
    texts: set[tuple[str, str]] = set()
    refused: list[tuple[str, str, Verification]] = []
    accepted: list[tuple[str, str, Verification]] = []
    right = wrong = tested = 0
    for drawn, slope in derivatives(random):
        if right == arguments.derivatives:
            break
        plain = answer(drawn, from_sympy(sympy, slope))
        if plain.counterexample is None and plain.compared < POINTS // 2:
            continue  # too few points are in the domain to tell a wrong derivative by
        right += 1
        if not slope.has(sympy.sign):  # a larger number has the same sign
            claim = from_sympy(sympy, enlarged(slope, random))
            found = answer(drawn, claim)
            tested, wrong = tested + 1, wrong + (found.counterexample is not None)
            if found.counterexample is None:
                accepted.append((drawn, claim, found))
        for text in set(forms(slope, arguments.limit)):
            texts.add((drawn, text))
            found = answer(drawn, text)
            if found.counterexample:
                refused.append((drawn, text, found))
        print(f"\r{right} of {arguments.derivatives}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(f"right derivatives accepted: {len(texts) - len(refused):,} of {len(texts):,} forms of {right:,}")
    print(f"wrong derivatives refused: {wrong:,} of {tested:,}")
    for kind, cases in (("refused, although right", refused), ("accepted, although wrong", accepted)):
        for text, claim, found in cases:
            print(f"{kind}: {text}\n  {claim}\n  {found}")
    sys.exit(bool(refused or accepted))


if __name__ == "__main__":
    main()
