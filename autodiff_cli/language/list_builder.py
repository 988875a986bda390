"""Programs with lists, sums over an index and derivatives: all are replaced by operations on numbers as they are read.

A value is a node, or a list: a tuple of values. A sum over an index, or a user-defined function that is called with a
list, reads its expression again for each value of the index, or with the list for the parameter.
"""

import re
from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

from ..errors import AutodiffError, Source
from ..notation import entry_names, flattened
from ..operations import CONSTANT, CONSTANTS, FUNCTIONS, INPUT, LIST_FUNCTIONS, NEG, PARAMETER
from ..parser.builder import Stack
from ..parser.diagnostics.calls import arguments, used_before
from ..parser.scope import FunctionCall
from ..parser.tokens import NAME
from ..program import Program
from . import list_errors
from .list_graph import UNKNOWN, DifferentLists, ListGraph, ListValue, depth, mapped, replaced
from .list_series import SeriesBuilder

_OPENS = re.compile(r"[^\S\r\n]*+\[")
_ASSIGNS = re.compile(r"[^\S\r\n]*+=(?!=)")
_INDEX = re.compile(r"\[(\d+)\]")
_COMMENT = re.compile(r"#[^\r\n]*+")
_MOST_NESTED = 10  # lists within lists
_ENTRY = re.compile(rf"{NAME}(?:\[\d+\]){{1,{_MOST_NESTED}}}+")


class Unassigned(str):
    """A name, or an entry such as `x[2]`, that has no value and is followed by an index."""

    __slots__ = ()


class _Template(NamedTuple):
    """The text of a user-defined function, which is read again for a call with lists."""

    parameters: list[str]
    place: tuple[int, int]
    names: dict[str, ListValue]
    """the names that the text uses, as they stood at the definition"""
    is_inlined: bool
    """whether the nodes of the definition serve calls with numbers"""
    differentiates: bool


class ListBuilder(SeriesBuilder):
    """Builds the graph of a program whose values may be lists."""

    def __init__(self, source: Source, entries: Collection[str] = (), *, allows_list: bool = False) -> None:
        super().__init__(source)
        self.graph = ListGraph()
        self._allows_list = allows_list
        self._numbers_of: dict[str, set[int]] = {}  # lists that are given or assigned → the numbers of their entries
        self._used: dict[str, tuple[int, int]] = {}  # lists of which only entries have been used → the first place
        self._templates: dict[str, _Template] = {}
        self._depends: dict[int, bool] = {}  # nodes → whether they depend on a constant with a name, as far as asked
        self._place = (0, 0)  # of the last statement
        for entry in filter(_ENTRY.fullmatch, entries):  # columns can have any name
            self._give(entry)

    def program(self) -> Program:
        """The program, on a graph of numbers. Raises AutodiffError where its output is a list."""
        names: dict[str, ListValue] = self.names | self._free  # a text that is read again has names of its own
        self.names = {name: value for name, value in names.items() if not isinstance(value, tuple)}
        if self._output is not None and isinstance(self._output[0], tuple):
            value, name = self._output
            if not self._allows_list:
                raise list_errors.list_result(self, value, name, *self._place)
            self._output = next(flattened(value)), name
        lists = {name: value for name, value in names.items() if isinstance(value, tuple)}
        self._assigned = {name: None for name in self._assigned if name in self.names}
        program, graph = super().program(), self.graph.plain()
        inputs = {*program.inputs.values()}
        assert all(node in inputs for node in graph.labels if graph.operations[node] is INPUT), "an input has been lost"
        return replace(program, graph=graph, lists=lists)

    # ---- Statements -------------------------------------------------------------------------------------------------

    def result(self, stack: Stack, end: int) -> Stack:
        """A bare expression; of one that is read again only the value matters."""
        below, value, start = stack
        if self._results:
            self._results[-1].append(value)
            return below, None, start
        self._place = start, end
        return super().result(stack, end)

    def assignment(self, stack: Stack, end: int) -> Stack:
        """A named value or list, or an entry of a list."""
        (below, name, start), value, value_start = stack
        self._place = start, end
        if name in self._used:
            raise used_before(self, name, *self._used[name])
        self._forget(name, name)
        if isinstance(value, tuple):
            self._assign_list(name, value, value_start)
            stack = below, None, start
        else:
            stack = super().assignment(stack, end)
        if "[" in name:
            self._assign_entry(name, value, start)
        return stack

    def _forget(self, entry: str, name: str) -> None:
        """Remove an entry of a name that is reassigned, and the entries within it, from the names.

        Raises AutodiffError where one has been used as an input.
        """
        for number in self._numbers_of.pop(entry, ()):
            self._forget(f"{entry}[{number}]", name)
        if entry in self._free:
            raise used_before(self, name, *self.graph.span(self._free[entry]))
        self._drop_default(entry)
        self.names.pop(entry, None)

    def _assign_list(self, name: str, value: tuple[ListValue, ...], start: int) -> None:
        entries = dict(zip(entry_names(name, value), flattened(value), strict=True))
        are_numbers = self._assigned.keys().isdisjoint((name, *entries)) and self._are_numbers(value, start)
        for entry, node in entries.items():
            if are_numbers:
                self._defaults[entry] = self._promote(node)
            if node >= self._statement_start:
                self.graph.labels.setdefault(node, entry)
            self.names[entry] = node
            self._assigned[entry] = None
            self._give(entry)
        self._assigned[name] = None
        if "[" not in name:
            self.names[name] = value
        self._output = value, name
        self._ends_nameless = False
        self._statement_start = len(self.graph)

    def _are_numbers(self, value: tuple[ListValue, ...], start: int) -> bool:
        """Whether the statement's expression is a list of numbers, with no more than signs before them."""
        graph, nodes = self.graph, set(range(self._statement_start, len(self.graph)))
        if not nodes or self.source.text[start] != "[":
            return False
        if "(" in _COMMENT.sub("", self.source.text[start : graph.ends[max(nodes)]]):
            return False
        numbers = [node - (graph.operations[node] is NEG) for node in flattened(value)]
        return nodes == {*numbers, *flattened(value)} and all(
            graph.operations[node] is CONSTANT and node not in graph.labels for node in numbers
        )

    def _is_number(self, node: int, start: int, end: int) -> bool:
        return super()._is_number(node, start, end) and "[" not in self.source.text[start:end]

    def _assign_entry(self, entry: str, value: ListValue, start: int) -> None:
        """Make an entry that was assigned on its own part of its list."""
        name, _, _ = entry.partition("[")
        path = [int(number) for number in _INDEX.findall(entry)]
        if name in self.names:
            try:
                self.names[name] = replaced(self.names[name], path, value)
            except LookupError:
                raise list_errors.no_such_entry(self, entry, self.names[name], start) from None
        self._give(entry)

    def _give(self, entry: str) -> None:
        """Note that an entry, such as `x[2]`, is known by its name."""
        while entry.endswith("]"):
            entry, _, number = entry[:-1].rpartition("[")
            self._numbers_of.setdefault(entry, set()).add(int(number))

    def entry_target(self, stack: Stack, end: int) -> Stack:
        """An entry on the left side of an assignment."""
        (below, entry, start), _, _ = stack
        return below, str(entry), start

    def header(self, stack: Stack, end: int) -> Stack:
        """`f(a, b) =`: from here to the end of the statement the names that are used are noted."""
        stack = super().header(stack, end)
        self._captured, self._is_inlined, self._differentiates = {}, True, False
        return stack

    def definition(self, stack: Stack, end: int) -> Stack:
        """A user-defined function; its text serves calls with lists."""
        (below, name, start), value, value_start = stack
        assert self._captured is not None
        is_inlined = self._is_inlined and isinstance(value, int)
        parameters = list(self._parameters)
        used = {word: known for word, known in self._captured.items() if word not in self._parameters}
        template = _Template(parameters, (value_start, end), used, is_inlined, self._differentiates)
        self._templates[self._defining] = template
        self._captured = None
        result = value if is_inlined else self._parameters[parameters[0]]
        return super().definition(((below, name, start), result, value_start), end)

    # ---- Operands ---------------------------------------------------------------------------------------------------

    def variable(self, stack: Stack, end: int) -> Stack:
        """A name; one that has no value may be that of a list of which an entry is used."""
        below, text, start = stack
        name = self._canonical(text, start)
        value = self.names.get(name)
        if value is None:
            if _OPENS.match(self.source.text, end) and (name in self._numbers_of or name not in CONSTANTS):
                return below, Unassigned(name), start
            value = self._first_use(name, start, end)
        elif name in self._indices:
            self._indices[name].is_used = True
            return below, value, start
        if self._captured is not None:
            self._captured.setdefault(name, value)
        return below, value, start

    def _first_use(self, name: str, start: int, end: int) -> ListValue:
        if name in self._used:
            raise list_errors.unknown_length(self, name, start, end)
        if name not in self._numbers_of:
            return self._input(name, start, end)
        self.names[name] = value = self._gathered(name, start, end)
        return value

    def _input(self, name: str, start: int, end: int) -> int:
        """The node of an input, the same one for every text that is read again."""
        if "[" in name and name in self._assigned:  # since the definition of the function whose text is read again
            raise used_before(self, name, start, end)
        return self._free[name] if name in self._free else self._add_leaf(name, start, end)

    def _gathered(self, name: str, start: int, end: int) -> ListValue:
        """The list of the entries that are known by their names."""
        if name in self.names:
            return self.names[name]
        numbers = self._numbers_of.get(name)
        if numbers is None:
            return self._input(name, start, end)
        missing = next((number for number in range(1, max(numbers) + 1) if number not in numbers), None)
        if missing is not None:
            raise list_errors.missing_entry(self, name, missing, start, end)
        return tuple([self._gathered(f"{name}[{number}]", start, end) for number in range(1, len(numbers) + 1)])

    def list_literal(self, stack: Stack, end: int) -> Stack:
        """A list of values."""
        ((below, _, start), values, _), _, _ = stack
        value = UNKNOWN if UNKNOWN in values else tuple(values)
        if isinstance(value, tuple) and depth(value) > _MOST_NESTED:
            raise list_errors.nested_too_deep(self, _MOST_NESTED, start, end)
        return below, value, start

    def entry(self, stack: Stack, end: int) -> Stack:
        """An entry of a list."""
        (((below, value, start), _, opening), position, _), _, _ = stack
        text, number = self.source.text, self.graph.number(position)
        is_called = isinstance(value, Unassigned) and (self.is_function(value) or self.is_function(value.lower()))
        if number is None and not is_called and isinstance(value, Unassigned):
            self._capture_entries(value, start, end)
        if value is UNKNOWN or (position is UNKNOWN and not is_called):
            return below, UNKNOWN, start
        if is_called or isinstance(value, int):
            return below, self.refused(list_errors.not_a_list(self, start, opening, end)), start
        if isinstance(position, tuple):
            raise list_errors.list_as_index(self, opening + 1, end - 1)
        if number is None:
            index = next((node for node in self.graph.needed_by(position) if node in self._unbounded), None)
            if index is not None:
                raise list_errors.computed_bound(self, self._unbounded[index])
            return below, self.refused(list_errors.index_from_input(self, value, opening, end)), start
        if isinstance(value, Unassigned) or _ASSIGNS.match(text, end):
            return below, self._named_entry(value, number, start, opening, end), start
        if number % 1 == 0 and 1 <= number <= len(value):
            return below, value[int(number) - 1], start
        if any(not series.bounds for series in self._series):  # a sum around it is empty: no term counts
            return below, value[-1], start
        raise list_errors.no_entry(self, len(value), number, start, opening, end)

    def _named_entry(self, base: ListValue, number: float, start: int, opening: int, end: int) -> ListValue:
        """The value of an entry of a list that is known by its entries alone, or the name of one that is assigned."""
        text = self.source.text
        name = base if isinstance(base, Unassigned) else "".join(text[start:opening].split())
        if number < 1 or number % 1:
            raise list_errors.no_entry(self, 0, number, start, opening, end)
        if isinstance(base, Unassigned) and base.count("[") == _MOST_NESTED:
            raise list_errors.nested_too_deep(self, _MOST_NESTED, start, end)
        if not _ENTRY.fullmatch(f"{name}[{int(number)}]"):
            raise list_errors.not_written_out(self, start, end)
        word, bracket, indices = name.partition("[")
        word = self._canonical(word, start)
        name = word + bracket + indices
        label = Unassigned(f"{name}[{int(number)}]")
        if _ASSIGNS.match(text, end):
            self._statement_start = len(self.graph)  # the number of the entry is not part of what is assigned
            return label
        if _OPENS.match(text, end) and label not in self.names:
            return label
        numbers = self._numbers_of.get(name, ())
        if label in self.names or number in numbers:
            value = self._gathered(label, start, end)
        elif numbers and number > max(numbers):
            raise list_errors.no_entry(self, max(numbers), number, start, opening, end)
        else:
            self._used.setdefault(word, (start, end))
            value = self._input(label, start, end)
        if self._captured is not None:
            self._captured.setdefault(label, value)
        return value

    def _capture_entries(self, name: str, start: int, end: int) -> None:
        """Note the entries of a list, of which a call of the function that is being read will choose one."""
        if self._captured is None:
            return
        if name not in self._numbers_of:
            self._used.setdefault(name.partition("[")[0], (start, end))
        for number in self._numbers_of.get(name, ()):
            entry = f"{name}[{number}]"
            self._captured.setdefault(entry, self._gathered(entry, start, end))

    # ---- Calls ------------------------------------------------------------------------------------------------------

    def call(self, stack: Stack, end: int) -> Stack:
        """A call: of a function of lists, of a user-defined function, or of one in the table, entry by entry."""
        (((below, word, start), _, opening), values, first), _, _ = stack
        name = self._canonical(word, start)
        values = values if isinstance(values, list) else [values]
        try:
            if name in self._templates:
                value = self._own(name, values, start, end)
            elif name in LIST_FUNCTIONS and self.is_function(name):
                value = self._of_lists(FunctionCall(name, values, start, opening, first, end))
            elif len(values) == 1 and isinstance(values[0], tuple) and self._is_variadic(name):
                return super().call(((((below, word, start), "(", opening), [*values[0]], first), ")", end), end)
            else:
                value = None
            return super().call(stack, end) if value is None else (below, value, start)
        except DifferentLists as lists:
            places = arguments(self, first, end)
            raise list_errors.different_lists(self, lists.args, places, first, end) from None

    def binary(self, stack: Stack, end: int) -> Stack:
        """Two operands with their operator between them."""
        try:
            return super().binary(stack, end)
        except DifferentLists as lists:
            ((_, _, start), _, sign), _, right = stack
            raise list_errors.different_lists(self, lists.args, [(start, sign), (right, end)], start, end) from None

    def is_literal(self, node: ListValue) -> bool:
        """Whether the value is a whole number written out, and no list."""
        return isinstance(node, int) and super().is_literal(node)

    def _is_variadic(self, name: str) -> bool:
        return name not in self.functions and any(operation.variadic for operation in FUNCTIONS.get(name, ()))

    def _of_lists(self, call: FunctionCall) -> ListValue:
        is_series = self._series and self._series[-1].opening == call.opening
        return self._end_series(call) if is_series else self.of_lists(call)

    # ---- User-defined functions -------------------------------------------------------------------------------------

    def place_of(self, function: str) -> tuple[int, int]:
        """The place of the expression in the text that defines a user-defined function."""
        return self._templates[function].place

    def _own(self, name: str, values: list[ListValue], start: int, end: int) -> ListValue:
        """The value of a call; None where the nodes of the definition serve it, or it has too few arguments."""
        template = self._templates[name]
        if len(values) != len(template.parameters) or (
            template.is_inlined and all(isinstance(value, int) for value in values)
        ):
            return None
        if self._captured is not None:
            self._is_inlined = False
            return UNKNOWN
        return self.inline_text(name, values, start, end)

    def inline_text(self, name: str, values: list[ListValue], start: int, end: int) -> ListValue:
        """Read the text of a function again for a call at a place in the text, and return the value."""
        template = self._templates[name]
        before, names, indices = len(self.graph), self.names, self._indices
        stand_ins: dict[int, int] = {}
        if template.differentiates:  # a derivative by one parameter must not see what others were given
            values = [self._stand_in(value, stand_ins, start, end) for value in values]
        self.names = template.names | dict(zip(template.parameters, values, strict=True))
        self._indices = {}
        try:
            value = self.read_again(*template.place)
        except AutodiffError as error:
            raise list_errors.in_call(self, error, start, end) from None
        self.names, self._indices = names, indices
        self.count_inlined(len(self.graph) - before, start, end)
        if stand_ins:
            dependent = (
                node
                for node in range(before, len(self.graph))
                if not stand_ins.keys().isdisjoint(self.graph.arguments[node])
            )
            self.copy(dependent, stand_ins)
        return mapped(value, stand_ins)

    def _stand_in(self, value: ListValue, stand_ins: dict[int, int], start: int, end: int) -> ListValue:
        """A node of its own in place of an argument, or of each entry of a list."""
        if isinstance(value, tuple):
            return tuple([self._stand_in(entry, stand_ins, start, end) for entry in value])
        number = self.graph.number(value)
        if number is not None and not self._depends_on_constants(value):
            return self.graph.constant(number, *self.graph.span(value))
        node = self.graph.add(PARAMETER, (), start, end)
        stand_ins[node] = value
        return node

    def _depends_on_constants(self, node: int) -> bool:
        """Whether a node depends on a constant with a name, such as pi, which a point may give a different number."""
        constants, depends = set(self._constants.values()), self._depends
        for part in self.graph.needed_by(node, leaves=depends):
            depends[part] = part in constants or any(depends[argument] for argument in self.graph.arguments[part])
        return depends[node]
