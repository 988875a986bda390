"""A program: the graph of a text, the names in it, and the inputs that take numbers."""

import re
import reprlib
from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from math import isinf, nan
from operator import itemgetter
from typing import Any, Protocol
from warnings import warn

from .errors import AutodiffError, Remedy, Source, did_you_mean, quoted_names
from .graph import Graph
from .notation import (
    CALL,
    NOT_ZERO,
    NUMBER,
    as_formula,
    as_list,
    canonical,
    counted,
    entry_names,
    flattened,
    listed,
    operation_text,
    shortest,
)
from .operations import CONSTANTS, FUNCTIONS, INPUT, NEG

_MOST_MISSING = 10  # inputs that a message names
_END_LENGTH = 200  # characters shown at either end of a long formula
_COMMENT = r"#[^\r\n]*+"


class DataFrame(Protocol):
    """A pandas or polars data frame, as far as its type matters here."""

    def to_dict(self) -> Any:
        """The columns by name."""

    def __contains__(self, name: str, /) -> bool: ...
    def __getitem__(self, name: str, /) -> Any: ...


@dataclass(frozen=True, eq=False, repr=False)
class Program:
    """A parsed formula; nodes are indices into its graph. Programs are compared by identity, so one can be a key."""

    source: Source
    graph: Graph
    names: dict[str, int]
    """every name that is defined at the end of the text → its node"""
    inputs: dict[str, int]
    """the inputs, in the order in which the text names them → their nodes"""
    constants: dict[str, int]
    """the built-in constants that the text uses; a number given for one makes it an input"""
    assigned: tuple[str, ...]
    """the names that the text assigns, in order"""
    unused: tuple[tuple[int, int], ...]
    """the spans of formulas that have no name and are not the last, so that nothing can use them"""
    output: int
    output_name: str | None
    """the name of the output, where it has one"""
    lists: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    """the names that are lists at the end of the text → their entries: nodes, or lists again"""
    steps: dict[int, str] = field(default_factory=dict)
    """nodes that were added to those of the text → the result that they are a step to, whose name messages use"""

    def __str__(self) -> str:
        return self.source.text

    def __repr__(self) -> str:
        output = f", output={self.output_name!r}" if self.output_name else ""
        return f"Program({_abridged(self.source.text)!r}{output})"

    def entries(self, names: Iterable[str]) -> list[str]:
        """The names, each once; a list's name is replaced by those of its entries, or of the entries that are used."""
        return list(dict.fromkeys(entry for name in names for entry in self._entries(name)))

    def _entries(self, name: str) -> Iterable[str]:
        if name in self.names or name in self.lists:
            return entry_names(name, self.lists.get(name))
        return [entry for entry in self.inputs if entry.startswith(f"{name}[")] or [name]

    @cached_property
    def list_names(self) -> set[str]:
        """The names of the lists, including lists (and lists within them) of which only entries are used."""
        used = (name[:place] for name in self.inputs for place, letter in enumerate(name) if letter == "[")
        return {*self.lists, *used}

    def list_entries(self, name: str, value: Any) -> dict[str, Any]:
        """The numbers of a list, or of an array, by the names of its entries.

        Raises AutodiffError if the list has another shape in the program.
        """
        given = listed(value)
        is_array = given is not value
        flat = (nan if number is None and is_array else number for number in flattened(given))  # a masked entry
        entries = dict(zip(entry_names(name, given), flat, strict=True))
        expected = self.entries([name])
        if name in self.lists and list(entries) != expected:
            verb = "is" if len(entries) == 1 else "are"
            expectation = counted(len(expected), "number")
            message = f"`{name}` has {expectation} in the formula, and {len(entries)} {verb} given"
            raise AutodiffError(message, hint="give a list of the same shape")
        if any(f"{entry}[1]" in entries for entry in expected):
            message = f"`{name}` has numbers in the formula, and lists are given"
            hint = f"for many points give each entry its array: list({name}), or list({name}.T) where rows are points"
            raise AutodiffError(message, hint=hint)
        return entries

    def given_lists(self, numbers: Mapping[str, Any]) -> dict[str, Any]:
        """The lists whose entries all have a number, as lists of these numbers."""
        return {
            name: as_list(name, entries, numbers)
            for name, entries in self.lists.items()
            if all(entry in numbers for entry in entry_names(name, entries))
        }

    def by_list(self, numbers: Mapping[str, Any]) -> dict[str, Any]:
        """The numbers by name, with a list in place of those of its entries."""
        if not self.lists:
            return dict(numbers)
        lists = self.given_lists(numbers)
        names = (name.partition("[")[0] for name in numbers)
        return {
            base if base in lists else name: lists.get(base, numbers[name])
            for name, base in zip(numbers, names, strict=True)
        }

    @cached_property
    def aliases(self) -> dict[int, list[str]]:
        """The nodes that have more names than their label → the others, in the order of the text: `y` in `y = x`."""
        aliases: dict[int, list[str]] = {}
        for name, node in self.names.items():
            if self.graph.labels.get(node) != name:
                aliases.setdefault(node, []).append(name)
        return aliases

    def select(self, output: str) -> "Program":
        """The same program with another named value as its output; `str` gives the whole text."""
        if output in self.lists:
            entry = self.entries([output])[0]
            remedy = Remedy("entry of a list", (output, entry), f"choose an entry, such as `{entry}`")
            raise AutodiffError(f"`{output}` is a list, not a number", remedy=remedy)
        if output not in self.names:
            raise AutodiffError(f"no value is named `{output}`", hint=self._suggestion(output))
        return replace(self, output=self.names[output], output_name=output)

    def inputs_given(self, given: Collection[str]) -> dict[str, int]:
        """The inputs of this program when numbers are given for some: name → node, in the order of the text."""
        inputs, constants = self.inputs, self.constants
        shadowed = constants and {name: constants[name] for name in constants if name in given and name not in inputs}
        if shadowed:
            inputs = dict(sorted((inputs | shadowed).items(), key=itemgetter(1)))
        for name in [name for name in given if name not in inputs]:
            if name in self.names:
                raise self._computed(name)
            if name in self.lists:
                entries = self.entries([name])
                message = f"`{name}` is a list of {counted(len(entries), 'number')}, and one number is given"
                raise AutodiffError(message, hint=f"give a list, or the number of an entry such as `{entries[0]}`")
        return inputs

    def warn_of_misspelt(self, given: Collection[str], others: Container[str] = (), *, stacklevel: int) -> None:
        """Warn about given names that the program lacks and that are almost those of inputs left at their defaults.

        The `others` have their numbers elsewhere. The `stacklevel` is that of `warnings.warn` in the caller.
        """
        unset = [
            name
            for name, node in self.inputs.items()
            if node in self.graph.numbers and name not in given and name not in others
        ]
        for name in given if unset else ():
            if name not in self.names and name not in self.list_names and (hint := did_you_mean(name, unset)):
                warn(f"`{name}` is set, but the formula does not use it: {hint}", stacklevel=stacklevel + 1)

    def node(self, name: str, inputs: Mapping[str, int]) -> int | None:
        """The node of a name, looked up in `inputs` first; None for a name that the program does not have."""
        return inputs.get(name, self.names.get(name))

    def nodes(self, wrt: Iterable[str], inputs: Mapping[str, int], given: Collection[str]) -> list[int]:
        """The nodes of the names in `wrt`, except for names outside the program that are given a number."""
        nodes = []
        for name in wrt:
            node = self.node(name, inputs)
            if node is None and name not in given:
                raise AutodiffError(
                    f"`{name}` is neither in the program nor given a value",
                    hint=self._suggestion(name),
                )
            if node is not None:
                nodes.append(node)
        return nodes

    def _computed(self, name: str) -> AutodiffError:
        return AutodiffError(
            f"`{name}` is computed by the program, so it cannot be set",
            span=self.graph.span(self.names[name]),
            source=self.source,
            hint=f"set the inputs that it is computed from, or take out the statement that assigns `{name}`",
        )

    def missing(self, names: Iterable[str], given: Iterable[str] = (), *, place: str = "the point") -> AutodiffError:
        """The error for inputs that have no value, where the names in `given` have one; numbers have their `place`."""
        absent = list(names)
        listed, count = quoted_names(absent, _MOST_MISSING), f"{len(absent):,} " * (len(absent) > _MOST_MISSING)
        return AutodiffError(
            f"no value for the {count}input{'s' * (len(absent) > 1)} {listed}",
            span=self.graph.span(self.inputs[absent[0]]),
            source=self.source,
            remedy=Remedy("missing inputs", tuple(absent), f"pass {listed} in {place}", self._meant(absent, given)),
        )

    def _meant(self, absent: list[str], given: Iterable[str]) -> str:
        """The lead of a hint: that an input seems to be a function, a constant, a derivative or a product; else ""."""
        function = next((name for name in absent if name in FUNCTIONS), None)
        if function:
            return f"the function `{function}` needs parentheses: {function}(…); "
        constant = next((name.lower() for name in absent if name.lower() in CONSTANTS), None)
        if constant:
            return f"the constant is written {constant}; "
        if any(name.lower() in ("deg", "degree") for name in absent):
            return "for an angle in degrees write radians(x); "
        for dy, dx in pairwise(absent):
            y, x = dy[1:], dx[1:]
            if dy[0] == dx[0] == "d" and y in self.assigned and x in self.names:
                slope = along_curve(self.graph, y, x, [self.names[y]], self.names[x])
                return f"for the derivative write {slope or f'D({y}, {x})'}; "
        known = [*self.names, *given]
        for name in absent[:_MOST_MISSING]:
            if formula := as_formula(name, known, guesses=True):
                return f"for {'a product' if '*' in formula else 'the function'} write {formula}; "
        return ""

    def text(self, node: int) -> str:
        """The name of a node: its label, else its text in the source."""
        return self.graph.labels.get(node) or self.formula(node)

    def title(self, node: int, apart: Container[str] = ()) -> str:
        """All names of a node except for those that are shown `apart`, such as `y = x`; else its text."""
        names = (*reversed(self.aliases.get(node, ())), self.text(node))
        return " = ".join(name for name in names if name not in apart)

    def formula(self, node: int) -> str:
        """The node's text in the source, on one line; if it has none there, one composed of its operands' texts."""
        graph = self.graph
        if node in self.steps:
            return self.steps[node]
        if node in graph.unwritten:
            if graph.arguments[node]:
                return self._composed(node)
            return graph.labels.get(node) or shortest(graph.numbers[node])
        start, end = graph.span(node)
        text = " ".join(_without_comments(self.source.text[start:end]).split())
        if node in graph.numbers and not text[:1].isdecimal() and text[:1] not in (".", "-", "−"):
            return graph.labels.get(node) or shortest(graph.numbers[node])  # x², or the default of a parameter
        return text

    def _composed(self, node: int) -> str:
        """The text of a node that is not in the source, composed of the texts of its operands."""
        graph, texts = self.graph, self._composed_texts
        pending = [] if node in texts else [node]
        while pending:
            part = pending[-1]
            operands = graph.arguments[part]
            missing = [a for a in operands if self._is_composed(a) and a not in texts]
            pending += missing
            if not missing:
                texts[part] = _abridged(
                    operation_text(graph.operations[part], [(self.text(a), self.binding(a)) for a in operands])
                )
                pending.pop()
        return texts[node]

    def _is_composed(self, node: int) -> bool:
        graph = self.graph
        return node in graph.unwritten and node not in graph.labels and bool(graph.arguments[node])

    @cached_property
    def _composed_texts(self) -> dict[int, str]:
        return {}

    def binding(self, node: int) -> int:
        """The precedence of the node's text."""
        operation = self.graph.operations[node]
        if not operation.symbol and node not in self.graph.labels and self.graph.numbers.get(node, 0.0) < 0:
            return NEG.precedence
        return CALL if node in self.graph.labels or not operation.symbol else operation.precedence

    def _suggestion(self, name: str) -> str:
        listed = f"the program has {quoted_names(self.names)}" if self.names else "the program names nothing"
        return did_you_mean(name, self.names) or listed


def along_curve(graph: Graph, y: str, x: str, nodes: Iterable[int], variable: int) -> str:
    """dy/dx along a curve, as in `D(y, t)/D(x, t)`, where x and y are computed from the same input t; else "".

    `y` and `x` are the texts of the `nodes` and of the `variable`.
    """
    needed = {*graph.needed_by(*nodes)}
    inputs = (node for node in graph.needed_by(variable) if node in needed and graph.operations[node] is INPUT)
    parameter = None if variable in needed else next(inputs, None)
    return "" if parameter is None else f"D({y}, {graph.labels[parameter]})/D({x}, {graph.labels[parameter]})"


def by_canonical_name(given: Any, contents: str = "numbers", example: str = '{"x": 2}') -> dict[str, Any]:
    """A mapping, or the columns of a data frame, with the normal forms of the names as keys; empty for None.

    Keys that are not texts, as columns may have, are converted. Raises AutodiffError for anything but a mapping or a
    frame, with an `example` of its `contents`, and for two names with one normal form.
    """
    if given is None:
        return {}
    try:
        if hasattr(given, "to_dict") and hasattr(given, "columns"):
            items = ((name, given[name]) for name in given.columns)  # for a repeated name pandas has a frame
        else:
            items = given.items()
    except AttributeError:
        hint = f"give a dictionary such as {example}, or a data frame of pandas or polars"
        raise AutodiffError(f"{contents} are given by name, not as `{type(given).__name__}`", hint=hint) from None
    named: dict[str, Any] = {}
    labels: dict[str, Any] = {}
    for label, value in items:
        name = canonical(label_text(label))
        if labels.setdefault(name, label) != label:
            message = f"`{name}` is given twice, as `{labels[name]}` and as `{label}`"
            raise AutodiffError(message, hint="leave one of the two out")
        named[name] = value
    return named


def label_text(label: Any) -> str:
    """The label of a column as a text; pandas takes `a` for a column of several levels, `a` and empty ones."""
    return str(label[0] if isinstance(label, tuple) and all(part == "" for part in label[1:]) else label)


def as_double(name: str, given: Any, part: str = "", hint: str = "give a real number") -> float:
    """The number that is given for a name, or for a `part` of it such as "entry 2 of ", as a double.

    A text is read as in a data file. Raises AutodiffError for what is not a real number, and for one
    that is too large or too small for a double.
    """
    try:
        if getattr(getattr(given, "dtype", None), "kind", "") == "c":  # NumPy would take the real part
            raise TypeError
        return _double_of_text(given) if isinstance(given, str) else float(given)
    except OverflowError:
        size = "small" if isinstance(given, str) and not float(given) else "large"
        hint = "the range is about 5e-324 to 1.8e308; infinity is math.inf"
        raise AutodiffError(f"{part}`{name}` is too {size} for double precision", hint=hint) from None
    except (TypeError, ValueError):
        message = f"{part}`{name}` is {reprlib.repr(given)}, not a number"
        raise AutodiffError(message, hint=hint) from None


def _double_of_text(text: str) -> float:
    if not re.fullmatch(NUMBER, text):
        raise ValueError
    number = float(text)
    if re.search("[0-9]", text) if isinf(number) else not number and re.search(NOT_ZERO, text):
        raise OverflowError
    return number


def _without_comments(text: str) -> str:
    """The text, or only its two ends if it is long, without comments; an end may begin or break off within one."""
    if len(text) <= 2 * _END_LENGTH:
        return re.sub(_COMMENT, "", text)
    cut = len(text) - _END_LENGTH
    line = max(text.rfind(line_break, 0, cut) for line_break in "\r\n") + 1
    first, last = text[:_END_LENGTH], text[cut:] if text.find("#", line, cut) < 0 else f"#{text[cut:]}"
    return f"{re.sub(_COMMENT, '', first)} … {re.sub(_COMMENT, '', last)}"


def _abridged(text: str) -> str:
    """The text, or only its two ends if it is long: a formula may have megabytes."""
    return text if len(text) <= 2 * _END_LENGTH else f"{text[:_END_LENGTH]} … {text[-_END_LENGTH:]}"
