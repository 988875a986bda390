"""The compiled executor: a plan as machine code for this processor, by LLVM."""

import ctypes
import platform
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from importlib.util import find_spec
from typing import Any

import numpy

from ..arithmetic.arrays import Doubles
from ..operations import Operation
from ..parallel import check_cancelled
from . import llvm_code
from .buffers import LINE
from .llvm_text import Machine
from .plan import PREFERRED, Plan
from .vector_functions import C_FUNCTIONS, c_function

_STEP_ROWS = 2**25  # a block's steps times its rows: some milliseconds
_FEWEST, _MOST = 256, 2**16  # rows of a block
_LARGE = 2**26
"""bytes of results that no cache should be filled with: storing them past it is faster"""
_VECTORS = (("avx512f", 8, "e"), ("avx2", 4, "d"), ("sse4.1", 2, "b"))
"""features of x86 processors: the size of vectors, and the letter of the instructions"""
_CONSTANTS_NEAR = platform.system() == "Linux" and platform.machine() == "x86_64"
"""whether constants are put near the code, so that instructions name them, and need not keep each in a register"""


@cache
def machine() -> Machine | None:
    """The vectors of this processor; None if no code can be made for it."""
    if find_spec("llvmlite") is None or not all(c_function(name, "", 1) for name in C_FUNCTIONS):
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
    return target.create_target_machine(
        cpu=binding.get_host_cpu_name(),
        features=features,
        opt=effort,
        codemodel="small" if _CONSTANTS_NEAR else "jitdefault",
        jit=True,
    )


class CompiledExecutor:
    """Computes a plan by machine code made for it."""

    name = "compiled"
    expands_all = True

    def __init__(self, plan: Plan, *, summed: bool = False) -> None:
        """Compile code for `over`, or for `terms` if only sums of the results are wanted."""
        processor = machine()
        assert processor is not None
        self.plan, self._machine, self._lanes = plan, processor, processor.lanes
        self.block = max(_FEWEST, min(_MOST, _STEP_ROWS // (1 + len(plan)) // 64 * 64))
        self._kept = llvm_code.KeptValues(plan)
        self._code: list[Any] = []  # is freed with the executor
        self._function = self._compiled(summed=summed)

    @cached_property
    def _function_past_cache(self) -> Any:
        return self._compiled(past_cache=True)

    def _compiled(self, **options: bool) -> Any:
        """The function for the plan, which `llvm_code.modules` describes."""
        effort = 1 if self._kept.size else 2
        texts = llvm_code.modules(self.plan, self._kept, self._machine, **options)
        addresses = [self._compiled_module(text, effort) for text in texts]
        if len(addresses) > 1:
            addresses = [self._compiled_module(llvm_code.driver(self._kept, self._machine, addresses), effort)]
        pointer, size = ctypes.c_void_p, ctypes.c_int64
        prototype = ctypes.CFUNCTYPE(None, pointer, pointer, pointer, pointer, size, size)  # releases Python's lock
        return prototype(addresses[0])

    def _compiled_module(self, text: str, effort: int) -> int:
        """The address of the code for the function `run` of a module."""
        from llvmlite import binding

        check_cancelled()
        target_machine, module = _target_machine(effort), binding.parse_assembly(text)
        passes = binding.create_new_module_pass_manager()
        passes.add_always_inliner_pass()
        passes.run(module, binding.create_pass_builder(target_machine, binding.create_pipeline_tuning_options()))
        code = binding.create_mcjit_compiler(module, target_machine, use_lmm=_CONSTANTS_NEAR or None)
        code.finalize_object()
        self._code.append(code)
        address = int(code.get_function_address("run"))
        code.remove_module(module)  # only the code is kept
        return address

    @staticmethod
    def knows(operation: Operation, count: int) -> bool:
        """Whether there is code for an operation on `count` columns."""
        processor = machine()
        assert processor is not None
        is_plain = not operation.value and count == len(operation.names) + operation.variadic
        return operation is PREFERRED or (is_plain and llvm_code.knows(processor, operation.name))

    def over(self, columns: Sequence[Doubles], results: Doubles) -> Callable[[slice], bool]:
        """A function that computes a block of `results`, an array for each, and returns whether all are finite."""
        rows, lanes = results.shape[1], self._lanes
        if rows < lanes:
            return lambda _: self._one_vector(columns, results)
        run = self._over([numpy.ascontiguousarray(column, float) for column in columns], results)
        function = self._function_past_cache if self._passes_cache(results) else self._function
        first_double = results.ctypes.data // 8  # the address, in doubles

        def compute(block: slice) -> bool:
            start = min(block.start, rows - lanes)
            stop = max(block.stop, start + lanes)  # a block shorter than a vector is computed with rows beside it
            first = start + -(first_double + start) % lanes  # where vectors begin that do not cross cache lines
            last = stop - (stop - first) % lanes
            ends = [(start, start + lanes)] * (first > start) + [(stop - lanes, stop)] * (last < stop)
            parts = [(self._function, *end) for end in ends]  # some rows are computed twice
            return run(*parts, *[(function, first, last)] * (first < last))

        return compute

    def _passes_cache(self, results: Doubles) -> bool:
        """Whether to store results past the cache: many, whole lines at a time, by a plan that waits for memory."""
        fill_lines = self._lanes == LINE and results.strides[0] % (8 * LINE) == 0
        return fill_lines and not self._kept.size and results.nbytes >= _LARGE

    def _one_vector(self, columns: Sequence[Doubles], results: Doubles) -> bool:
        """Compute fewer rows than a vector has, filled up; returns whether all results are finite."""
        given, rows, lanes = len(columns), results.shape[1], self._lanes
        vectors = numpy.empty((given + len(results), lanes))
        vectors[:given, :rows] = numpy.asarray(columns).reshape(given, rows)
        vectors[:given, rows:] = vectors[:given, :1]
        is_finite = self._over(vectors[:given], vectors[given:])((self._function, 0, lanes))
        results[:] = vectors[given:, :rows]
        return is_finite

    def terms(self, columns: Sequence[Doubles], rows: int) -> Doubles:
        """For each result a row of an array, whose numbers add up to the sum of that result over all data rows.

        The sum has twice the digits of a double. Some number is not finite if some result is not.
        """
        columns, lanes = [numpy.ascontiguousarray(column, float) for column in columns], self._lanes
        whole = rows - rows % lanes
        sums = [self._added(columns, whole)] if whole else []
        if whole < rows:  # one more vector, filled up
            last = self._added([numpy.resize(column[whole:], lanes) for column in columns], lanes)
            sums.append(last[:, :, : rows - whole])
        count = len(self.plan.results)
        return numpy.hstack([numpy.empty((count, 0)), *(part.reshape(count, -1) for part in sums)])

    def _added(self, columns: Sequence[Doubles], rows: int) -> Doubles:
        """For each result a vector of sums and one of their rounding errors."""
        sums = numpy.zeros((len(self.plan.results), 2, self._lanes))
        self._over(columns, sums)((self._function, 0, rows))
        return sums

    def _over(self, columns: Sequence[Doubles] | Doubles, results: Doubles) -> Callable[..., bool]:
        """A function that computes parts of the rows, each some vectors long, and returns whether all is finite.

        A part is given as the function of machine code for it, its first row, and the row after its last.
        """
        of_columns, of_results, lanes = _pointers(columns), _pointers(results), self._lanes

        def run(*parts: tuple[Any, int, int], _: object = (columns, results)) -> bool:
            # the default keeps the arrays alive as long as `run`, which has only their addresses
            memory = numpy.zeros(lanes + self._kept.size)
            flags = memory.ctypes.data
            for function, start, stop in parts:
                function(of_columns, of_results, flags + 8 * lanes, flags, start, stop)
            return not numpy.count_nonzero(memory[:lanes])  # each is 0 or nan

        return run


def _pointers(columns: Sequence[Doubles] | Doubles) -> Any:
    if isinstance(columns, numpy.ndarray):  # the address of one gives the others
        first, distance = columns.ctypes.data, columns.strides[0]
        addresses: Sequence[int] = range(first, first + len(columns) * distance, distance)
    else:
        addresses = [column.ctypes.data for column in columns]
    return (ctypes.c_void_p * len(addresses))(*addresses)
