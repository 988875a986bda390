"""Measured values as people write them: `4.999±0.0032`, `1.23(4)`, `5±2%`, `10~uniform(0.5)`.

JCGM 100:2008 (the GUM), sections 4.2 and 4.3; JCGM 101:2008, table 1.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import inf, pi, sqrt
from typing import NamedTuple

import numpy
from numpy.random import Generator

from ..arithmetic.arrays import Doubles
from ..errors import AutodiffError
from ..notation import shortest
from ..program import as_double

_SIGN = r"(?:±|\+/?-|\\pm)"
_PLUS_MINUS = re.compile(rf"(?P<value>.+?){_SIGN}(?P<u>.+?)(?:@(?P<df>.+))?", re.DOTALL)
_FACTORED = re.compile(
    rf"\(([+-]?[\d.]+)\s*{_SIGN}\s*([\d.]+)\)\s*(?:(?:[*×]\s*1)?[eE]|[*×]\s*10\s*(?:\^|\*\*)\s*)([+-]?\d+)"
)
"""a value and its uncertainty, in parentheses, times a power of ten"""
_CONCISE = re.compile(
    r"(?P<value>[+-]?(?=\.?\d)\d*(?:\.(?P<decimals>\d*))?)\((?P<u>\d+(?:\.\d*)?)\)(?P<power>[eE][+-]?\d+)?"
)
_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_ASYMMETRIC = re.compile(
    rf"(?P<value>[+-]?{_NUMBER})\s*(?P<sign>[+-])\s*(?P<a>{_NUMBER})\s*/?\s*(?!(?P=sign))[+-]\s*(?P<b>{_NUMBER})"
)
"""a value with one uncertainty upwards and another downwards, which also reads as a sum"""
_DRAWN = re.compile(r"(?P<value>.*?)~\s*(?P<name>\w+)\s*\((?P<arguments>.*)\)", re.DOTALL)
_BEFORE_PARENTHESIS = re.compile(r"(?<![\w.])[\d.]+(?:[eE][+-]?\d+)?\(")
"""a number that nothing separates from a parenthesis, which is not a formula"""
_FORMS = "write 4.999±0.0032, 1.23(4), 1.23(4)e3, 5±2% or 10~uniform(0.5)"


class Distribution(NamedTuple):
    """A distribution around a value: its parameters, its standard uncertainty, and how it is drawn."""

    parameters: Sequence[str]
    """the half-width or the uncertainty first; one with `=` may be left out"""
    deviation: Callable[..., float]
    kurtosis: Callable[..., float]
    """its fourth moment, in units of the standard uncertainty"""
    draw: Callable[..., Doubles]
    """(generator, count, *parameters) → deviations from the value"""


def _curved(generator: Generator, count: int, half: float, inexact: float) -> Doubles:
    """Uniform between limits that are uniform themselves (JCGM 101, 6.4.3.4)."""
    low = -half - inexact + 2 * inexact * generator.random(count)
    return low + (-2 * low) * generator.random(count)


def _curved_kurtosis(half: float, inexact: float) -> float:
    """The mean of h⁴/5, in units of the square of the mean of h²/3, for half-widths h that are uniform themselves."""
    ratio = (inexact / half) ** 2
    return 9 / 5 * (1 + 2 * ratio + ratio**2 / 5) / (1 + ratio / 3) ** 2


DISTRIBUTIONS = {
    "normal": Distribution(
        ("u", "k=1"), lambda u, k: u / k if k else inf, lambda u, k: 3.0, lambda rng, n, u, k: rng.normal(0, u / k, n)
    ),
    "uniform": Distribution(("a",), lambda a: a / sqrt(3), lambda a: 9 / 5, lambda rng, n, a: rng.uniform(-a, a, n)),
    "triangular": Distribution(
        ("a",), lambda a: a / sqrt(6), lambda a: 12 / 5, lambda rng, n, a: a * (rng.random(n) - rng.random(n))
    ),
    "arcsine": Distribution(
        ("a",), lambda a: a / sqrt(2), lambda a: 3 / 2, lambda rng, n, a: a * numpy.sin(2 * pi * rng.random(n))
    ),
    "t": Distribution(("u", "df"), lambda u, df: u, lambda u, df: 3.0, lambda rng, n, u, df: u * rng.standard_t(df, n)),
    "trapezoid": Distribution(("a", "d"), lambda a, d: sqrt(a * a / 3 + d * d / 9), _curved_kurtosis, _curved),
}
DISTRIBUTIONS["rectangular"] = DISTRIBUTIONS["uniform"]  # the name in the GUM
"""name → the distribution; `trapezoid` is the curvilinear one, of half-width a known to within d; `t`, whose moments
need not exist, has those of a normal distribution"""
_SIZES = frozenset("uad")
"""the parameters that have the unit of the value"""


@dataclass(frozen=True)
class MeasuredValue:
    """A value with its standard uncertainty."""

    value: float
    u: float = 0.0
    df: float = inf
    """degrees of freedom of the uncertainty"""
    distribution: str = "normal"
    parameters: tuple[float, ...] = ()
    """of the distribution; a normal one may leave them out, as it has `u`"""
    deviations: tuple[float, ...] = field(default=(), kw_only=True, repr=False)
    """of the readings whose mean it is, scaled to a length of 1; means with deviations were read together"""

    @property
    def kurtosis(self) -> float:
        """The fourth moment of the distribution, in units of u⁴."""
        return DISTRIBUTIONS[self.distribution].kurtosis(*self._arguments) if self.u else 3.0

    def draw(self, generator: Generator, count: int) -> Doubles:
        """Values at random."""
        return self.value + DISTRIBUTIONS[self.distribution].draw(generator, count, *self._arguments)

    @property
    def _arguments(self) -> tuple[float, ...]:
        return self.parameters or (self.u, 1.0)


def measured(name: str, text: str, number: Callable[[str], float]) -> MeasuredValue:
    """The measured value that a text denotes; a number alone is exact. `number` reads a number or constant expression.

    Raises AutodiffError for any other text, and for an uncertainty that is negative.
    """
    text = text.strip().replace("−", "-")
    if factored := _FACTORED.fullmatch(text):
        text = factored.expand(r"\1e\3±\2e\3")
    if concise := _CONCISE.fullmatch(text):
        scale = 1.0 if "." in concise["u"] else 10.0 ** -len(concise["decimals"] or "")
        power = concise["power"] or ""
        u = float(f"{concise['u']}{power}") * scale
        return checked(name, MeasuredValue(float(concise["value"] + power), u))
    if drawn := _DRAWN.fullmatch(text):
        return checked(name, _drawn(name, drawn, number))
    quantity, at, df = map(str.strip, text.rpartition("@"))
    if at:
        _require_freedom(name, quantity, df, number)
    signs = len(re.findall(_SIGN, text))
    if signs == 1 and (stated := _PLUS_MINUS.fullmatch(text)):
        value = number(stated["value"].strip())
        freedom = number(stated["df"]) if stated["df"] else inf
        return checked(name, MeasuredValue(value, _size(stated["u"].strip(), value, number), freedom))
    if asymmetric := _ASYMMETRIC.fullmatch(text):
        larger = max(asymmetric["a"], asymmetric["b"], key=float)
        raise AutodiffError(
            f"`{name}`: `{text}` reads as an asymmetric uncertainty, which is not supported",
            hint=f"write {asymmetric['value']}±{larger} for both sides, or ({text}) for the sum",
        )
    if signs or _BEFORE_PARENTHESIS.search(text):
        raise AutodiffError(f"`{name}`: `{text}` is not a value with an uncertainty", hint=_FORMS)
    return MeasuredValue(number(text))


def _require_freedom(name: str, quantity: str, df: str, number: Callable[[str], float]) -> None:
    """Raise AutodiffError for degrees of freedom behind `@` that are missing, or follow a distribution."""
    if drawn := _DRAWN.fullmatch(quantity):
        distributed = _drawn(name, drawn, number)
        message = f"`{name}`: `{drawn['name']}` has no degrees of freedom behind `@`, which are for ±"
        raise AutodiffError(message, hint=f"write {shortest(distributed.value)}±{distributed.u:.4g}@{df or 12}")
    if not df:
        hint = f"write {quantity}@12, with your number"
        raise AutodiffError(f"`{name}`: there are no degrees of freedom behind `@`", hint=hint)


def _size(text: str, value: float, number: Callable[[str], float]) -> float:
    """The number of an uncertainty or a half-width, which with a % is relative to the value."""
    return number(text[:-1].strip()) / 100 * abs(value) if text.endswith("%") else number(text)


def _drawn(name: str, text: re.Match[str], number: Callable[[str], float]) -> MeasuredValue:
    distribution = _distribution(name, text["name"])
    if not text["value"]:
        raise _wrong_form(name, f"there is no value before `{text[0]}`", text["name"])
    value = number(text["value"].strip())
    given = [part.rpartition("=") for part in text["arguments"].split(",") if part.strip()]
    words = [parameter.partition("=") for parameter in distribution.parameters]
    values = {word: float(default) for word, _, default in words if default}
    for place, (word, _, argument) in enumerate(given):
        key = word.strip() or (words[place][0] if place < len(words) else "")
        if key not in [word for word, _, _ in words]:
            raise _wrong_form(name, f"`{text['name']}` has other parameters", text["name"])
        values[key] = _size(argument.strip(), value, number) if key in _SIZES else number(argument.strip())
    if len(values) < len(words):
        raise _wrong_form(name, f"`{text['name']}` has other parameters", text["name"])
    parameters = tuple(values[word] for word, _, _ in words)
    df = values.get("df", inf)
    return MeasuredValue(value, distribution.deviation(*parameters), df, text["name"], parameters)


def _distribution(name: str, called: str) -> Distribution:
    if called not in DISTRIBUTIONS:
        raise AutodiffError(f"`{name}`: there is no distribution `{called}`", hint=f"use {', '.join(DISTRIBUTIONS)}")
    return DISTRIBUTIONS[called]


def _wrong_form(name: str, message: str, called: str) -> AutodiffError:
    parameters = DISTRIBUTIONS[called].parameters
    hint = f"write 10~{called}({', '.join(parameters)}), with your numbers"
    return AutodiffError(f"`{name}`: {message}", hint=hint + "; a is the half-width" * ("a" in parameters))


def checked(name: str, quantity: MeasuredValue) -> MeasuredValue:
    """The quantity in doubles. Raises AutodiffError for one that is impossible."""
    quantity = replace(
        quantity,
        value=as_double(name, quantity.value),
        u=as_double(name, quantity.u, "the uncertainty of "),
        df=as_double(name, quantity.df, "the degrees of freedom of "),
        parameters=tuple(as_double(name, number, "a parameter of ") for number in quantity.parameters),
    )
    called = quantity.distribution
    needed = len(_distribution(name, called).parameters)
    if len(quantity.parameters) != needed and (quantity.parameters or called != "normal"):
        raise _wrong_form(name, f"`{called}` has other parameters", called)
    if not quantity.df > 0:
        raise AutodiffError(f"`{name}`: degrees of freedom are above 0, not {quantity.df:g}", hint=_FORMS)
    wrong = next((number for number in (*quantity.parameters, quantity.u) if not 0 <= number < inf), None)
    if wrong is not None:
        raise AutodiffError(f"`{name}`: an uncertainty is 0 or more, not {wrong:g}", hint=_FORMS)
    if called == "trapezoid" and quantity.parameters[1] >= quantity.parameters[0]:  # JCGM 101, 6.4.3.1
        half, inexact = quantity.parameters
        message = f"`{name}`: limits that are uncertain by {inexact:g} need a larger half-width than {half:g}"
        raise AutodiffError(message, hint="make d smaller than a in ~trapezoid(a, d)")
    return quantity
