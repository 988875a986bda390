"""A plan as LLVM's intermediate language: loops over rows, on vectors of doubles.

All steps are taken as IEEE arithmetic says: nothing is reordered and nothing contracted. A long plan is cut into
several functions, because the compiler takes more than linear time for one; each computes a few rows, and what later
ones need is kept in memory.
"""

import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..operations import CONSTANT, INPUT
from .plan import Plan, Step
from .vector_functions import CFunction, c_function

CHUNK_STEPS = 1000
"""the most steps of a function"""
CHUNK_ROWS = 32
"""rows for which a function is called, where there are several"""

_PARAMETERS = "ptr %columns, ptr %results, ptr %kept, ptr %flags, i64 %start, i64 %stop"
_HALF = "splat (double 0.5)"
_ONE = "splat (double 1.0)"
_TEMPLATES: dict[str, tuple[str, ...]] = {
    "add": ("fadd {V} {0}, {1}",),
    "sub": ("fsub {V} {0}, {1}",),
    "mul": ("fmul {V} {0}, {1}",),
    "div": ("fdiv {V} {0}, {1}",),
    "neg": ("fneg {V} {0}",),
    "lt": ("fcmp olt {V} {0}, {1}",),
    "le": ("fcmp ole {V} {0}, {1}",),
    "gt": ("fcmp ogt {V} {0}, {1}",),
    "ge": ("fcmp oge {V} {0}, {1}",),
    "eq": ("fcmp oeq {V} {0}, {1}",),
    "ne": ("fcmp une {V} {0}, {1}",),
    "not": ("xor {C} {0}, splat (i1 true)",),
    "and": ("and {C} {0}, {1}",),
    "or": ("or {C} {0}, {1}",),
    "truth": ("fcmp une {V} {0}, zeroinitializer",),
    "number": (f"select {{C}} {{0}}, {{V}} {_ONE}, {{V}} zeroinitializer",),
    "where": ("select {C} {0}, {V} {1}, {V} {2}",),
    "max": ("fcmp ogt {V} {1}, {0}", "select {C} {2}, {V} {1}, {V} {0}",
            "fcmp uno {V} {1}, {1}", "select {C} {4}, {V} {1}, {V} {3}"),
    "min": ("fcmp olt {V} {1}, {0}", "select {C} {2}, {V} {1}, {V} {0}",
            "fcmp uno {V} {1}, {1}", "select {C} {4}, {V} {1}, {V} {3}"),
    "preferred": (f"fmul {{V}} {{2}}, {_HALF}", f"fmul {{V}} {{3}}, {_HALF}", "fadd {V} {4}, {5}",
                  "select {C} {1}, {V} {6}, {V} {3}", "select {C} {0}, {V} {2}, {V} {7}"),
}  # fmt: skip
"""operation → its instructions; those after the first take the results of the others as further operands"""
_FLOORED = (
    "fcmp une {V} {2}, zeroinitializer", "fcmp olt {V} {1}, zeroinitializer", "fcmp olt {V} {2}, zeroinitializer",
    "xor {C} {4}, {5}", "and {C} {3}, {6}", "fadd {V} {2}, {1}",
    "call {V} @llvm.copysign.{S}({V} zeroinitializer, {V} {1})", "select {C} {3}, {V} {2}, {V} {9}",
    "select {C} {7}, {V} {8}, {V} {10}",
)  # fmt: skip
"""what makes the remainder with the sign of `a` that with the sign of `b`"""
_INTRINSICS = {"abs": "fabs", "sqrt": "sqrt", "floor": "floor", "ceil": "ceil", "trunc": "trunc", "round": "rint"}


class Machine(NamedTuple):
    """What a processor computes with."""

    lanes: int
    """how many doubles a vector has"""
    isa: str
    """the letter of these instructions in the names of vector functions; "" where there is none"""


def knows(machine: Machine, name: str) -> bool:
    """Whether an operation can be written."""
    return name in _TEMPLATES or name in _INTRINSICS or name == "copysign" or bool(_function(machine, name))


def _function(machine: Machine, name: str) -> CFunction | None:
    return c_function(name, machine.isa, machine.lanes)


def kept_size(plan: Plan) -> int:
    """How many doubles the functions of a plan keep."""
    return CHUNK_ROWS * _Slots(plan).count if len(plan.steps) > CHUNK_STEPS else 0


def module(plan: Plan, machine: Machine) -> str:
    """The text of a module whose function `run` computes the rows from `start` to `stop`.

    Its parameters are arrays of pointers to the columns and to the results; memory for `kept_size` doubles; a vector of
    zeros, of which an element becomes nan where a result is not finite; start and stop, multiples of the vector's size.
    """
    vector, suffix = f"<{machine.lanes} x double>", f"v{machine.lanes}f64"
    lines = [f"declare {vector} @llvm.{name}.{suffix}({vector})" for name in _INTRINSICS.values()]
    lines.append(f"declare {vector} @llvm.copysign.{suffix}({vector}, {vector})")
    count = len(plan.steps)
    if count <= CHUNK_STEPS:
        lines += _Chunk(plan, machine, range(count), None).function("run")
    else:
        slots = _Slots(plan)
        for index, first in enumerate(range(0, count, CHUNK_STEPS)):
            steps = range(first, min(first + CHUNK_STEPS, count))
            lines += _Chunk(plan, machine, steps, slots).function(f"chunk{index}")
        lines += _driver(index + 1)
    bits = 64 * machine.lanes
    lines.append(f'attributes #0 = {{ nounwind "min-legal-vector-width"="{bits}" "prefer-vector-width"="{bits}" }}')
    return "\n".join(lines)


def _driver(chunks: int) -> Iterator[str]:
    """The function that calls all others for a few rows at a time."""
    arguments = "ptr %columns, ptr %results, ptr %kept, ptr %flags, i64 %row, i64 %end"
    yield f"define void @run({_PARAMETERS}) #0 {{"
    yield from ("entry:", "br label %loop", "loop:", "%row = phi i64 [%start, %entry], [%end, %loop]")
    yield f"%next = add i64 %row, {CHUNK_ROWS}"
    yield from ("%is_last = icmp uge i64 %next, %stop", "%end = select i1 %is_last, i64 %stop, i64 %next")
    yield from (f"call void @chunk{index}({arguments})" for index in range(chunks))
    yield from ("br i1 %is_last, label %done, label %loop", "done:", "ret void", "}")


class _Slots:
    """Where values are kept that one function computes and another uses."""

    def __init__(self, plan: Plan) -> None:
        last: dict[int, int] = {}
        for value, step in enumerate(plan.steps):
            for operand in step.operands:
                last[operand] = value // CHUNK_STEPS
        self.of: dict[int, int] = {}
        self.count = 0
        free: list[int] = []
        released: dict[int, list[int]] = {}
        for value, step in enumerate(plan.steps):
            if value % CHUNK_STEPS == 0:
                free += released.pop(value // CHUNK_STEPS - 1, [])
            if step.operands and last.get(value, 0) > value // CHUNK_STEPS:
                if not free:
                    free.append(self.count)
                    self.count += 1
                self.of[value] = free.pop()
                released.setdefault(last[value], []).append(self.of[value])


class _Chunk:
    """A function for some steps of a plan."""

    def __init__(self, plan: Plan, machine: Machine, steps: range, slots: _Slots | None) -> None:
        self._plan, self._machine, self._steps = plan, machine, steps
        self._slots = slots.of if slots else {}
        lanes = machine.lanes
        self._types = {"V": f"<{lanes} x double>", "C": f"<{lanes} x i1>", "S": f"v{lanes}f64"}
        self._entry: list[str] = []
        self._body: list[str] = []
        self._names: dict[int, str] = {}
        """value → how the text refers to it"""
        self._pointers: dict[str, str] = {}
        self._count = 0
        for value in steps:
            step = plan.steps[value]
            if step.operands:
                self._names[value] = self._step(step)
                if value in self._slots:
                    self._keep(value)
        self._flags = "%flag"
        self._store_results()

    def function(self, name: str) -> list[str]:
        """The text of the function."""
        vector = self._types["V"]
        return [
            f"define void @{name}({_PARAMETERS}) #0 {{", "entry:", *self._entry,
            f"%before = load {vector}, ptr %flags, align 8", "br label %loop", "loop:",
            "%row = phi i64 [%start, %entry], [%next, %loop]",
            f"%flag = phi {vector} [%before, %entry], [{self._flags}, %loop]",
            "%local = sub i64 %row, %start", "%block = getelementptr double, ptr %kept, i64 %local", *self._body,
            f"%next = add i64 %row, {self._machine.lanes}", "%more = icmp ult i64 %next, %stop",
            "br i1 %more, label %loop, label %done", "done:", f"store {vector} {self._flags}, ptr %flags, align 8",
            "ret void", "}",
        ]  # fmt: skip

    def _new(self, text: str) -> str:
        """The name of an instruction, appended to the body."""
        self._count += 1
        name = f"%t{self._count}"
        self._body.append(f"{name} = {text}")
        return name

    def _step(self, step: Step) -> str:
        names, operation = [self._name(operand) for operand in step.operands], step.operation.name
        if operation == "copysign" or operation in _INTRINSICS:
            vector, suffix = self._types["V"], self._types["S"]
            arguments = ", ".join(f"{vector} {name}" for name in names)
            return self._new(f"call {vector} @llvm.{_INTRINSICS.get(operation, operation)}.{suffix}({arguments})")
        templates: Sequence[str] = _TEMPLATES.get(operation, ())
        if not templates:
            function = _function(self._machine, operation)
            assert function is not None, operation
            names.append(self._call(function, names))
            templates = _FLOORED if operation == "mod" else ()
        for template in templates:
            names.append(self._new(template.format(*names, **self._types)))
        return names[-1]

    def _call(self, function: CFunction, names: Sequence[str]) -> str:
        """A call of a function of vectors, or of a function of numbers for each element."""
        vector, pointer = self._types["V"], f"inttoptr (i64 {function.address} to ptr)"
        if function.lanes > 1:
            return self._new(f"call {vector} {pointer}({', '.join(f'{vector} {name}' for name in names)})")
        result = "poison"
        for lane in range(self._machine.lanes):
            elements = [self._new(f"extractelement {vector} {name}, i64 {lane}") for name in names]
            number = self._new(f"call double {pointer}({', '.join(f'double {element}' for element in elements)})")
            result = self._new(f"insertelement {vector} {result}, double {number}, i64 {lane}")
        return result

    def _name(self, value: int) -> str:
        """How a value is written; one of an earlier function is loaded first."""
        if value not in self._names:
            self._names[value] = self._loaded(value)
        return self._names[value]

    def _loaded(self, value: int) -> str:
        step, vector = self._plan.steps[value], self._types["V"]
        if step.operation is CONSTANT:
            bits = struct.unpack("<Q", struct.pack("<d", self._plan.constants[value]))[0]
            return f"splat (double 0x{bits:016X})"
        if step.operation is INPUT:
            return self._new(f"load {vector}, ptr {self._element('columns', value)}, align 8")
        place = self._place(value)
        if step.is_condition:
            mask = self._new(f"load <{self._machine.lanes} x i64>, ptr {place}, align 8")
            return self._new(f"icmp slt <{self._machine.lanes} x i64> {mask}, zeroinitializer")
        return self._new(f"load {vector}, ptr {place}, align 8")

    def _place(self, value: int) -> str:
        return self._new(f"getelementptr double, ptr %block, i64 {self._slots[value] * CHUNK_ROWS}")

    def _keep(self, value: int) -> None:
        name, kind = self._names[value], self._types["V"]
        if self._plan.steps[value].is_condition:
            kind = f"<{self._machine.lanes} x i64>"
            name = self._new(f"sext {self._types['C']} {name} to {kind}")
        self._body.append(f"store {kind} {name}, ptr {self._place(value)}, align 8")

    def _element(self, table: str, index: int) -> str:
        """Where a column or result has this row."""
        name = f"%{table}{index}"
        if name not in self._pointers:
            self._entry += [
                f"{name}p = getelementptr ptr, ptr %{table}, i64 {index}",
                f"{name} = load ptr, ptr {name}p, align 8",
            ]
            self._pointers[name] = name
        return self._new(f"getelementptr double, ptr {name}, i64 %row")

    def _store_results(self) -> None:
        """Store the results that these steps compute; the first function stores columns and constants too."""
        vector = self._types["V"]
        for index, value in enumerate(self._plan.results):
            if value not in self._steps:
                continue
            name = self._name(value)
            self._body.append(f"store {vector} {name}, ptr {self._element('results', index)}, align 8")
            zero = self._new(f"fmul {vector} {name}, zeroinitializer")
            self._flags = self._new(f"fadd {vector} {self._flags}, {zero}")
