"""Numbers and operations as text in the language."""

from collections.abc import Sequence

from .operations import Operation

CALL = 100  # binds tighter than every operator


def shortest(number: float) -> str:
    """The shortest text that reads back as the same double: `0.1`, `2`, `1e-300`, `inf`."""
    return repr(number).removesuffix(".0")


def signature(operation: Operation) -> str:
    """How an operation is written, in its parameters: `a + b`, `log(a, b)`, `max(a, …)`."""
    if operation.symbol:
        return spelled(operation, [(name, CALL) for name in operation.names])
    parameters = "a, …" if operation.variadic else operation.parameters.replace("=", " = ")
    return f"{operation.called}({parameters})"


def spelled(operation: Operation, operands: Sequence[tuple[str, int]]) -> str:
    """An operation on operands, each a text and how tightly it binds, with no more parentheses than are needed."""
    if not operation.symbol:
        return f"{operation.called}({', '.join(text for text, _ in operands)})"
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
