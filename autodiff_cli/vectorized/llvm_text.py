"""The text of LLVM's intermediate language: types of vectors, numbers, instructions, calls of the C library."""

import struct
from collections.abc import Sequence
from typing import NamedTuple

from .vector_functions import CFunction


class Machine(NamedTuple):
    """The vectors of a processor."""

    lanes: int
    """the number of doubles in a vector"""
    isa: str
    """the letter of its instructions in the names of vector functions; "" where there is none"""
    fma: bool
    """whether it multiplies and adds with one rounding"""

    @property
    def types(self) -> dict[str, str]:
        """The types of vectors of doubles, integers and truth values, and the suffix of functions of the first."""
        kinds = {"V": "double", "I": "i64", "C": "i1"}
        return {key: f"<{self.lanes} x {kind}>" for key, kind in kinds.items()} | {"S": f"v{self.lanes}f64"}


def splat(number: float) -> str:
    """A vector of equal numbers."""
    return f"splat (double 0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X})"


class Instructions:
    """Instructions of a function, one after the other."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.types = machine, machine.types
        self.lines: list[str] = []
        self._count = 0

    def new(self, template: str, *operands: object) -> str:
        """Append an instruction, a template of its operands and of the types; returns the name of its result."""
        self._count += 1
        self.lines.append(f"%t{self._count} = {template.format(*operands, **self.types)}")
        return f"%t{self._count}"

    def function(self, name: str, operands: Sequence[str]) -> str:
        """Append a call of a function of vectors, by its name or address."""
        arguments = ", ".join(f"{self.types['V']} {operand}" for operand in operands)
        return self.new("call {V} {0}({1})", name, arguments)

    def c_function(self, function: CFunction, operands: Sequence[str]) -> str:
        """Append a call of a function of the C library, for each element if it is a function of numbers."""
        address = f"inttoptr (i64 {function.address} to ptr)"
        if function.lanes > 1:
            return self.function(address, operands)
        result = "poison"
        for lane in range(self.machine.lanes):
            elements = [self.new("extractelement {V} {0}, i64 {1}", operand, lane) for operand in operands]
            number = self.new("call double {0}({1})", address, ", ".join(f"double {element}" for element in elements))
            result = self.new("insertelement {V} {0}, double {1}, i64 {2}", result, number, lane)
        return result
