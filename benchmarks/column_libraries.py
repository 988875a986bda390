"""The evaluation of a formula and its gradient at every row by each library, as its own documentation recommends."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from workloads import Columns, Workload, workload

LARGE = 20_000
"""characters of a formula that the C compiler is asked to take less trouble with"""


class Prepared(NamedTuple):
    """A library that is ready for its work: what it is given, what is timed, and the results as NumPy's arrays."""

    load: Callable[[Columns], Any]
    call: Callable[[Any], Any]
    arrays: Callable[[Any], Sequence[Any]]


def autodiff(work: Workload, rows: int, cores: int, engine: str = "compiled") -> Prepared:
    """Use this program's own computation on columns."""
    module, batch = import_module("autodiff_cli"), import_module("autodiff_cli.many_points.computation")
    program = module.parse(work.text)
    computation = batch.Computation(program, list(work.columns(1)), work.given, list(work.variables), engine=engine)
    computation.prepare_for(rows)
    computation.executor()  # so that making it counts as preparing
    return Prepared(lambda columns: columns, lambda columns: computation(columns, jobs=cores), _ours)


def _ours(results: Any) -> Sequence[Any]:
    return [results.value, *results.gradient]


def autodiff_hessian(work: Workload, rows: int, cores: int) -> Prepared:
    """Use this program's Hessians; the value and the gradient are computed with them."""
    module, batch = import_module("autodiff_cli"), import_module("autodiff_cli.many_points.computation")
    quantity = import_module("autodiff_cli.many_points.quantities").Hessians()
    program, names = module.parse(work.text), list(work.variables)
    computation = batch.Computation(program, list(work.columns(1)), work.given, names, quantity, engine="compiled")
    computation.executor()

    def arrays(results: Any) -> Sequence[Any]:
        return results.columns[1 + len(names) :]

    return Prepared(lambda columns: columns, lambda columns: computation(columns, jobs=cores), arrays)


def autodiff_mean(work: Workload, rows: int, cores: int) -> Prepared:
    """Use what `--reduce mean` uses: sums of the value and of the gradient with twice the digits of a double."""
    module, batch = import_module("autodiff_cli"), import_module("autodiff_cli.many_points.computation")
    computation = batch.Computation(
        module.parse(work.text), list(work.columns(1)), work.given, list(work.variables), engine="compiled"
    )
    computation.totals(work.columns(1))  # so that making the code counts as preparing

    def call(columns: Columns) -> Any:
        totals, _ = computation.totals(columns, cores)
        return [total.divided(rows) for total in totals]

    return Prepared(lambda columns: columns, call, _numbers)


def _numbers(results: Any) -> Sequence[Any]:
    numpy = import_module("numpy")
    return [numpy.array([float(result)]) for result in results]


def pytorch(work: Workload, rows: int, cores: int) -> Prepared:
    """Use batched tensors and `torch.autograd.grad`; `torch.func` where all rows share what is differentiated by."""
    torch = import_module("torch")
    torch.set_num_threads(cores)
    if work.given:
        return _torch_func(work, lambda function: function)
    function = formula(work, _functions("pytorch"))

    def call(tensors: Any) -> Any:
        value = function(*tensors)
        return [value, *torch.autograd.grad(value, tensors, torch.ones_like(value))]

    def load(columns: Columns) -> Any:
        return [torch.from_numpy(column).requires_grad_() for column in columns.values()]

    return Prepared(load, call, lambda results: [result.detach().numpy() for result in results])


def pytorch_compiled(work: Workload, rows: int, cores: int) -> Prepared:
    """Use `torch.compile` on `torch.func.vmap` of `torch.func.grad_and_value`."""
    torch = import_module("torch")
    torch.set_num_threads(cores)
    return _torch_func(work, torch.compile)


def _torch_func(work: Workload, finished: Callable[..., Any]) -> Prepared:
    torch = import_module("torch")
    names, shared = list(work.columns(1)), list(work.given)
    function = formula(work, _functions("pytorch"))
    places = tuple((shared + names).index(name) for name in work.variables)
    dimensions = (None,) * len(shared) + (0,) * len(names)
    batched = finished(torch.func.vmap(torch.func.grad_and_value(function, argnums=places), in_dims=dimensions))

    def call(tensors: Any) -> Any:
        gradient, value = batched(*tensors)
        return [value, *gradient]

    def load(columns: Columns) -> Any:
        numbers = [torch.tensor(work.given[name], dtype=torch.float64) for name in shared]
        return numbers + [torch.from_numpy(column) for column in columns.values()]

    return Prepared(load, call, lambda results: [result.numpy() for result in results])


def jax(work: Workload, rows: int, cores: int, jit: bool = True) -> Prepared:
    """Use `jit` of `vmap` of `value_and_grad`, with 64-bit numbers."""
    library = import_module("jax")
    function = formula(work, _functions("jax"))
    names, shared = list(work.columns(1)), list(work.given)
    places = tuple((shared + names).index(name) for name in work.variables)
    axes = (None,) * len(shared) + (0,) * len(names)
    batched = library.vmap(library.value_and_grad(function, argnums=places), in_axes=axes)
    batched = library.jit(batched) if jit else batched

    def load(columns: Columns) -> Any:
        return [library.numpy.asarray(number) for number in (*work.given.values(), *columns.values())]

    def arrays(results: Any) -> Sequence[Any]:
        value, gradient = results
        return [import_module("numpy").asarray(result) for result in (value, *gradient)]

    return Prepared(load, lambda data: library.block_until_ready(batched(*data)), arrays)


def jax_hessian(work: Workload, rows: int, cores: int) -> Prepared:
    """Use `jit` of `vmap` of `hessian`, with 64-bit numbers."""
    library = import_module("jax")
    places = tuple(range(len(work.variables)))
    batched = library.jit(library.vmap(library.hessian(formula(work, _functions("jax")), argnums=places)))

    def arrays(results: Any) -> Sequence[Any]:
        return [import_module("numpy").asarray(results[i][j]) for i in places for j in places if i <= j]

    def load(columns: Columns) -> Any:
        return [library.numpy.asarray(column) for column in columns.values()]

    return Prepared(load, lambda data: library.block_until_ready(batched(*data)), arrays)


def jax_mean(work: Workload, rows: int, cores: int) -> Prepared:
    """Use `jit` of `value_and_grad` of the mean over the rows, with 64-bit numbers."""
    library = import_module("jax")
    function, shared = formula(work, _functions("jax")), len(work.given)
    axes = (None,) * shared + (0,) * len(work.columns(1))
    per_row = library.vmap(function, in_axes=axes)
    reduced = library.jit(
        library.value_and_grad(lambda *data: library.numpy.mean(per_row(*data)), argnums=tuple(range(shared)))
    )

    def load(columns: Columns) -> Any:
        return [library.numpy.asarray(number) for number in (*work.given.values(), *columns.values())]

    def arrays(results: Any) -> Sequence[Any]:
        value, gradient = results
        return _numbers([value, *gradient])

    return Prepared(load, lambda data: library.block_until_ready(reduced(*data)), arrays)


def jax_uncompiled(work: Workload, rows: int, cores: int) -> Prepared:
    """Use JAX operation by operation, for formulas that are too large for its compiler."""
    return jax(work, rows, cores, jit=False)


def casadi(work: Workload, rows: int, cores: int, compiled: bool = False) -> Prepared:
    """Use a `Function` of SX symbols, mapped over the rows, its buffers handed over without a copy."""
    ca, numpy = import_module("casadi"), import_module("numpy")
    symbols = {name: ca.SX.sym(name) for name in (*work.given, *work.columns(1))}
    value = formula(work, _functions("casadi"))(*symbols.values())
    variables = ca.vertcat(*[symbols[name] for name in work.variables])
    shared = ca.vertcat(*[symbols[name] for name in work.given])
    row = ca.vertcat(*[symbols[name] for name in work.columns(1)])
    point = ca.Function("point", [row, shared], [ca.vertcat(value, ca.gradient(value, variables))])
    point = _external(point, work) if compiled else point
    mapped = point.map("mapped", "serial", rows // cores, [1], [])
    if cores > 1:
        mapped = mapped.map("shared", "thread", cores, [1], [])
    buffer, evaluate = mapped.buffer()

    def load(columns: Columns) -> Any:
        return numpy.stack(list(columns.values()), axis=1), numpy.array([*work.given.values()])

    def call(data: Any) -> Any:
        results = numpy.empty((rows, 1 + len(work.variables)))
        for place, array in enumerate(data):
            buffer.set_arg(place, memoryview(array))
        buffer.set_res(0, memoryview(results))
        evaluate()
        return results

    return Prepared(load, call, lambda results: list(results.T))


def casadi_compiled(work: Workload, rows: int, cores: int) -> Prepared:
    """Use the C code that CasADi writes for the function."""
    return casadi(work, rows, cores, compiled=True)


def _external(point: Any, work: Workload) -> Any:
    """The function compiled; the library is kept for the processes that follow in the same folder."""
    library = Path(f"{work.name}.so").resolve()
    if not library.exists():
        source = point.generate(f"{work.name}.c")
        effort = "-O3" if len(work.text) < LARGE else "-O1"  # the C compiler needs minutes for more
        subprocess.run(["cc", effort, "-march=native", "-fPIC", "-shared", source, "-o", library, "-lm"], check=True)
    return import_module("casadi").external("point", str(library))


def autograd(work: Workload, rows: int, cores: int) -> Prepared:
    """Use what `elementwise_grad` does, keeping the value that it throws away. It has one thread only."""
    make_vjp = import_module("autograd.differential_operators").make_vjp
    numpy = import_module("numpy")
    names = [*work.given, *work.columns(1)]
    pull = make_vjp(formula(work, _functions("autograd")), [names.index(name) for name in work.variables])

    def load(columns: Columns) -> Any:
        return [numpy.full(rows, number) for number in work.given.values()] + list(columns.values())

    def call(data: Any) -> Any:
        back, value = pull(*data)
        return [value, *back(numpy.ones(rows))]

    return Prepared(load, call, lambda results: results)


def numexpr(work: Workload, rows: int, cores: int) -> Prepared:
    """Use numexpr on the value and a gradient that is written out: that of `autodiff diff`."""
    library = import_module("numexpr")
    library.set_num_threads(cores)
    steps, results = written_out(work)

    def call(columns: Columns) -> Any:
        known = {**work.given, **columns}
        for name, text in steps:
            known[name] = known[text] if text in known else library.evaluate(text, local_dict=known, global_dict={})
        return [known[name] for name in results]

    return Prepared(lambda columns: columns, call, lambda found: found)


def copy(work: Workload, rows: int, cores: int) -> Prepared:
    """Use no library: copy the columns and as many as there are results, each into new memory."""
    numpy = import_module("numpy")
    pool = import_module("concurrent.futures").ThreadPoolExecutor(cores)
    shares = [slice(core * rows // cores, (core + 1) * rows // cores) for core in range(cores)]

    def load(columns: Columns) -> Any:
        return [*columns.values(), *[numpy.ones(rows) for _ in range(1 + len(work.variables))]]

    def call(data: Any) -> Any:
        copies = [numpy.empty(rows) for _ in data]

        def part(share: slice) -> None:
            for source, target in zip(data, copies, strict=True):
                target[share] = source[share]

        list(pool.map(part, shares))
        return copies

    return Prepared(load, call, lambda copies: copies)


def _functions(library: str) -> Any:
    return getattr(import_module("libraries"), library)().functions


LIBRARIES: dict[str, tuple[Callable[..., Prepared], str]] = {
    "autodiff": (autodiff, "autodiff_cli"),
    "PyTorch": (pytorch, "torch"),
    "PyTorch, compiled": (pytorch_compiled, "torch"),
    "JAX": (jax, "jax"),
    "JAX without jit": (jax_uncompiled, "jax"),
    "autodiff, Hessian": (autodiff_hessian, "autodiff_cli"),
    "JAX, Hessian": (jax_hessian, "jax"),
    "autodiff, mean": (autodiff_mean, "autodiff_cli"),
    "JAX, mean": (jax_mean, "jax"),
    "CasADi": (casadi, "casadi"),
    "CasADi, compiled": (casadi_compiled, "casadi"),
    "autograd": (autograd, "autograd"),
    "numexpr": (numexpr, "numexpr"),
    "copy": (copy, "numpy"),
}
"""name → its use, and the package that it is"""


def written_out(work: Workload) -> tuple[list[tuple[str, str]], list[str]]:
    """The steps to the value and the gradient, and the names of these."""
    if work.name == "neuron":  # as one would write it by hand; numexpr has no sech
        steps = {"value": "tanh(x1*w1 + x2*w2 + b)", "slope": "1 - value**2"}
        steps |= {name: f"slope*{factor}" for name, factor in (("d1", "w1"), ("d2", "x1"), ("d3", "w2"), ("d4", "x2"))}
        return list(steps.items()), ["value", "d1", "d2", "d3", "d4", "slope"]
    program = import_module("autodiff_cli").parse(work.text)
    found = import_module("autodiff_cli.derivatives.differentiate").differentiate(program, list(work.variables))
    steps = dict(line.split(" = ", 1) for line in _lines(work.text)[:-1])
    steps["value"] = _last(work.text)
    for statement in found.statements:
        steps.setdefault(*str(statement).replace("^", "**").split(" = ", 1))  # a name of the formula's stays as it is
    return list(steps.items()), ["value", *[str(found.results[name]).split(" = ")[0] for name in work.variables]]


def formula(work: Workload, functions: Any) -> Callable[..., Any]:
    """The workload's text as a Python function of its shared numbers and its columns."""
    names = ", ".join([*work.given, *work.columns(1)])
    body = "".join(f"    {line}\n" for line in _lines(work.text)[:-1])
    scope = dict(functions)
    exec(f"def formula({names}):\n{body}    return {_last(work.text)}\n", scope)
    return scope["formula"]


def _lines(text: str) -> list[str]:
    return text.replace("^", "**").splitlines()


def _last(text: str) -> str:
    return _lines(text)[-1].split(" = ", 1)[-1]


ENOUGH = 1.5
"""seconds after which a call is not repeated"""
LONG = 30.0
"""seconds of a first call that is not repeated where nothing is compiled"""
COMPILERS = ("JAX", "JAX, Hessian", "JAX, mean", "PyTorch, compiled")
"""those whose first call compiles"""


def main() -> None:
    """Prepare, time, print."""
    arguments = _arguments()
    os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(arguments.cores))
    sys.setrecursionlimit(10**6)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(arguments.folder or folder)
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(Path("torch").resolve())
        print(json.dumps(measured(arguments)))


def measured(arguments: argparse.Namespace) -> dict[str, Any]:
    """Print the measurements."""
    work = workload(arguments.workload)
    make = LIBRARIES[arguments.library][0]
    if make is autodiff:
        make = partial(autodiff, engine=arguments.engine)
    start = time.perf_counter()
    prepared = make(work, arguments.rows, arguments.cores)
    prepare = time.perf_counter() - start
    data = prepared.load(work.columns(arguments.rows))
    first, results = timed(prepared.call, data)
    if arguments.results:
        numpy = import_module("numpy")
        numpy.save(arguments.results, numpy.stack(prepared.arrays(results)))
    seconds = [first] if first > LONG and arguments.library not in COMPILERS else []
    while not seconds or (sum(seconds) < ENOUGH and len(seconds) < 5):
        del results
        again, results = timed(prepared.call, data)
        seconds.append(again)
    return {"prepare": prepare, "first": first, "seconds": seconds}


def timed(call: Callable[[Any], Any], data: Any) -> tuple[float, Any]:
    """The seconds of a call, and its results."""
    start = time.perf_counter()
    results = call(data)
    return time.perf_counter() - start, results


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("workload")
    parser.add_argument("library", choices=LIBRARIES)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--cores", type=int, default=1, help="threads; it is for who starts it to keep it to the cores")
    parser.add_argument("--engine", default="compiled", help="what computes in autodiff: auto, compiled or numpy")
    parser.add_argument("--folder", help="where compiled code is kept from one process to the next")
    parser.add_argument("--results", help="file for the results, an .npy of value and gradient")
    return parser.parse_args()


if __name__ == "__main__":
    main()
