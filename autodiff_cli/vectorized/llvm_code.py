"""A plan as LLVM's intermediate language: loops over rows, on vectors of doubles.

All steps follow IEEE arithmetic: nothing is reordered and nothing contracted. A long plan is cut into
several functions, because the compiler takes more than linear time for one; each computes a few rows, and what later
ones need is kept in memory.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from . import llvm_functions
from .llvm_text import Instructions, Machine, splat
from .plan import Plan
from .vector_functions import c_function

CHUNK_STEPS = 500
"""the most steps of a function"""
_INLINED = 32
"""the most calls of elementary functions that become part of a function: compiling many takes long"""
_FEWEST, _MOST = 16, 64
"""rows for which a function is called, where there are several"""
_KEPT = 2**14
"""doubles that are kept at most, if that leaves enough rows: they should stay near the processor"""

_PARAMETERS = "ptr %columns, ptr %results, ptr %kept, ptr %flags, i64 %start, i64 %stop"
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
    "where": ("select {C} {0}, {V} {1}, {V} {2}",),
    "max": ("fcmp ogt {V} {1}, {0}", "select {C} {2}, {V} {1}, {V} {0}",
            "fcmp uno {V} {1}, {1}", "select {C} {4}, {V} {1}, {V} {3}"),
    "min": ("fcmp olt {V} {1}, {0}", "select {C} {2}, {V} {1}, {V} {0}",
            "fcmp uno {V} {1}, {1}", "select {C} {4}, {V} {1}, {V} {3}"),
    "preferred": ("fadd {V} {2}, {3}", f"fmul {{V}} {{4}}, {splat(0.5)}", "select {C} {1}, {V} {5}, {V} {3}",
                  "select {C} {0}, {V} {2}, {V} {6}"),
}  # fmt: skip
"""operation → its instructions; those after the first take the results of the others as further operands"""
_FLOORED = (
    "fcmp une {V} {2}, zeroinitializer", "fcmp olt {V} {1}, zeroinitializer", "fcmp olt {V} {2}, zeroinitializer",
    "xor {C} {4}, {5}", "and {C} {3}, {6}", "fadd {V} {2}, {1}",
    "call {V} @llvm.copysign.{S}({V} zeroinitializer, {V} {1})", "select {C} {3}, {V} {2}, {V} {9}",
    "select {C} {7}, {V} {8}, {V} {10}",
)  # fmt: skip
"""turns the remainder with the sign of `a` into that with the sign of `b`"""
_INTRINSICS = {
    "abs": "fabs", "sqrt": "sqrt", "floor": "floor", "ceil": "ceil", "trunc": "trunc", "round": "rint",
    "copysign": "copysign",
}  # fmt: skip
"""operation → the function of LLVM"""


def knows(machine: Machine, name: str) -> bool:
    """Whether an operation can be written."""
    return name in _TEMPLATES or name in _INTRINSICS or c_function(name, machine.isa, machine.lanes) is not None


class KeptValues:
    """The values that one function of a plan computes and another uses.

    `places` numbers those that have the same memory; `rows` is the number of rows that a function computes before
    the next one does; `size` is the number of doubles that all places have.
    """

    def __init__(self, plan: Plan) -> None:
        self.places = dict[int, int]()
        last = {
            operand: value // CHUNK_STEPS for value, operands in enumerate(plan.graph.arguments) for operand in operands
        }
        count, free = 0, list[int]()
        released: dict[int, list[int]] = {}
        for value, operands in enumerate(plan.graph.arguments):
            chunk = value // CHUNK_STEPS
            free += released.pop(chunk - 1, [])
            if operands and last.get(value, 0) > chunk:
                if not free:
                    free.append(count)
                    count += 1
                self.places[value] = free.pop()
                released.setdefault(last[value], []).append(self.places[value])
        self.rows = max(_FEWEST, min(_MOST, _KEPT // max(1, count) // _FEWEST * _FEWEST))
        self.size = self.rows * count


def modules(
    plan: Plan, kept: KeptValues, machine: Machine, *, summed: bool = False, past_cache: bool = False
) -> Iterator[str]:
    """The texts of modules, each with a function `run` for some steps of a plan, in their order.

    It computes the rows from `start` to `stop`. Its parameters are arrays of pointers to the columns and to the
    results; memory for the values kept; a vector of zeros, of which an element becomes nan where a result is not
    finite; start and stop, some vectors apart. If the results are `summed`, there are two vectors in place of
    each column of results: what is added up, and what rounding it has lost. If they are stored `past_cache`, the
    addresses of vectors must be multiples of their size.
    """
    count = len(plan)
    for first in range(0, count, CHUNK_STEPS):
        steps = range(first, min(first + CHUNK_STEPS, count))
        used = Counter([plan.graph.operations[value].name for value in steps])
        own = [name for name in llvm_functions.NAMES if name in used and machine.fma]
        definitions = [llvm_functions.definition(name, machine) for name in own]
        chunk = _Chunk(plan, kept, machine, steps, summed=summed, past_cache=past_cache)
        functions = [*definitions, *chunk.function()]
        yield _module(machine, functions, inlined=sum(used[name] for name in own) <= _INLINED)


def driver(kept: KeptValues, machine: Machine, addresses: Iterable[int]) -> str:
    """The text of a module whose `run` calls functions of the same parameters for a few rows at a time."""
    arguments = "ptr %columns, ptr %results, ptr %kept, ptr %flags, i64 %row, i64 %end"
    calls = [f"call void inttoptr (i64 {address} to ptr)({arguments})" for address in addresses]
    return _module(machine, [
        f"define void @run({_PARAMETERS}) #0 {{", "entry:", "br label %loop", "loop:",
        "%row = phi i64 [%start, %entry], [%end, %loop]", f"%next = add i64 %row, {kept.rows}",
        "%is_last = icmp uge i64 %next, %stop", "%end = select i1 %is_last, i64 %stop, i64 %next", *calls,
        "br i1 %is_last, label %done, label %loop", "done:", "ret void", "}",
    ])  # fmt: skip


def _module(machine: Machine, functions: Iterable[str], *, inlined: bool = True) -> str:
    """Functions with what they need; those of `llvm_functions` become part of where they are called, if `inlined`."""
    vector, suffix = machine.types["V"], machine.types["S"]
    counts = dict.fromkeys(_INTRINSICS.values(), 1) | {"copysign": 2, "fma": 3, "fmuladd": 3}
    lines = [f"declare {vector} @llvm.{name}.{suffix}({', '.join([vector] * n)})" for name, n in counts.items()]
    bits = 64 * machine.lanes
    attributes = f'nounwind "min-legal-vector-width"="{bits}" "prefer-vector-width"="{bits}"'
    inlining = "alwaysinline" if inlined else "noinline"
    lines += [*functions, f"attributes #0 = {{ {attributes} }}", f"attributes #1 = {{ {inlining} {attributes} }}"]
    lines += ["!0 = !{i32 1}", "!1 = !{}"]
    return "\n".join(lines)


class _Chunk:
    """A function for some steps of a plan."""

    def __init__(
        self,
        plan: Plan,
        kept: KeptValues,
        machine: Machine,
        steps: range,
        *,
        summed: bool,
        past_cache: bool,
    ) -> None:
        self._plan, self._kept, self._machine, self._steps = plan, kept, machine, steps
        self._entry: list[str] = []
        self._body = Instructions(machine)
        self._names: dict[int, str] = {}
        """value → how the text refers to it"""
        for value in steps:
            if plan.graph.arguments[value]:
                self._names[value] = self._step(value)
                if value in kept.places:
                    self._keep(value)
        self._flags = self._added_results() if summed else self._stored_results(past_cache)

    def function(self) -> list[str]:
        """The text of the function."""
        vector = self._body.types["V"]
        return [
            f"define void @run({_PARAMETERS}) #0 {{", "entry:", *self._entry,
            f"%before = load {vector}, ptr %flags, align 8", "br label %loop", "loop:",
            "%row = phi i64 [%start, %entry], [%next, %loop]",
            f"%flag = phi {vector} [%before, %entry], [{self._flags}, %loop]",
            "%local = sub i64 %row, %start", "%block = getelementptr double, ptr %kept, i64 %local", *self._body.lines,
            f"%next = add i64 %row, {self._machine.lanes}", "%more = icmp ult i64 %next, %stop",
            "br i1 %more, label %loop, label %done", "done:", f"store {vector} {self._flags}, ptr %flags, align 8",
            "ret void", "}",
        ]  # fmt: skip

    def _step(self, value: int) -> str:
        operation, machine = self._plan.graph.operations[value].name, self._machine
        names = [self._name(operand) for operand in self._plan.graph.arguments[value]]
        if operation in _INTRINSICS:
            return self._body.function(f"@llvm.{_INTRINSICS[operation]}.{self._body.types['S']}", names)
        if operation in llvm_functions.NAMES and machine.fma:
            return self._body.function(f"@{operation}", names)
        templates = _TEMPLATES.get(operation, ())
        if not templates:
            function = c_function(operation, machine.isa, machine.lanes)
            assert function is not None, operation
            names.append(self._body.c_function(function, names))
            templates = _FLOORED if operation == "mod" else ()
        for template in templates:
            names.append(self._body.new(template, *names))
        return names[-1]

    def _name(self, value: int) -> str:
        """The text of a value; a column, and a value that an earlier function computed, is loaded first."""
        if value not in self._names:
            self._names[value] = self._loaded(value)
        return self._names[value]

    def _loaded(self, value: int) -> str:
        graph, is_condition = self._plan.graph, self._plan.is_condition(value)
        if value in graph.numbers:
            return splat(graph.numbers[value])
        if not graph.arguments[value]:
            column = self._element("columns", value)
            return self._body.new("load {V}, ptr {0}, align 8, !invariant.load !1", column)
        kind = self._body.types["I" if is_condition else "V"]
        kept = self._body.new("load {0}, ptr {1}, align 8", kind, self._place(value))
        return self._body.new("icmp slt {I} {0}, zeroinitializer", kept) if is_condition else kept

    def _place(self, value: int) -> str:
        return self._body.new("getelementptr double, ptr %block, i64 {0}", self._kept.places[value] * self._kept.rows)

    def _keep(self, value: int) -> None:
        name, kind = self._names[value], self._body.types["V"]
        if self._plan.is_condition(value):
            kind, name = self._body.types["I"], self._body.new("sext {C} {0} to {I}", name)
        self._body.lines.append(f"store {kind} {name}, ptr {self._place(value)}, align 8")

    def _pointer(self, table: str, index: int) -> str:
        """A pointer to the beginning of a column or a result."""
        pointer = f"%{table}{index}"
        self._entry.append(f"{pointer}.address = getelementptr ptr, ptr %{table}, i64 {index}")
        self._entry.append(f"{pointer} = load ptr, ptr {pointer}.address, align 8")
        return pointer

    def _element(self, table: str, index: int) -> str:
        """A pointer to this row of a column or a result."""
        return self._body.new("getelementptr double, ptr {0}, i64 %row", self._pointer(table, index))

    def _stored_results(self, past_cache: bool) -> str:
        """Store the results among these steps; returns the name of a vector that is nan where one is not finite."""
        flags, body = "%flag", self._body
        how = f"align {8 * self._machine.lanes}, !nontemporal !0" if past_cache else "align 8"
        for index, value in enumerate(self._plan.results):
            if value in self._steps:
                name = self._name(value)
                place = self._element("results", index)
                body.lines.append(f"store {body.types['V']} {name}, ptr {place}, {how}")
                flags = body.function(f"@llvm.fmuladd.{body.types['S']}", [name, "zeroinitializer", flags])
        return flags

    def _added_results(self) -> str:
        """Add the results among these steps to their sums, and what rounding loses to the losses.

        The loss of an addition is computed exactly: Knuth, The Art of Computer Programming, volume 2, section 4.2.2.
        A sum or a loss is not finite if a result is not; the vector that marks this is returned unchanged.
        """
        body = self._body
        for index, value in enumerate(self._plan.results):
            if value in self._steps:
                number, place = self._name(value), self._pointer("results", index)
                losses = body.new("getelementptr double, ptr {0}, i64 {1}", place, self._machine.lanes)
                before = body.new("load {V}, ptr {0}, align 8", place)
                after = body.new("fadd {V} {0}, {1}", before, number)
                added = body.new("fsub {V} {0}, {1}", after, before)
                kept = body.new("fsub {V} {0}, {1}", after, added)
                of_sum = body.new("fsub {V} {0}, {1}", before, kept)
                of_number = body.new("fsub {V} {0}, {1}", number, added)
                lost = body.new("fadd {V} {0}, {1}", of_sum, of_number)
                loss = body.new("fadd {V} {0}, {1}", body.new("load {V}, ptr {0}, align 8", losses), lost)
                body.lines.append(f"store {body.types['V']} {after}, ptr {place}, align 8")
                body.lines.append(f"store {body.types['V']} {loss}, ptr {losses}, align 8")
        return "%flag"
