"""Names, numbers and operations as text, in the language and for people."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import inf, isfinite
from typing import Any

from .operations import CONSTANTS, FUNCTIONS, Operation
from .terminal.printable_text import columns

CALL = 100  # binds tighter than every operator
LATEX_ACCENTS = {
    "\u0300": "grave", "\u0301": "acute", "\u0302": "hat", "\u0303": "tilde", "\u0304": "bar", "\u0306": "breve",
    "\u0307": "dot", "\u0308": "ddot", "\u030a": "mathring", "\u030c": "check",
}  # fmt: skip
"""combining character → the accent in LaTeX"""
NUMBER = r"[ \t]*[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|(?i:nan|inf|infinity))[ \t]*"
"""the pattern of a text that is a number, where it is data"""
NOT_ZERO = "^[^eE]*[1-9]"
"""the pattern of the beginning of such a text that is not 0"""
_LEAST_PLAIN = 1e-4  # a smaller number is easier to read with an exponent
_LEAST_LARGE = 1e6  # and so is a number from here up
_MOST_ZEROS = 2  # after the decimal point, of a number with a fixed number of digits there
_DOUBLE = 16  # significant digits of a double after the first


def canonical(name: str) -> str:
    """The normal form of a name: without spaces around it, and in the Unicode normalization form NFKC; `π` is `pi`."""
    name = unicodedata.normalize("NFKC", name.strip())
    return "pi" if name == "π" else name


def as_formula(name: str, known: Collection[str], *, guesses: bool = False) -> str:
    """A name that consists of others, of constants and of calls, without the signs between them, as a formula.

    It is `x*y` for xy, `sin(x)` for sinx, `x*sin(x)` for xsinx, and "" for another name. With `guesses` one of
    the names need not be known where all of them are letters: `m*x` for mx.
    """
    factor = _factor(name, known)
    if not factor.sub("", name):
        return "*".join(f"{match[1]}({match[2]})" if match[1] else match[0] for match in factor.finditer(name))
    letters = {other for other in known if len(other) == 1 and other in name}
    unknown = _factor(name, letters).sub("", name) if guesses and letters else ""
    is_letter = unknown.isalpha() and len({*unknown}) == 1
    return as_formula(name, {*letters, unknown[0]}) if is_letter else ""


def _factor(name: str, known: Collection[str]) -> re.Pattern[str]:
    """The pattern of a factor in a name: a function with its argument, or another name or a constant."""
    unary = (function for function in FUNCTIONS if FUNCTIONS[function][0].counts == (1, 1))
    functions, arguments, others = (_within(name, words) for words in (unary, known, (*known, *CONSTANTS, "π")))
    return re.compile(rf"({functions})({arguments}|\d+\Z)|{others}")


def _within(name: str, words: Iterable[str]) -> str:
    """The pattern of those of the words that are parts of a name, the longest first; without any it fits nowhere."""
    parts = {word for word in words if word in name and word != name}
    return "|".join(map(re.escape, sorted(parts, key=len, reverse=True))) or "(?!)"


def is_constant(name: str, number: float | None) -> bool:
    """Whether a number is that of the language's constant with this name."""
    return name in CONSTANTS and repr(CONSTANTS[name]) == repr(number)


def entry_names(name: str, entries: Any) -> Iterator[str]:
    """The names of the entries of a list: `x[1]`, `x[2]`; those of a list of lists `W[1][1]`, `W[1][2]`."""
    if not isinstance(entries, (tuple, list)):
        yield name
        return
    for number, entry in enumerate(entries, 1):
        yield from entry_names(f"{name}[{number}]", entry)


def listed(value: Any) -> Any:
    """An array, a column or a range as a list; any other value as it is."""
    convert = getattr(value, "tolist", None) or getattr(value, "to_list", None)  # of polars
    if convert:
        return convert()
    return list(value) if isinstance(value, range) else value


def flattened(value: Any) -> Iterator[Any]:
    """The entries of a list, and of the lists within it; a value that is not a list is itself the only one."""
    if isinstance(value, (tuple, list)):
        for entry in value:
            yield from flattened(entry)
    else:
        yield value


def as_list(name: str, entries: Any, numbers: Mapping[str, Any]) -> Any:
    """The list of that name, shaped as `entries`, of the numbers of its entries."""
    if not isinstance(entries, (tuple, list)):
        return numbers[name]
    return [as_list(f"{name}[{number}]", entry, numbers) for number, entry in enumerate(entries, 1)]


def without_brackets(name: str) -> str:
    """The name of an entry of a list as a single word: `x_2` for `x[2]`, `W_1_2` for `W[1][2]`."""
    return name.replace("]", "").replace("[", "_")


def shortest(number: float) -> str:
    """The shortest text that reads back as the same double: `0.1`, `2`, `1e-300`, `inf`."""
    return repr(number).removesuffix(".0")


def decimal(number: float | None, precision: int) -> str:
    """The number with `precision` decimal places, in scientific notation if large or small; "" for None.

    A small number with few zeros has as many significant digits without an exponent: `0.0045`. Zero has no sign.
    """
    if number is None:
        return ""
    size = abs(number)
    if not isfinite(number) or size == 0 or 10.0 ** -min(_MOST_ZEROS, precision) <= size < _LEAST_LARGE:
        return f"{number + 0.0:.{precision}f}"
    scientific = f"{number:.{precision}e}"
    if not _LEAST_PLAIN <= size < 1:
        return scientific
    plain = f"{number:.{precision - int(scientific.partition('e')[2])}f}"
    short = plain[: max(len(plain.rstrip("0")), plain.find(".") + 1 + precision)]
    return min(short if float(short) == number else plain, scientific, key=len)


def by_uncertainty(number: float, u: float, precision: int) -> str:
    """The number as `decimal` writes it, with more digits where its uncertainty `u` is small enough to justify them.

    The last digit then has the place of the second digit of the uncertainty.
    """
    if not 0 < u < inf or not isfinite(number) or number == 0:
        return decimal(number, precision)
    power = int(f"{number:e}".partition("e")[2])
    is_plain = 10.0**-_MOST_ZEROS <= abs(number) < _LEAST_LARGE
    digits = min(_DOUBLE, power - last_digit(u)) - is_plain * power
    return decimal(number, max(precision, digits))


def last_digit(u: float) -> int:
    """The power of ten of the second digit of an uncertainty, rounded to two."""
    return int(f"{u:.1e}".partition("e")[2]) - 1


def probability(number: float, unit: int = 1) -> str:
    """A probability below 1 in four digits, or as many as show its distance from 1; in percent for the unit 100."""
    return f"{unit * number:.{max(4, -last_digit(1 - number))}g}"


def rounded(number: float, digits: int = 6) -> str:
    """The number with at most this many digits: `0.25`, `1e+06`; zero has no sign."""
    return f"{number + 0.0:.{digits}g}"


def counted(count: int, noun: str) -> str:
    """A number of things, as in `1 row` and `1,234 rows`."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def elided(text: str, width: int) -> str:
    """The text with its middle left out where it is longer than the width, in columns."""
    if columns(text) <= width:
        return text
    width = max(width, 1)
    tail = (width - 1) // 2
    return f"{_cut(text, width - 1 - tail)}…{_cut(text[::-1], tail)[::-1]}"


def _cut(text: str, width: int) -> str:
    taken = text[:width]
    while columns(taken) > width:
        taken = taken[:-1]
    return taken


def signature(operation: Operation) -> str:
    """An operation with its parameters: `a + b`, `log(a, b)`, `max(a, …)`."""
    if operation.symbol:
        return operation_text(operation, [(name, CALL) for name in operation.names])
    parameters = "a, …" if operation.variadic else operation.parameters.replace("=", " = ")
    return f"{operation.called}({parameters})"


def operation_text(operation: Operation, operands: Sequence[tuple[str, int]], called: str = "") -> str:
    """An operation on operands, each a text and how tightly it binds, with as few parentheses as possible.

    `called` is the name of a function in place of its usual one.
    """
    if not operation.symbol:
        return f"{called or operation.called}({', '.join([text for text, _ in operands])})"
    binding = operation.precedence
    if len(operands) == 1:
        gap = " " if operation.symbol.isalpha() else ""
        return f"{operation.symbol}{gap}{_enclosed(operands[0], binding)}"
    power = operation.name == "pow"
    comparison = operation.precedence == 4
    left = _enclosed(operands[0], binding + (power or comparison))
    right = _enclosed(operands[1], binding + (not power))
    gap = "" if operation.symbol in "*/^" else " "
    return f"{left}{gap}{operation.symbol}{gap}{right}"


def _enclosed(operand: tuple[str, int], binding: int) -> str:
    text, tightness = operand
    return text if tightness >= binding else f"({text})"
