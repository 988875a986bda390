"""A random command line with its files: every command, option, format and language has its turn."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from random import Random

import click

from autodiff_cli import cli
from autodiff_cli.conversion import NOTATIONS
from autodiff_cli.operations import FUNCTIONS

from . import texts
from .data_files import data_file
from .texts import HOSTILE_NAMES, NAMES, NUMBERS, RIGHT_NUMBERS, hostile, right_program

OUT = "out"
_NO_FILES = ("-", "nowhere/out.csv", ".", "/dev/null", "/dev/full", "")
# fmt: off
_WEIGHTS = {
    "eval": 12, "diff": 4, "export": 5, "explain": 3, "taylor": 3, "check": 3, "plot": 1, "functions": 0.5,
    "completion": 0.2, "uncertainty": 4,
}
_EXTENSIONS = (
    "", ".json", ".csv", ".tsv", ".jsonl", ".parquet", ".arrow", ".arrows", ".csv.gz", ".csv.zst", ".md", ".txt",
    ".tex", ".c", ".py", ".js", ".rs", ".f90", ".jl", ".sql", ".html", ".svg", ".dot", ".mmd", ".JSON", "é.csv",
    ".pq", ".xlsx", ".expr", ".parquet.zst",
)
# fmt: on
_AT_A_POINT = ("wrt", "output", "precision", "nodes", "allow_nonfinite", "check", "hessian", "order", "expand")
_FOR_ROWS = ("no_inputs", "prefix", "jobs", "strict", "wrt", "allow_nonfinite")
_FOR_LINES = ("strict", "jobs", "precision", "wrt", "allow_nonfinite")
_ALONE = {
    "diff": ("wrt", "order"),
    "export": ("wrt", "name", "hessian", "expand"),
    "explain": ("wrt", "expand", "nodes", "html", "precision", "max_nodes", "allow_nonfinite"),
    "taylor": ("order", "precision", "allow_nonfinite"),
    "check": ("wrt", "nodes", "sweep", "strict", "timeout", "precision"),
    "minimize": ("bounds", "subject", "maximize", "method", "starts", "trace", "precision", "plot"),
    "verify": ("count", "seed", "tolerance"),
    "graph": ("wrt", "expand", "to", "depth", "nodes", "stacked", "precision"),
    "plot": ("wrt", "size", "points", "kind"),
    "functions": (),
}
"""options that go together: command → parameters; those of `eval` depend on what it is given"""
_SLOW = ("png", "pdf", "svg")
"""pictures that another program or a large library makes"""


@dataclass(frozen=True)
class Case:
    """A command line that a person typed, and the files that were there."""

    arguments: tuple[str, ...]
    stdin: bytes = b""
    files: dict[str, bytes] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)


@cache
def options(command: str) -> list[click.Option]:
    """The options of a command."""
    found = cli.group.get_command(click.Context(cli.group), command)
    assert found is not None
    return [parameter for parameter in found.params if isinstance(parameter, click.Option)]


def case(seed: int, number: int) -> Case:
    """The case of that number; the same seed always draws the same cases."""
    return _Draw(Random(f"{seed} {number}")).case()


class _Draw:
    """A command line that is being drawn; most are `careful` to ask for what there is."""

    def __init__(self, random: Random) -> None:
        self.random, self.stdin, self.files = random, b"", dict[str, bytes]()
        self.careful = random.random() < 0.6
        self.command = random.choices([*cli.COMMANDS], [_WEIGHTS.get(command, 2) for command in cli.COMMANDS])[0]
        self.text = (right_program if self.careful or random.random() < 0.5 else texts.wrong_program)(random)
        self.notation = ""
        is_foreign = random.random() < (0.8 if self.command == "convert" else 0.02)
        if is_foreign and any(option.name == "notation" for option in options(self.command)):
            self.notation = random.choice([*NOTATIONS])
            self.text = texts.foreign(random, self.notation)
        self.inputs = texts.inputs(self.text)[:50]
        self.names = (
            self.inputs or ["x"] if self.careful else [*NAMES, *self.inputs, "v1", random.choice(HOSTILE_NAMES)]
        )

    def case(self) -> Case:
        """Everything together, and sometimes a mistake in it."""
        random = self.random
        formula, words = self._formula(), []
        if self.command == "eval" and random.random() < 0.35:
            words, sensible = self._points()
        else:
            words, sensible = self._point(), _AT_A_POINT
        available = [
            option for option in options(self.command) if option.name not in ("file", "inputs_file", "cluster")
        ]
        if self.careful and (self.command == "eval" or self.command in _ALONE):
            given = {"out", "format_", *_ALONE.get(self.command, sensible if self.command == "eval" else ())}
            available = [option for option in available if option.name in given]
        for option in random.sample(available, min(len(available), random.choice((0, 1, 1, 2, 3)))):
            words += self._option(option)
        if "--each" in words:
            formula = []
        words += ["--from", self.notation] if self.notation else []
        words = [*formula, *words] if random.random() < 0.9 or "=" in self.text else [*words, *formula]
        if not self.careful and random.random() < 0.3:
            words = self._mistaken(words)
        if random.random() < 0.3:
            self.files[OUT + random.choice(_EXTENSIONS)] = b"precious"
        environment = (
            {"COLUMNS": random.choice(("0", "1", "20", "200", "99999999", "x"))} if random.random() < 0.05 else {}
        )
        return Case((self.command, *map(texts.argument, words)), self.stdin, self.files, environment)

    def _formula(self) -> list[str]:
        """The formula as an argument, in a file or on standard input."""
        random = self.random
        if self.command == "functions":
            return random.choice(([], [random.choice([*FUNCTIONS])], [hostile(random)]))
        if self.command == "verify":
            names = self.inputs[: 1 if self.careful else random.randint(0, 2)] or ["x"]
            return [self.text, *(right_program(random) for _ in names), "--wrt", ",".join(names)]
        kind, data = random.random(), self.text.encode("utf-8", "replace")
        if kind < 0.6:
            return [self.text]
        if kind > 0.8 and not self.careful:
            data = texts.corrupted(random, data)
        if random.random() < 0.5:
            self.stdin = data
            return random.choice(([], ["-"], ["-f", "-"]))
        self.files["f.expr"] = data
        return ["-f", "f.expr"]

    def _point(self) -> list[str]:
        """Numbers for the inputs, and what else the command needs to have an answer."""
        random, words, inputs = self.random, [], [*self.inputs]
        if self.command == "taylor":
            name = inputs.pop(0) if inputs else "x"
            words = ["--wrt", name, "--at", self._number()]
        elif self.command == "plot":
            names = [inputs.pop() for _ in inputs[: random.choice((1, 1, 1, 2))]] or ["x"]
            words = ["--over", *(f"{name}={self._range()}" for name in names)]
        elif self.command == "minimize":
            names = [inputs.pop() for _ in inputs[: random.randint(1, 3)]] or ["x"]
            words = ["--start", *(f"{name}={self._number()}" for name in names)]
        elif self.command == "export":
            words = self._option(next(option for option in options("export") if option.name == "target"))
        takes_numbers = any(option.name == "assignments" for option in options(self.command))
        if (
            not takes_numbers
            or self.command in ("verify", "diff")
            or (self.command in ("export", "graph") and random.random() < 0.7)
        ):
            return words
        if random.random() < 0.9:
            return [*words, "--set", *(f"{name}={self._number()}" for name in inputs)] if inputs else words
        data = json.dumps({name: self._number() for name in inputs}).encode()
        self.files["inputs.json"] = data if self.careful else texts.corrupted(random, data)
        return [*words, "--inputs", "inputs.json"]

    def _points(self) -> tuple[list[str], tuple[str, ...]]:
        """Many points or formulas: a data file, a grid, a formula a line; and the options that go with them."""
        random, kind = self.random, self.random.random()
        if kind < 0.6:
            name, data = data_file(random, self.inputs or ["x"], broken=not self.careful)
            if random.random() < 0.1:
                self.files |= {f"folder/{i}-{name}": data for i in range(random.randint(1, 3))}
                return ["--data", "folder", "-o", "results"], _FOR_ROWS
            self.files[name] = data
            return ["--data", name], _FOR_ROWS
        if kind < 0.8:
            ranges = [f"{name}={self._range()}:{random.choice((0.5, 1, 0.25))}" for name in self.inputs[:2] or ["x"]]
            rest = [f"{name}={self._number()}" for name in self.inputs[2:]]
            return ["--over", *ranges, *(["--set", *rest] if rest else [])], _FOR_ROWS
        formulas = [self.text, *(right_program(random) for _ in range(random.randint(1, 10)))]
        self.stdin = "\n".join(text.replace("\n", ";") for text in formulas).encode("utf-8", "replace")
        return ["--each", "--set", *(f"{name}={self._number()}" for name in NAMES)], _FOR_LINES

    def _option(self, option: click.Option) -> list[str]:
        name = self.random.choice((*option.opts, *option.secondary_opts))
        if option.is_flag:
            return [name]
        value = self._value(option)
        if option.name == "check":
            return [f"{name}={value}"] if self.random.random() < 0.3 else [name]
        return [f"{name}={value}"] if self.random.random() < 0.1 and name.startswith("--") else [name, value]

    def _value(self, option: click.Option) -> str:
        """A value for an option, mostly one that makes sense."""
        random = self.random
        if not self.careful and random.random() < 0.05:
            return hostile(random)
        if isinstance(option.type, click.Choice):
            choices = [choice for choice in option.type.choices if choice not in _SLOW or random.random() < 0.1]
            return str(random.choice(choices or ["html"]))
        return _VALUES.get(option.name or "", _Draw._number)(self)

    def _mistaken(self, words: list[str]) -> list[str]:
        """The words with one lost, doubled, moved or changed."""
        random = self.random
        place = random.randrange(len(words) + 1)
        word = words[place] if place < len(words) else ""
        piece = random.choice(
            ([], [word, word], [texts.mutated(random, word)], [hostile(random)], ["--"], [word, "--help"], ["--x"])
        )
        return [*words[:place], *piece, *words[place + 1 :]]

    # ---- Values ------------------------------------------------------------------------------------------------------

    def _number(self) -> str:
        random = self.random
        return (
            repr(random.uniform(-3, 3))
            if random.random() < 0.6
            else random.choice(RIGHT_NUMBERS if self.careful else NUMBERS)
        )

    def _name(self) -> str:
        return self.random.choice(self.names)

    def _names(self) -> str:
        return ",".join(self._name() for _ in range(self.random.choice((1, 1, 2, 3))))

    def _range(self) -> str:
        random = self.random
        right = ("-1:1", "0:3", "-2:2", "0.1:5", "-pi:pi")
        return random.choice(
            right if self.careful else (*right, f"{self._number()}:{self._number()}", "1:1", "0:1e-300")
        )

    def _assignment(self) -> str:
        return f"{self._name()}={self._number()}"

    def _file(self) -> str:
        extension = self.random.choice(_EXTENSIONS if self.random.random() < 0.95 else (".png", ".pdf"))
        return self.random.choice((OUT + extension,) * 8 + (() if self.careful else _NO_FILES))

    def _data(self) -> str:
        name, data = data_file(self.random, self.inputs, broken=True)
        self.files[name] = data
        return self.random.choice((name, name, "-", "nowhere.csv"))

    def _whole(self, *usual: int) -> str:
        return str(self.random.choice(usual if self.careful else (*usual, *usual, *usual, 0, -1, 10**20)))


_VALUES: dict[str, Callable[[_Draw], str]] = {
    "assignments": _Draw._assignment,
    "at": _Draw._number,
    "budget": lambda draw: draw.random.choice(("0", "0.01", "1", "4")),
    "bounds": lambda draw: f"{draw._name()}={draw._range()}",
    "columns": _Draw._names,
    "count": lambda draw: draw._whole(1, 10, 100),
    "data": _Draw._data,
    "depth": lambda draw: draw._whole(1, 3, 100),
    "direction": _Draw._assignment,
    "errors": _Draw._file,
    "expand": lambda draw: draw.random.choice(
        ("all", "tanh", "sigmoid", ",".join(draw.random.sample([*FUNCTIONS], 3)))
    ),
    "html": _Draw._file,
    "jobs": lambda draw: draw.random.choice(("1", "1", "2", "0")),
    "keep": _Draw._names,
    "max_nodes": lambda draw: draw._whole(1, 10, 1000),
    "name": _Draw._name,
    "nodes": _Draw._names,
    "order": lambda draw: draw._whole(*(1, 2, 3) * 10, 4, 6, 8, 12, 20, 50, 100),
    "out": _Draw._file,
    "output": _Draw._name,
    "over": lambda draw: f"{draw._name()}={draw._range()}" + (":0.5" if draw.command == "eval" else ""),
    "points": lambda draw: draw._whole(2, 5, 20, 200),
    "precision": lambda draw: draw._whole(0, 4, 17),
    "prefix": lambda draw: draw.random.choice(("p_", "", "a\nb", 'a"b', "grad_", hostile(draw.random))),
    "retries": lambda draw: draw._whole(1),
    "seed": lambda draw: draw._whole(1),
    "size": lambda draw: draw.random.choice(("60x20", "640x480", "0x0", "1x1", "99999x99999", "x", "-1x5", "200x50")),
    "start": _Draw._assignment,
    "starts": lambda draw: draw._whole(1, 3),
    "subject": lambda draw: f"{draw._name()} {draw.random.choice(('<=', '>=', '==', '<', ''))} {draw._number()}",
    "table": lambda draw: draw.random.choice(("t", "a.b", "t\nDROP TABLE x;--", '"', HOSTILE_NAMES[3])),
    "timeout": lambda draw: draw.random.choice(
        ("1", "1", "0.1") if draw.careful else ("0", "nan", "inf", "1e-9", "-1")
    ),
    "worksheet": _Draw._file,
    "wrt": _Draw._names,
}
"""a value for an option that is neither a flag, a choice nor a number: parameter → what draws it"""
