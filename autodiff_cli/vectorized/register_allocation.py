"""Register allocation: where each instruction writes, over what is needed no more."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from .instruction_selection import Instruction, InstructionSelection, copy
from .plan import RegisterKind

_REUSED = (RegisterKind.NUMBER, RegisterKind.TRUTH, RegisterKind.MASK)


class Register(NamedTuple):
    """An array; with `as_bits`, its doubles as 64-bit integers."""

    kind: RegisterKind
    position: int
    """among those of its kind"""
    as_bits: bool = False


class AllocatedInstruction(NamedTuple):
    """An instruction with its registers."""

    function: Callable[..., object]
    registers: Sequence[Register]
    """of the operands, then of the target"""
    operands: Sequence[int]
    """the instructions whose results it reads"""


class RegisterAllocation:
    """The instructions with their registers; what a select may take is kept until it has been done."""

    def __init__(self, selection: InstructionSelection) -> None:
        instructions, results, selects = selection.instructions, selection.results, selection.selects
        self.code: list[AllocatedInstruction] = []
        self.positions: dict[int, int] = {}
        """instruction → its position in the code"""
        self.registers: dict[int, Register] = {}
        """instruction → where its result is"""
        self.counts = dict.fromkeys(_REUSED, 0) | {RegisterKind.RESULT: len(results)}
        self._free: dict[RegisterKind, list[int]] = {kind: [] for kind in _REUSED}
        uses = [
            (*instruction.operands, *selects[index][:2]) if index in selects else instruction.operands
            for index, instruction in enumerate(instructions)
        ]
        self._last_uses = {operand: index for index, operands in enumerate(uses) for operand in operands}
        targets: dict[int, Register] = {}
        for position, result in enumerate(results):
            if instructions[result].function is not None:
                targets.setdefault(result, Register(RegisterKind.RESULT, position))
        for index, instruction in enumerate(instructions):
            self.registers[index] = self._allocate(index, instruction, uses[index], targets)
        for position, result in enumerate(results):
            target = Register(RegisterKind.RESULT, position)
            if self.registers[result] != target:
                self.code.append(AllocatedInstruction(copy, (self.registers[result], target), (result,)))

    def _allocate(
        self, index: int, instruction: Instruction, uses: Sequence[int], targets: Mapping[int, Register]
    ) -> Register:
        """Append an instruction to the code; its target may be a register that it uses last."""
        if instruction.function is None:
            return Register(instruction.kind, instruction.position)
        for operand in dict.fromkeys(uses):
            register = self.registers[operand]
            if self._last_uses[operand] == index and register.kind in self._free:
                self._free[register.kind].append(register.position)
        target = targets.get(index) or self._free_register(instruction.kind)
        registers = [*(self.registers[operand] for operand in instruction.operands), target]
        if instruction.on_bits:
            registers = [r if r.kind is RegisterKind.MASK else r._replace(as_bits=True) for r in registers]
        self.positions[index] = len(self.code)
        self.code.append(AllocatedInstruction(instruction.function, registers, instruction.operands))
        return target

    def _free_register(self, kind: RegisterKind) -> Register:
        if self._free[kind]:
            return Register(kind, self._free[kind].pop())
        self.counts[kind] += 1
        return Register(kind, self.counts[kind] - 1)
