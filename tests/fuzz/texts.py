"""Random texts: programs that follow the grammar, mutated ones, and hostile characters."""

import os
import re
from collections import defaultdict
from functools import cache
from itertools import chain
from random import Random
from typing import Any

import random_programs
from places import EXAMPLES, ROOT
from random_programs import HUGE_AND_TINY, SPECIAL

from autodiff_cli.operations import FUNCTIONS

# fmt: off
NAMES = ("x", "y", "z")
HOSTILE_NAMES = (
    "é", "á̂", "θ", "x₁", "Δt", "ﬁ", "ｘ", "µ", "K", "ſ", "名", "_", "__", "_1", "X", "e", "pi", "nan", "inf", "value",
    "gradient", "v1", "v2", "len", "strlen", "lambda", "import", "if", "class", "double", "real", "select", "from",
    "NaN", "true", "None", "x" * 300, "print", "abs", "sin", "gamma", "grad_x", "row", "self", "f", "x_1",
)
RIGHT_NUMBERS = ("0", "1", "-1", "2", "0.5", "pi", "pi/2", "-e", "1e300", "-1e300", "1e-300", "5e-324", "-0", "1e16")
NUMBERS = (
    *RIGHT_NUMBERS, "1e308*10", "inf", "nan", "1e400", "1e-400", "0x10", "1_000", "1,5", "1e", ".", "-", "--1", "2+3i",
    "x", "", " ", "1/0", "sqrt(-1)", "²", "9007199254740993", "0.1", "000", "-0.0", "1e22", "٣", "½", "1e5", "0" * 99,
)
HOSTILE = (
    "\x1b[31m", "\x1b]0;t\x07", "\x00", "\x07", "\x08", "\x7f", "\x85", "\x9b", "\r", "\n", "\r\n", "\t", "\v", "\f",
    "\u202e", "\u2066", "\u200b", "\u200d", "\ufeff", "\u2028", "\ufffe", "\U0001f600", "\u0301", "a\u0301\u0302",
    "²", "³", "⁴", "½", "√", "∞", "≤", "≠", "−", "·", "×", "÷", "∗", "⁻¹", "’", "“", "ｓｉｎ", "＝", "（", "）", "...",
    "'", '"', "`", "\\", "$", "${HOME}", "%s", "{0}", "[red]", "[/]", "</script>", "*/", "/*", '"""', "--", "//", "#",
    "!", "&", "|", "~", "@", "?", ":", ";", ",", "(", ")", "[", "]", "{", "}", "=", "==", "**", "->", "\\frac",
)
_PIECES = (
    "sin(", "(", ")", "-", "not ", "x^", "1 + ", "max(1, ", "x*", "f(", ",", "1", "x", "where(x > ", "\n", "²", "√(",
    "=",
)
# fmt: on
large_share = 0.002
"""of right programs those that are large, which may take seconds"""
_LONG = 5000  # characters of a formula that is not put into another
_SEPARATORS = ("; ", "\n", "\r\n", "\r", ";\n", " # */ comment -->\n", "\n\n")


def right_program(random: Random) -> str:
    """A program that has a meaning, or nearly always."""
    if random.random() < large_share:
        return large(random)
    return random.choice((_formula, _formula, _formula, statements, _example))(random)


def wrong_program(random: Random) -> str:
    """A program with mistakes, with no meaning, or none at all."""
    draw = random.choice((derived, derived, _mutant, _mutant, _mutant, repeated, hostile))
    return draw(random)


def _formula(random: Random) -> str:
    return random_programs.case(random.getrandbits(30), random.getrandbits(20)).formula


def _example(random: Random) -> str:
    return random.choice(_examples())


def _mutant(random: Random) -> str:
    return mutated(random, right_program(random))


def foreign(random: Random, notation: str) -> str:
    """A formula of another notation: one of its test cases, with mistakes, or in itself many times."""
    text, kind = random.choice(_of_notation(notation)), random.random()
    if kind < 0.6:
        return text if kind < 0.3 else mutated(random, text)
    pieces = re.split(r"(\b[A-Za-z]\b)", text)
    for _ in range(random.choice((2, 5, 20, 60))):
        if len(text) < _LONG and len(pieces) > 1:
            place = random.randrange(1, len(pieces), 2)
            text = "".join([*pieces[:place], f"({text})", *pieces[place + 1 :]])
    return text


@cache
def _of_notation(notation: str) -> list[str]:
    lines = (ROOT / "tests" / "conversion" / f"{notation}_cases.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and line[:2] not in ("= ", "! ", "# ")]


def inputs(text: str) -> list[str]:
    """The names in a program that seem to be inputs."""
    found = dict.fromkeys(re.findall(r"[^\W\d]\w*(?![\w(])", re.sub(r"#.*", "", text)))
    assigned = set(re.findall(r"(?:^|[;\n\r]) *([^\W\d]\w*) *=", text))
    assigned |= set(re.findall(r"(?:sum|prod)\((\w+),", text))
    return [name for name in found if name not in (*assigned, "and", "or", "not", "pi", "e", "inf", "nan")]


@cache
def _examples() -> list[str]:
    """The programs of the examples, and every formula of the sessions and error cases."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.expr"))]
    sessions = chain((ROOT / "tests" / "commands").glob("*.txt"), (ROOT / "tests" / "errors").glob("*.txt"))
    lines = [line for path in sorted(sessions) for line in path.read_text(encoding="utf-8").splitlines()]
    texts += [line.split('"')[1] for line in lines if line.startswith("$ autodiff") and line.count('"') > 1]
    return texts


def statements(random: Random) -> str:
    """A program of several lines, with values and functions of its own."""
    lines: list[str] = []
    names, functions = random.sample(NAMES, random.randint(1, 3)), [""]
    for _ in range(random.randint(1, 5)):
        formula = _formula(random)
        for variable in NAMES:
            if random.random() < 0.5:
                formula = formula.replace(f"({variable}", f"({random.choice(names)}")
        name = random.choice([*"abcdfghnmopquvw", random.choice(HOSTILE_NAMES)])
        if random.random() < 0.3:
            lines.append(f"{name}(x) = {formula}")
            functions.append(name)
        else:
            call = random.choice(functions)
            lines.append(f"{name} = " + (f"{call}({formula})" if call else formula))
            names.append(name)
        if random.random() < 0.2:
            lines.append(f"{random.choice(names)} = {random.choice(RIGHT_NUMBERS)}")
    lines.append(" + ".join(random.sample(names, random.randint(1, len(names)))))
    return "".join(line + random.choice(_SEPARATORS) for line in lines)


def large(random: Random) -> str:
    """A program of thousands of nodes in a short text: a long sum or product, or a formula in itself many times."""
    formula = _formula(random)
    variable = random.choice([name for name in NAMES if re.search(rf"\b{name}\b", formula)] or ["x"])
    place, kind = re.compile(rf"\b{variable}\b"), random.random()
    if kind < 0.4:
        count, term = random.choice((10, 100, 300, 1000, 5000)), random.choice(("({}*k)", "({} + k)", "({} - k/7)"))
        return f"{random.choice(('sum', 'prod'))}(k, 1, {count}, {place.sub(term.format(variable), formula)})"
    depth, text = random.choice((5, 30, 100, 250)), variable
    if kind < 0.7:
        return f"f({variable}) = {formula}; {'f(' * depth}{variable}{')' * depth}"
    for _ in range(depth):
        if len(text) < _LONG:
            text = place.sub(f"({text})", formula, count=1)
    return text


# ---- From the grammar ------------------------------------------------------------------------------------------------


@cache
def _grammar() -> dict[str, list[list[Any]]]:
    """The alternatives of each rule of the grammar, the one that ends soonest first."""
    from lark import Lark

    source = (ROOT / "grammar" / "expression.lark").read_text(encoding="utf-8")
    rules: dict[str, list[list[Any]]] = defaultdict(list)
    for rule in Lark(source, parser="lalr", lexer="basic").rules:
        rules[rule.origin.name].append(list(rule.expansion))
    depths = dict.fromkeys(rules, 10**6)

    def depth(alternative: list[Any]) -> int:
        return 1 + max([0, *(depths[symbol.name] for symbol in alternative if not symbol.is_term)])

    for _ in rules:
        depths |= {name: min(map(depth, alternatives)) for name, alternatives in rules.items()}
    return {name: sorted(alternatives, key=depth) for name, alternatives in rules.items()}


def derived(random: Random) -> str:
    """A text that the grammar derives, whatever it means."""
    pending, left, words = [("start", False)], random.choice((5, 20, 60, 200)), []
    while pending:
        name, is_terminal = pending.pop()
        if is_terminal:
            words.append(_word(random, name))
            continue
        left -= 1
        alternatives = _grammar()[name]
        alternative = random.choice(alternatives) if left > 0 else alternatives[0]
        pending += [(symbol.name, symbol.is_term) for symbol in reversed(alternative)]
    return random.choice(("", " ")).join(words)


# fmt: off
_SIGNS = {
    "AND": " and ", "OR": " or ", "NOT": " not ", "POWER": "^", "PLUS": "+", "MINUS": "-", "SUPERSCRIPT": "²",
    "ROOT": "√", "INFINITY": "∞", "EQUALS": "=", "COMMA": ",", "LPAR": "(", "RPAR": ")", "SEMICOLON": ";",
    "LSQB": "[", "RSQB": "]",
}
# fmt: on
_WORDS = {
    "NUMBER": (*map(str, map(abs, SPECIAL + HUGE_AND_TINY)), "1", "2", "3"),
    "NAME": (*NAMES, *NAMES, "n", *FUNCTIONS, *HOSTILE_NAMES),
    "DEFINED": ("f", "g", "sin", *HOSTILE_NAMES),
    "COMPARISON": ("<=", ">=", "==", "!=", "<", ">", "≤", "≥", "≠"),
    "TIMES": ("*", "/", "%", "·", "⋅", "×", "÷", "∗", "∙"),
    "NEWLINE": ("\n", "\r\n", "\r"),
}


def _word(random: Random, terminal: str) -> str:
    return _SIGNS[terminal] if terminal in _SIGNS else random.choice(_WORDS[terminal])


# ---- Mutations -------------------------------------------------------------------------------------------------------


def mutated(random: Random, text: str) -> str:
    """The text with a few small or large mistakes."""
    for _ in range(random.choice((1, 1, 2, 3, 8))):
        start = random.randint(0, len(text))
        end = min(len(text), start + random.choice((0, 0, 1, 1, 2, 5, 20)))
        piece = random.choice(
            ("", text[start:end] * random.randint(1, 3), random.choice(HOSTILE), random.choice(NUMBERS),
             random.choice(_PIECES), random.choice(HOSTILE_NAMES), hostile(random))
        )  # fmt: skip
        text = text[:start] + piece + text[end:]
    return text


def hostile(random: Random) -> str:
    """A text that no person would write."""
    size = random.choice((1, 2, 5, 20, 100))
    if random.random() < 0.5:
        return "".join(random.choices(HOSTILE + HOSTILE_NAMES + _PIECES, k=size))
    return "".join(chr(random.choice((random.randint(1, 0x2FF), random.randint(1, 0xD7FF)))) for _ in range(size))


def repeated(random: Random) -> str:
    """A piece again and again: deep nesting and long lines."""
    count = random.choice((10, 100, 100, 1000))
    piece, inner = random.choice(_PIECES), random.choice(("x", "1", "", "f"))
    closing = ")" * (count * piece.count("(")) if random.random() < 0.7 else ""
    return piece * count + inner + closing


def corrupted(random: Random, data: bytes) -> bytes:
    """The bytes with some of them lost, doubled, replaced or added."""
    signs = (b"\xff\xfe", b"\xef\xbb\xbf", b"\0", b'"', b"\n", b"\r", b",", b"{", b"nan", b"1e999")
    for _ in range(random.choice((1, 1, 2, 5))):
        start = random.randint(0, len(data))
        end = min(len(data), start + random.choice((0, 1, 1, 4, 50, len(data))))
        strange = random.choice(HOSTILE).encode("utf-8", "surrogatepass")
        piece = random.choice((b"", random.randbytes(1), random.randbytes(4), data[start:end] * 2, strange, *signs))
        data = data[:start] + piece + data[end:]
    return data


def argument(text: str) -> str:
    """The text as an argument of a process can be: without NUL, and only with characters that bytes stand for."""
    data = text.encode("utf-8", "surrogatepass").replace(b"\0", b"")
    return os.fsdecode(data)
