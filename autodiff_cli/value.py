"""`Value`: a number that remembers how it was computed, and so can be differentiated.

>>> a, b = Value(2.0, label="a"), Value(-3.0, label="b")
>>> c = (a * b + 10).tanh()
>>> c.backward()
>>> round(a.grad, 6)
-0.004023
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable
from copy import copy, deepcopy
from operator import ge, gt, le, lt
from typing import TYPE_CHECKING, Any, SupportsFloat

from .arithmetic import floats
from .errors import Source
from .evaluation import Evaluation, settle, sweep_backward
from .graph import Graph
from .notation import counted
from .operations import CONSTANT, FUNCTIONS, INPUT, OPERATIONS, Operation
from .program import Program

if TYPE_CHECKING:
    from .explain.notebook import PageInCell

_NO_NUMBERS = frozenset("cmMSU")
"""the kinds of NumPy's complex numbers, times and texts"""


class Value:
    """A scalar, with the operation that computed it and the values that the operation was applied to.

    Numbers may be on either side of an operator. Values are compared and formatted as their numbers are; but `==` is
    true of a value and itself alone. Every function that `autodiff functions` lists is a method, except `sum`, `prod`,
    `mean`, `D` and those of lists, such as `dot`: `x.exp()`, `x.max(y)`, `condition.where(a, b)`. The order of
    `x.polygamma(2)` is a whole number. Raises TypeError for what is not a real number.
    """

    __slots__ = ("_operation", "args", "data", "grad", "label")

    def __init__(self, data: SupportsFloat, label: str = "") -> None:
        if not _is_number(data):
            raise TypeError(f"a Value is of a real number, not {reprlib.repr(data)}")
        self.data = float(data)
        self.grad = 0.0
        self.label = label
        self.args: tuple[Value, ...] = ()
        self._operation = INPUT

    @property
    def op(self) -> str:
        """The operation's symbol or name, such as `+` or `tanh`; "" for a value that was not computed."""
        return "" if not self.args else self._operation.symbol or self._operation.name

    def backward(self) -> None:
        """Set `grad` of every value that this one was computed from to the derivative of this one with respect to it.

        Gradients from an earlier call are cleared first, so that calling it twice gives the same answer.
        """
        order = _topological(self)
        graph = _graph(order)
        inputs = [node for node, value in enumerate(order) if value._operation is INPUT]
        active = graph.dependent(range(len(order)), inputs)
        numbers, nodes = [value.data for value in order], range(len(order))
        adjoints = sweep_backward(graph, nodes, numbers, len(order) - 1, active)
        settle(graph, nodes, numbers, len(order) - 1, adjoints, nodes)
        for value, adjoint in zip(order, adjoints, strict=True):
            value.grad = adjoint or 0.0

    def _evaluation(self) -> Evaluation:
        """The value as that of a program without a text; the gradients are those of the last `backward`, if any."""
        order = _topological(self)
        graph = _graph(order)
        graph.unwritten = set(range(len(order)))
        graph.numbers = {node: value.data for node, value in enumerate(order) if not value.args}
        graph.labels = {node: str(value.label) for node, value in enumerate(order) if value.label}
        has_gradient = any(value.grad for value in order)
        adjoints = [value.grad if has_gradient and value._operation is not CONSTANT else None for value in order]
        program = Program(Source(""), graph, {}, {}, {}, (), (), len(order) - 1, None)
        return Evaluation(program, {}, (), {}, list(range(len(order))), [value.data for value in order], adjoints)

    def explain(self) -> PageInCell:
        """The chain rule step by step, as a page that a notebook shows in its cell.

        Raises AutodiffError if Graphviz is not installed, and for more than 500 nodes.
        """
        from .explain.notebook import PageInCell

        return PageInCell(self._evaluation())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """The value in a notebook: a picture of the graph, or of the nodes near the output of one that is too large."""
        from .graph_drawing.notebook import Drawing
        from .graph_drawing.picture import Picture

        return Drawing(Picture.near(self._evaluation()))._repr_mimebundle_()

    def __copy__(self) -> Value:
        reduced: Any = object.__reduce_ex__(self, 2)
        create, arguments, state, *_ = reduced
        copied: Value = create(*arguments)
        for attributes in state:  # those of a subclass, if any, and the slots
            for name, attribute in (attributes or {}).items():
                setattr(copied, name, attribute)
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> Value:
        for value in _topological(self):  # without recursion: a chain may be long
            if id(value) not in memo:
                memo[id(value)] = copied = copy(value)
                copied.args = tuple([memo[id(argument)] for argument in value.args])
                if hasattr(value, "__dict__"):  # of a subclass
                    vars(copied).update(deepcopy(vars(value), memo))
        result: Value = memo[id(self)]
        return result

    def __reduce_ex__(self, protocol: Any) -> str | tuple[Any, ...]:
        if _Pickled.last is not self:  # without recursion, too: all that it was computed from is pickled before it
            return _last_of, tuple(map(_Pickled, _topological(self)))
        _Pickled.last = None
        return object.__reduce_ex__(self, 2)

    def __repr__(self) -> str:
        label = f", label={self.label!r}" if self.label else ""
        return f"Value(data={self.data!r}, grad={self.grad!r}{label})"

    def __format__(self, spec: str) -> str:
        return format(self.data, spec) if spec else str(self)

    def __lt__(self, other: Value | SupportsFloat) -> bool:
        return _compare(lt, self, other)

    def __le__(self, other: Value | SupportsFloat) -> bool:
        return _compare(le, self, other)

    def __gt__(self, other: Value | SupportsFloat) -> bool:
        return _compare(gt, self, other)

    def __ge__(self, other: Value | SupportsFloat) -> bool:
        return _compare(ge, self, other)

    def __add__(self, other: Value | SupportsFloat) -> Value:
        return _apply("add", self, other)

    def __radd__(self, other: SupportsFloat) -> Value:
        return _apply("add", other, self)

    def __sub__(self, other: Value | SupportsFloat) -> Value:
        return _apply("sub", self, other)

    def __rsub__(self, other: SupportsFloat) -> Value:
        return _apply("sub", other, self)

    def __mul__(self, other: Value | SupportsFloat) -> Value:
        return _apply("mul", self, other)

    def __rmul__(self, other: SupportsFloat) -> Value:
        return _apply("mul", other, self)

    def __truediv__(self, other: Value | SupportsFloat) -> Value:
        return _apply("div", self, other)

    def __rtruediv__(self, other: SupportsFloat) -> Value:
        return _apply("div", other, self)

    def __mod__(self, other: Value | SupportsFloat) -> Value:
        return _apply("mod", self, other)

    def __rmod__(self, other: SupportsFloat) -> Value:
        return _apply("mod", other, self)

    def __pow__(self, other: Value | SupportsFloat) -> Value:
        return _apply("pow", self, other)

    def __rpow__(self, other: SupportsFloat) -> Value:
        return _apply("pow", other, self)

    def __neg__(self) -> Value:
        return _apply("neg", self)

    def __pos__(self) -> Value:
        return self

    def __abs__(self) -> Value:
        return _apply("abs", self)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Callable[..., Value]:
            """The functions of the table."""


class _Pickled:
    """A value that is pickled when those that it was computed from are pickled already."""

    last: Value | None = None
    """the value that is pickled next"""

    def __init__(self, value: Value) -> None:
        self._value = value

    def __reduce__(self) -> tuple[Any, ...]:
        _Pickled.last = self._value
        return _last_of, (self._value,)


def _last_of(*values: Value) -> Value:
    return values[-1]


def _apply(name: str, *operands: Value | SupportsFloat) -> Value:
    if not all(isinstance(operand, Value) or _is_number(operand) for operand in operands):
        return NotImplemented  # type: ignore[no-any-return]  # Python then tries the other operand, or raises TypeError
    return _result(OPERATIONS[name], *operands)


def _compare(relation: Callable[[float, float], bool], left: Value, right: Value | SupportsFloat) -> bool:
    if isinstance(right, Value):
        return relation(left.data, right.data)
    return relation(left.data, float(right)) if _is_number(right) else NotImplemented


def _is_number(operand: Any) -> bool:
    """Whether it is a real number; arrays, and all numbers and texts of NumPy, have `__float__` too."""
    if type(operand) in (float, int):  # most are, and what follows takes long
        return True
    kind = getattr(getattr(operand, "dtype", None), "kind", None)
    return isinstance(operand, SupportsFloat) and not getattr(operand, "shape", ()) and kind not in _NO_NUMBERS


def _result(operation: Operation, *operands: Value | SupportsFloat) -> Value:
    arguments = tuple([operand if isinstance(operand, Value) else _constant(operand) for operand in operands])
    value = Value(floats.function(operation, len(arguments))(*[argument.data for argument in arguments]))
    value.args, value._operation = arguments, operation
    return value


def _constant(number: SupportsFloat) -> Value:
    value = Value(number)
    value._operation = CONSTANT
    return value


def _whole(name: str, order: Any) -> float:
    """The order of a function, which has no derivative with respect to it. Raises TypeError for anything else."""
    if not (_is_number(order) and float(order).is_integer() and order >= 0):
        kind = f"a whole number, 0 or more, as in x.{name}(2)"
        raise TypeError(f"the order of {name} is {reprlib.repr(order)}, not {kind}")
    return float(order)


def _graph(order: list[Value]) -> Graph:
    """The graph of values in topological order; node i is the value i."""
    nodes = {value: node for node, value in enumerate(order)}
    graph = Graph()
    for value in order:
        graph.add(value._operation, tuple([nodes[argument] for argument in value.args]))
    return graph


def _topological(output: Value) -> list[Value]:
    """The output and all that it was computed from, in topological order; without recursion."""
    order: list[Value] = []
    seen = {output}
    pending = [(output, iter(output.args))]
    while pending:
        value, arguments = pending[-1]
        argument = next(arguments, None)
        if argument is None:
            order.append(value)
            pending.pop()
        elif argument not in seen:
            seen.add(argument)
            pending.append((argument, iter(argument.args)))
    return order


def _method(name: str) -> Callable[..., Value]:
    operations = FUNCTIONS[name]

    def method(self: Value, *others: Value | SupportsFloat) -> Value:
        count = 1 + len(others)
        operation = next((operation for operation in operations if operation.takes(count)), None)
        if operation is None:
            raise TypeError(f"{name} does not take {counted(count, 'argument')}")
        if operation.literal:
            return _result(operation, _whole(name, others[0]), self)
        missing = len(operation.names) - count
        return _result(operation, self, *others, *operation.defaults[len(operation.defaults) - missing :])

    method.__name__, method.__qualname__, method.__doc__ = name, f"Value.{name}", operations[0].doc
    return method


for _name in FUNCTIONS:
    setattr(Value, _name, _method(_name))
