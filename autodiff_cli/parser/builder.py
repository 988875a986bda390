"""The meaning of the grammar: what each of its alternatives adds to the graph.

The parser calls the method that an alternative names with the values of its parts (a word's text, or what another
method returned), with the places where the parts start, and with the place where the last one ends. The diagnostics are
imported only where an error is raised, which keeps the start short.
"""

from typing import Any

from ..errors import AutodiffError, Source
from ..notation import canonical
from ..operations import CONSTANT, FUNCTIONS, INFIX, INPUT, NEG, PARAMETER, POW, PREFIX, Operation
from ..program import Program
from .scope import CONSTANTS, Scope

_VARIANTS = {"**": "^", "÷": "/", "−": "-", "≤": "<=", "≥": ">=", "≠": "!="} | dict.fromkeys("·⋅×∗∙", "*")
_INFIX = INFIX | {variant: INFIX[symbol] for variant, symbol in _VARIANTS.items()}
_PREFIX = PREFIX | {"−": NEG}
_EXPONENTS = {"²": 2.0, "³": 3.0}
_SIGNS = {"∞": "inf", "√": "sqrt"}


class Builder(Scope):
    """Builds the graph of one program while the parser reads it."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._free: dict[str, int] = {}  # inputs without a default
        self._defaults: dict[str, int] = {}  # inputs whose only assignment is a number
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
            what = "defines functions but computes nothing" if self.functions else "is empty"
            name = "the formula" if self.source.name == "<formula>" else f"`{self.source.name}`"
            name = "the line" if self.source.line else name
            raise AutodiffError(f"{name} {what}", hint="write a formula, such as `a*b + c`")
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

    def nothing(self, values: list[Any], starts: list[int], end: int) -> None:
        """An empty line, or the lines so far."""

    def result(self, values: list[Any], starts: list[int], end: int) -> None:
        """A bare expression."""
        node = values[0]
        name = self.source.text[starts[0] : end]
        self._output = node, name if self.names.get(name) == node else None
        self._ends_nameless = True
        self._nameless.append((starts[0], end))
        self._statement_start = len(self.graph)

    def target(self, values: list[Any], starts: list[int], end: int) -> str:
        """The left side of an assignment."""
        return self._canonical(values[0], starts[0])

    def assignment(self, values: list[Any], starts: list[int], end: int) -> None:
        """A named value; one that is only ever a number is an input with a default."""
        name, node = values
        if name in self._free:
            raise self.error(
                f"`{name}` is used before it is assigned",
                *self.graph.span(self._free[name]),
                hint=f"assign `{name}` before this line, or give the later value another name",
            )
        default = self._defaults.pop(name, None)
        if default is not None:
            self.graph.operations[default] = CONSTANT
        if name not in self._assigned and self._is_number(node, starts[1]):
            self._defaults[name] = self._promote(node)
        if node >= self._statement_start:
            self.graph.labels.setdefault(node, name)
        self._assigned[name] = None
        self.names[name] = node
        self._output = node, name
        self._ends_nameless = False
        self._statement_start = len(self.graph)

    def _is_number(self, node: int, start: int) -> bool:
        """Whether the statement's expression is one number, with no more than signs before it."""
        graph = self.graph
        number = node if graph.operations[node] is CONSTANT else node - 1
        return (
            number == self._statement_start
            and graph.operations[number] is CONSTANT
            and number not in graph.labels
            and (number == node or graph.operations[node] is NEG)
            and "(" not in self.source.text[start : graph.starts[number]]
        )

    def _promote(self, node: int) -> int:
        graph = self.graph
        if graph.operations[node] is not CONSTANT:
            graph.numbers[node] = -graph.numbers[node - 1]
            graph.arguments[node] = ()
        graph.operations[node] = INPUT
        return node

    def header(self, values: list[Any], starts: list[int], end: int) -> None:
        """`f(a, b) =`: from here to the end of the statement the parameters hide other names."""
        name = self._canonical(values[0], starts[0])
        self._statement_start = len(self.graph)
        parameters: dict[str, int] = {}
        for word in values[2]:
            parameter = self._canonical(word, starts[2])
            if parameter in parameters:
                from .diagnostics.calls import named_twice

                raise named_twice(self, len(parameters), starts[2])
            parameters[parameter] = self.graph.add(PARAMETER, (), starts[2], starts[3])
        self.begin_function(name, parameters)

    def definition(self, values: list[Any], starts: list[int], end: int) -> None:
        """A function of the user's own."""
        self.end_function(values[1])
        self._statement_start = len(self.graph)

    # ---- Operators --------------------------------------------------------------------------------------------------

    def binary(self, values: list[Any], starts: list[int], end: int) -> int:
        """Two operands with their operator between them."""
        left, sign, right = values
        if sign == "+" and self.source.text[starts[1] + 1] in "-−":
            from .diagnostics.calls import plus_minus

            raise plus_minus(self, starts[1])
        return self.apply(_INFIX[sign], (left, right), starts[0], end)

    def prefix(self, values: list[Any], starts: list[int], end: int) -> int:
        """An operator before its operand."""
        return self.apply(_PREFIX[values[0]], (values[1],), starts[0], end)

    def unwrapped(self, values: list[Any], starts: list[int], end: int) -> int:
        """An operand after a plus sign, or an expression in parentheses."""
        return values[1]  # type: ignore[no-any-return]  # the grammar says that it is a node

    def superscript(self, values: list[Any], starts: list[int], end: int) -> int:
        """A square or a cube."""
        exponent = self.graph.constant(_EXPONENTS[values[1]], starts[1], end)
        return self.apply(POW, (values[0], exponent), starts[0], end)

    def apply(self, operation: Operation, arguments: tuple[Any, ...], start: int, end: int) -> int:
        """An operation on nodes."""
        return self.graph.add(operation, arguments, start, end)

    # ---- Operands ---------------------------------------------------------------------------------------------------

    def number(self, values: list[Any], starts: list[int], end: int) -> int:
        """A number."""
        text = values[0]
        number = float(text)
        if number == CONSTANTS["inf"] or (number == 0 and text.lower().split("e")[0].strip("0.")):
            limit = "large" if number else "small"
            raise self.error(
                f"`{text}` is too {limit} for double precision",
                starts[0],
                end,
                hint="the range is about 5e-324 to 1.8e308" + "; for infinity write inf" * (limit == "large"),
            )
        return self.graph.constant(number, starts[0], end)

    def variable(self, values: list[Any], starts: list[int], end: int) -> int:
        """A name: a value, an input, a constant or a parameter."""
        name = values[0]
        node = self.names.get(name)
        return self._first_use(name, starts[0], end) if node is None else node

    def _first_use(self, text: str, start: int, end: int) -> int:
        name = self._canonical(text, start)
        if name in self.names:
            return self.names[name]
        if name in CONSTANTS:
            node = self._constants[name] = self.graph.constant(CONSTANTS[name], start, end)
        else:
            node = self._free[name] = self.graph.add(INPUT, (), start, end)
        self.graph.labels[node] = name
        self.names[name] = node
        return node

    def single(self, values: list[Any], starts: list[int], end: int) -> list[Any]:
        """The first argument or parameter."""
        return [values[0]]

    def append(self, values: list[Any], starts: list[int], end: int) -> list[Any]:
        """A further argument or parameter, after a comma."""
        text, comma = self.source.text, starts[1]
        if text[comma + 1] == "0" and comma >= self._counted and text[comma + 2 : comma + 4].isdigit():
            from .diagnostics.calls import thousands

            self._counted = thousands(self, comma)
        values[0].append(values[2])
        return values[0]  # type: ignore[no-any-return]  # `single` made it a list

    def call(self, values: list[Any], starts: list[int], end: int) -> int:
        """A call of a function, one of the table's or one of the user's own."""
        name = self._canonical(values[0], starts[0])
        arguments = values[2] if isinstance(values[2], list) else [values[2]]
        count = len(arguments)
        function = self.functions.get(name)
        if function is None:
            for operation in FUNCTIONS.get(name, ()):
                if operation.takes(count) and not (operation.literal and not self.is_literal(arguments[0])):
                    if operation.defaults:
                        defaults = operation.defaults[count - operation.counts[0] :]
                        arguments += [self.graph.constant(default, starts[0], end) for default in defaults]
                    return self.apply(operation, tuple(arguments), starts[0], end)
        elif count == len(function.parameters):
            return self.inline(function, arguments, starts[0], end)
        from .diagnostics.calls import invalid_call

        raise invalid_call(self, name, arguments, starts, end)

    def _canonical(self, text: str, start: int) -> str:
        """The name that a word stands for: equal letters of Unicode are one letter, π is pi."""
        if text.isascii():
            return text
        name = _SIGNS.get(text) or canonical(text)
        if not name.isidentifier():
            from .diagnostics.calls import not_a_name

            raise not_a_name(self, text, start)
        if name in INFIX or name in PREFIX:
            raise self.error(f"`{text}` is a reserved word in other letters", start, start + len(text))
        return name
