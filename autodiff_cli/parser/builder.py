"""The meaning of the grammar: what each of its alternatives adds to the graph.

The parser calls the method that an alternative names with the stack of the parts that have been read, and with the
place where the last of them ends. The method returns the stack with one part in place of those of the alternative.
The diagnostics are imported only where an error is raised, which keeps the start-up short.
"""

from typing import Any, TypeAlias

from ..errors import AutodiffError, Source
from ..notation import canonical
from ..operations import (
    ALIASES,
    CONSTANT,
    CONSTANTS,
    FUNCTIONS,
    INFIX,
    INPUT,
    LIST_FUNCTIONS,
    NEG,
    PARAMETER,
    POW,
    PREFIX,
)
from ..program import Program
from .scope import FunctionCall, Scope

_VARIANTS = {"**": "^", "÷": "/", "−": "-", "≤": "<=", "≥": ">=", "≠": "!="} | dict.fromkeys("·⋅×∗∙", "*")
_INFIX = INFIX | {variant: INFIX[symbol] for variant, symbol in _VARIANTS.items()}
_PREFIX = PREFIX | {"−": NEG}
_EXPONENTS = {"²": 2.0, "³": 3.0}
_SYMBOLS = {"∞": "inf", "√": "sqrt"}

Stack: TypeAlias = "tuple[Stack, Any, int]"
"""parts, from the last to the first: those before it, its value (the text of a word, or a node), and where it starts"""


class ListsNeeded(Exception):  # noqa: N818  # no error: the text is read again by a `ListBuilder`
    """The text has a list, a sum over an index or a derivative."""


class Builder(Scope):
    """Builds the graph of one program while the parser reads it.

    Raises ListsNeeded where its values are not only numbers.
    """

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._free: dict[str, int] = {}  # inputs without a default
        self._defaults: dict[str, int] = {}  # inputs whose only assignment is a number
        self._uncalled: set[str] = set()  # inputs with the name of a function defined earlier
        self._constants: dict[str, int] = {}
        self._assigned: dict[str, None] = {}
        self._output: tuple[int, str | None] | None = None
        self._nameless: list[tuple[int, int]] = []  # the places of formulas without a name
        self._ends_nameless = False  # whether the output is one of them
        self._counted = 0  # the commas before this place separate arguments, not thousands

    def program(self) -> Program:
        """The program, once the whole text has been read.

        Raises AutodiffError where the text has no formula.
        """
        if self._output is None:
            what, hint = "is empty", "write a formula, such as `a*b + c`"
            for function in self.functions:  # the hint calls the last one
                what = "defines functions but computes nothing"
                hint = f"add `; {function}({self.parameters(function)})` to it"
            name = "the formula" if self.source.name == "<formula>" else f"`{self.source.name}`"
            name = "the line" if self.source.line else name
            raise AutodiffError(f"{name} {what}", hint=hint)
        for function in self._uncalled & self._free.keys():
            hint = f"write {function}({self.parameters(function)})"
            raise self.error(f"`{function}` is a function, not a value", *self.graph.span(self._free[function]), hint)
        inputs = self._free  # in the order of the text
        if self._defaults:
            inputs = dict(sorted((inputs | self._defaults).items(), key=lambda item: item[1]))
        return Program(
            self.source,
            self.graph,
            self.names,
            inputs,
            self._constants,
            tuple(self._assigned),
            tuple(self._nameless[: -1 if self._ends_nameless else None]),
            *self._output,
        )

    # ---- Statements ---------------------------------------------------------------------------------------------

    def empty(self, stack: Stack, end: int) -> Stack:
        """An empty line."""
        return stack, None, end

    def lines(self, stack: Stack, end: int) -> Stack:
        """The lines so far and a further one."""
        (below, _, _), _, _ = stack
        return below

    def result(self, stack: Stack, end: int) -> Stack:
        """A bare expression."""
        below, node, start = stack
        name = self.source.text[start:end]
        left, arrow, right = name.partition("<-")
        if arrow and left.rstrip().isidentifier() and right[0] not in ".0123456789":  # x<-1 is a comparison
            from .diagnostics.calls import left_arrow

            raise left_arrow(self, start, left, right)
        self._output = node, name if self.names.get(name) == node else None
        self._ends_nameless = True
        self._nameless.append((start, end))
        self._statement_start = len(self.graph)
        return below, None, start

    def target(self, stack: Stack, end: int) -> Stack:
        """The left side of an assignment."""
        (below, name, start), _, _ = stack
        return below, self._canonical(name, start), start

    def assignment(self, stack: Stack, end: int) -> Stack:
        """A named value; one that is only ever a number is an input with a default."""
        (below, name, start), node, number_start = stack
        if name in self._free:
            from .diagnostics.calls import used_before

            raise used_before(self, name, *self.graph.span(self._free[name]))
        self._drop_default(name)
        if name not in self._assigned and self._is_number(node, number_start, end):
            self._defaults[name] = self._promote(node)
        if node >= self._statement_start:
            self.graph.labels.setdefault(node, name)
        self._assigned[name] = None
        self.names[name] = node
        self._output = node, name
        self._ends_nameless = False
        self._statement_start = len(self.graph)
        return below, None, start

    def _drop_default(self, name: str) -> None:
        """Make the number that was the default of a name a constant again."""
        default = self._defaults.pop(name, None)
        if default is not None:
            self.graph.operations[default] = CONSTANT

    def _is_number(self, node: int, start: int, end: int) -> bool:
        """Whether the statement's expression is one number, with no more than signs before it."""
        graph = self.graph
        number = node if graph.operations[node] is CONSTANT else node - 1
        return (
            number == self._statement_start
            and graph.operations[number] is CONSTANT
            and number not in graph.labels
            and (number == node or graph.operations[node] is NEG)
            and "(" not in self.source.text[start:end]
        )

    def _promote(self, node: int) -> int:
        graph = self.graph
        if graph.operations[node] is not CONSTANT:
            graph.numbers[node] = -graph.numbers[node - 1]
            graph.arguments[node] = ()
        graph.operations[node] = INPUT
        return node

    def header(self, stack: Stack, end: int) -> Stack:
        """`f(a, b) =`: from here to the end of the statement the parameters hide other names."""
        ((((below, name, start), _, _), words, first), _, last), _, _ = stack
        name = self._canonical(name, start)
        self._statement_start = len(self.graph)
        parameters: dict[str, int] = {}
        for word in words:
            parameter = self._canonical(word, first)
            if parameter in parameters:
                from .diagnostics.calls import named_twice

                raise named_twice(self, len(parameters), first)
            parameters[parameter] = self.graph.add(PARAMETER, (), first, last)
        self.begin_function(name, parameters)
        return below, None, start

    def definition(self, stack: Stack, end: int) -> Stack:
        """A user-defined function."""
        (below, _, start), node, _ = stack
        self.end_function(node)
        self._statement_start = len(self.graph)
        return below, None, start

    # ---- Operators --------------------------------------------------------------------------------------------------

    def binary(self, stack: Stack, end: int) -> Stack:
        """Two operands with their operator between them."""
        ((below, left, start), sign, place), right, _ = stack
        if sign == "+" and self.source.text[place + 1] in "-−":
            from .diagnostics.calls import plus_minus

            raise plus_minus(self, place)
        return below, self.graph.add(_INFIX[sign], (left, right), start, end), start

    def prefix(self, stack: Stack, end: int) -> Stack:
        """An operator before its operand."""
        (below, sign, start), operand, _ = stack
        return below, self.graph.add(_PREFIX[sign], (operand,), start, end), start

    def positive(self, stack: Stack, end: int) -> Stack:
        """An operand after a plus sign."""
        (below, _, start), operand, _ = stack
        return below, operand, start

    def superscript(self, stack: Stack, end: int) -> Stack:
        """A square or a cube."""
        (below, base, start), sign, place = stack
        exponent = self.graph.constant(_EXPONENTS[sign], place, end)
        return below, self.graph.add(POW, (base, exponent), start, end), start

    # ---- Operands ---------------------------------------------------------------------------------------------------

    def parenthesized(self, stack: Stack, end: int) -> Stack:
        """An expression in parentheses."""
        ((below, _, start), node, _), _, _ = stack
        return below, node, start

    def number(self, stack: Stack, end: int) -> Stack:
        """A number."""
        below, text, start = stack
        number = float(text)
        if number == CONSTANTS["inf"] or (number == 0 and text.lower().split("e")[0].strip("0.")):
            limit = "large" if number else "small"
            raise self.error(
                f"`{text}` is too {limit} for double precision",
                start,
                end,
                hint="the range is about 5e-324 to 1.8e308" + "; for infinity write inf" * (limit == "large"),
            )
        return below, self.graph.constant(number, start, end), start

    def variable(self, stack: Stack, end: int) -> Stack:
        """A name: a value, an input, a constant or a parameter."""
        below, name, start = stack
        node = self.names.get(name)
        return below, self._first_use(name, start, end) if node is None else node, start

    def _first_use(self, text: str, start: int, end: int) -> int:
        name = self._canonical(text, start)
        return self.names[name] if name in self.names else self._add_leaf(name, start, end)

    def _add_leaf(self, name: str, start: int, end: int) -> int:
        """Add the node of a name that stands for nothing yet: a constant or an input."""
        if name in CONSTANTS:
            node = self._constants[name] = self.graph.constant(CONSTANTS[name], start, end)
        else:
            node = self._free[name] = self.graph.add(INPUT, (), start, end)
            self._uncalled |= {name} & self.functions.keys()
        self.graph.labels[node] = name
        self.names[name] = node
        return node

    def single(self, stack: Stack, end: int) -> Stack:
        """The first argument or parameter."""
        below, value, start = stack
        return below, [value], start

    def append(self, stack: Stack, end: int) -> Stack:
        """A further argument or parameter, after a comma."""
        (arguments, _, comma), value, _ = stack
        text = self.source.text
        if text[comma + 1] == "0" and comma >= self._counted and text[comma + 2 : comma + 4].isdigit():
            from .diagnostics.calls import thousands

            self._counted = thousands(self, comma)
        arguments[1].append(value)
        return arguments

    def list_literal(self, stack: Stack, end: int) -> Stack:
        """A list of values, an entry of one, or such an entry on the left side of an assignment."""
        raise ListsNeeded

    entry = entry_target = list_literal

    def call(self, stack: Stack, end: int) -> Stack:
        """A call of a function, from the table or user-defined."""
        (((below, name, start), _, opening), arguments, first), _, _ = stack
        name = self._canonical(name, start)
        arguments = arguments if isinstance(arguments, list) else [arguments]
        count = len(arguments)
        function = self.functions.get(name)
        if function is None:
            for operation in FUNCTIONS.get(name, ()):
                if operation.takes(count) and not (operation.literal and not self.is_literal(arguments[0])):
                    if operation.defaults:
                        defaults = operation.defaults[count - operation.counts[0] :]
                        arguments += [self.graph.constant(default, start, end) for default in defaults]
                    return below, self.graph.add(operation, tuple(arguments), start, end), start
        elif count == len(function.parameters):
            return below, self.inline(function, arguments, start, end), start
        if name in LIST_FUNCTIONS and self.is_function(name):
            raise ListsNeeded
        if name in ALIASES and self.is_function(name):
            return self.call(((((below, ALIASES[name], start), "(", opening), arguments, first), ")", end), end)
        from .diagnostics.calls import invalid_call

        raise invalid_call(self, FunctionCall(name, arguments, start, opening, first, end))

    def _canonical(self, text: str, start: int) -> str:
        """The name that a word stands for: equal letters of Unicode are one letter, π is pi."""
        if text.isascii():
            return text
        name = _SYMBOLS.get(text) or canonical(text)
        if not name.isidentifier():
            from .diagnostics.calls import not_a_name

            raise not_a_name(self, text, start)
        if name in INFIX or name in PREFIX:
            raise self.error(f"`{text}` is a reserved word in other letters", start, start + len(text))
        return name
