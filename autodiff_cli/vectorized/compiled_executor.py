"""The compiled executor: a plan as machine code for this processor, by LLVM."""

import ctypes
import platform
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy

from ..arithmetic.arrays import Doubles
from ..operations import Operation
from . import llvm_code
from .llvm_text import Machine
from .plan import Plan

_STEP_ROWS = 2**25  # a block's steps times its rows: some milliseconds
_FEWEST, _MOST = 256, 2**16
_VECTORS = (("avx512f", 8, "e"), ("avx2", 4, "d"), ("sse4.1", 2, "b"))
"""features of x86 processors: the size of vectors, and the letter of the instructions"""


@cache
def machine() -> Machine | None:
    """What this processor computes with; None where no code can be made for it."""
    if find_spec("llvmlite") is None:
        return None
    try:
        _target_machine(2)
    except (ImportError, OSError, RuntimeError):
        return None
    if platform.machine().lower() in ("x86_64", "amd64"):
        from llvmlite import binding

        features = binding.get_host_cpu_features()
        fma = bool(features.get("fma"))
        return next((Machine(lanes, isa, fma) for feature, lanes, isa in _VECTORS if features.get(feature)), None)
    return Machine(2, "n" if platform.machine() == "aarch64" else "", platform.machine() in ("aarch64", "arm64"))


def _target_machine(effort: int) -> Any:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_triple(binding.get_process_triple())
    features = binding.get_host_cpu_features().flatten()
    return target.create_target_machine(cpu=binding.get_host_cpu_name(), features=features, opt=effort, jit=True)


def _inline(module: Any, target_machine: Any) -> None:
    """Put the elementary functions where they are called."""
    from llvmlite import binding

    passes = binding.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.run(module, binding.create_pass_builder(target_machine, binding.create_pipeline_tuning_options()))


class CompiledExecutor:
    """Computes a plan by machine code made for it."""

    name = "compiled"

    def __init__(self, plan: Plan) -> None:
        from llvmlite import binding

        found = machine()
        assert found is not None
        self.plan, self._lanes = plan, found.lanes
        self.block = max(_FEWEST, min(_MOST, _STEP_ROWS // (1 + len(plan.steps)) // 64 * 64))
        effort = 2 if len(plan.steps) <= llvm_code.CHUNK_STEPS else 1
        target_machine = _target_machine(effort)
        module = binding.parse_assembly(llvm_code.module(plan, found))
        if effort == 2:
            _inline(module, target_machine)
        self._code = binding.create_mcjit_compiler(module, target_machine)  # is freed with the executor
        self._code.finalize_object()
        pointer, size = ctypes.c_void_p, ctypes.c_int64
        prototype = ctypes.CFUNCTYPE(None, pointer, pointer, pointer, pointer, size, size)  # leaves the lock of Python
        self._run = prototype(self._code.get_function_address("run"))
        self._kept_size = llvm_code.kept_size(plan)

    @staticmethod
    def knows(operation: Operation, count: int) -> bool:
        """Whether there is code for an operation on `count` columns."""
        found = machine()
        assert found is not None
        two_of_many = count == len(operation.names) + operation.variadic
        return not operation.value and two_of_many and llvm_code.knows(found, operation.name)

    def compute(self, columns: Sequence[Doubles], results: Sequence[Doubles]) -> bool:
        """Compute the results for columns of equal length; returns whether all of them are finite."""
        rows, lanes = len(results[0]), self._lanes
        columns = [numpy.ascontiguousarray(column, float) for column in columns]
        whole = rows - rows % lanes
        finite = not whole or self._compute(columns, results, whole)
        if whole < rows:  # one more vector, filled up
            last = [numpy.empty(lanes) for _ in results]
            finite &= self._compute([numpy.resize(column[whole:], lanes) for column in columns], last, lanes)
            for result, numbers in zip(results, last, strict=True):
                result[whole:] = numbers[: rows - whole]
        return finite

    def _compute(self, columns: Sequence[Doubles], results: Sequence[Doubles], rows: int) -> bool:
        kept, flags = numpy.empty(self._kept_size), numpy.zeros(self._lanes)
        self._run(_pointers(columns), _pointers(results), kept.ctypes.data, flags.ctypes.data, 0, rows)
        return bool(numpy.isfinite(flags).all())


def _pointers(arrays: Sequence[Doubles]) -> Any:
    return (ctypes.c_void_p * len(arrays))(*[array.ctypes.data for array in arrays])
