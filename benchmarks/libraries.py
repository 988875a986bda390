"""The libraries that are compared with this program, each used as its own documentation recommends.

A formula is one line of text in autodiff's language. A library evaluates it with its own function for an operation
where it has one, and with the plain formula that its user would write where it has none. A library that is not
installed is left out. All are loaded by name: none of them is needed to type-check or to read this file.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.metadata import version
from typing import Any

Functions = Mapping[str, Callable[..., Any]]
Point = Mapping[str, float]
Derivative = Callable[[str, Point, str, int], float | None]


@dataclass(frozen=True)
class Library:
    """`derivative(formula, point, wrt, order)` is None where the library cannot express the formula or the order."""

    name: str
    version: str
    derivative: Derivative
    functions: Functions
    """our names → its functions"""


def evaluate(formula: str, functions: Functions, variables: Mapping[str, Any]) -> Any:
    """Evaluate a formula of `pitfalls.py`, and no other text, with the functions and the numbers of a library."""
    code = compile(formula.replace("^", "**"), formula, "eval")
    missing = set(code.co_names) - set(functions) - set(variables)
    if missing:
        raise NotImplementedError(", ".join(sorted(missing)))
    return eval(code, {"__builtins__": {}}, {**functions, **variables})


def autodiff() -> Library:
    """Use this program through its Python interface; a derivative that is differentiated again is a graph."""
    module, symbolic = import_module("autodiff_cli"), import_module("autodiff_cli.transforms")

    def derivative(formula: str, point: Point, wrt: str, order: int) -> float:
        program = module.parse(formula)
        for _ in range(order - 1):
            (node,) = symbolic.derivative(program.graph, program.output, [program.inputs[wrt]])
            program = replace(program, output=node)
        return float(module.gradient(program, dict(point), [wrt])[wrt])

    return Library("autodiff", "this version", derivative, {})


def jax() -> Library:
    """Use JAX with 64-bit numbers, `jax.numpy`, `jax.nn` and `jax.scipy`."""
    library = import_module("jax")
    library.config.update("jax_enable_x64", True)
    np, nn, special = library.numpy, import_module("jax.nn"), import_module("jax.scipy.special")
    functions: Functions = {
        **named(np, "abs exp expm1 log log1p logaddexp sqrt sin cos tanh hypot sinc where mod"),
        **named(np, "asin=arcsin acos=arccos atan=arctan atan2=arctan2 asinh=arcsinh acosh=arccosh atanh=arctanh"),
        **named(nn, "relu sigmoid softplus silu"),
        **named(special, "erf erfc gamma lgamma=gammaln normcdf=ndtr"),
        "min": np.minimum,
        "max": lambda *arguments: np.maximum(*arguments) if len(arguments) == 2 else np.max(np.stack(arguments)),
    }

    def derivative(formula: str, point: Point, wrt: str, order: int) -> float:
        def function(x: Any) -> Any:
            return evaluate(formula, functions, {**point, wrt: x})

        for _ in range(order):
            function = library.grad(function)
        return float(function(point[wrt]))

    return Library("JAX", version("jax"), derivative, functions)


def pytorch() -> Library:
    """Use PyTorch with float64 tensors, `torch.special` and `torch.nn.functional`."""
    torch = import_module("torch")

    def tensor(number: Any) -> Any:
        return number if torch.is_tensor(number) else torch.tensor(number, dtype=torch.float64)

    functions: Functions = {
        **named(torch, "abs exp expm1 log log1p logaddexp sqrt sin cos tanh hypot sinc where relu sigmoid"),
        **named(torch, "asin acos atan atan2 asinh acosh atanh erf erfc lgamma mod=remainder"),
        **named(import_module("torch.nn.functional"), "softplus silu"),
        "normcdf": torch.special.ndtr,
        "gamma": lambda x: torch.exp(torch.lgamma(x)),
        "min": lambda a, b: torch.minimum(tensor(a), tensor(b)),
        "max": lambda *arguments: (
            torch.maximum(*map(tensor, arguments)) if len(arguments) == 2 else torch.stack(arguments).amax()
        ),
    }

    def derivative(formula: str, point: Point, wrt: str, order: int) -> float:
        tensors = {
            name: torch.tensor(number, dtype=torch.float64, requires_grad=True) for name, number in point.items()
        }
        result = evaluate(formula, functions, tensors)
        for _ in range(order):
            (result,) = torch.autograd.grad(result, tensors[wrt], create_graph=True, materialize_grads=True)
        return float(result)

    return Library("PyTorch", version("torch").partition("+")[0], derivative, functions)


def autograd() -> Library:
    """Use autograd with `autograd.numpy` and `autograd.scipy`."""
    library, np = import_module("autograd"), import_module("autograd.numpy")
    special, norm = import_module("autograd.scipy.special"), import_module("autograd.scipy.stats").norm
    functions: Functions = {
        **named(np, "abs exp expm1 log log1p logaddexp sqrt sin cos tanh hypot sinc where mod"),
        **named(np, "asin=arcsin acos=arccos atan=arctan atan2=arctan2 asinh=arcsinh acosh=arccosh atanh=arctanh"),
        **named(special, "erf erfc gamma lgamma=gammaln sigmoid=expit"),
        "normcdf": norm.cdf,
        "relu": lambda x: np.maximum(x, 0.0),
        "softplus": lambda x: np.logaddexp(0.0, x),
        "silu": lambda x: x * special.expit(x),
        "min": np.minimum,
        "max": lambda *arguments: np.maximum(*arguments) if len(arguments) == 2 else np.max(np.array(arguments)),
    }

    def derivative(formula: str, point: Point, wrt: str, order: int) -> float:
        def function(x: Any) -> Any:
            return evaluate(formula, functions, {**numbers, wrt: x})

        numbers = {name: np.float64(number) for name, number in point.items()}
        for _ in range(order):
            function = library.grad(function)
        with np.errstate(all="ignore"):
            return float(function(numbers[wrt]))

    return Library("autograd", version("autograd"), derivative, functions)


def casadi() -> Library:
    """Use CasADi with SX symbols, which its manual recommends for scalar expressions."""
    ca = import_module("casadi")
    functions: Functions = {
        **named(ca, "abs=fabs exp expm1 log log1p sqrt sin cos tanh hypot where=if_else mod=fmod erf"),
        **named(ca, "asin acos atan atan2 asinh acosh atanh"),
        "logaddexp": lambda x, y: ca.logsumexp(ca.vertcat(x, y)),
        "relu": lambda x: ca.fmax(x, 0),
        "sigmoid": lambda x: 1 / (1 + ca.exp(-x)),
        "softplus": lambda x: ca.log1p(ca.exp(x)),
        "silu": lambda x: x / (1 + ca.exp(-x)),
        "erfc": lambda x: 1 - ca.erf(x),
        "normcdf": lambda x: 0.5 * (1 + ca.erf(x / math.sqrt(2))),
        "sinc": lambda x: ca.sin(math.pi * x) / (math.pi * x),
        "min": ca.fmin,
        "max": lambda *arguments: ca.fmax(*arguments) if len(arguments) == 2 else ca.mmax(ca.vertcat(*arguments)),
    }

    def derivative(formula: str, point: Point, wrt: str, order: int) -> float:
        symbols = {name: ca.SX.sym(name) for name in point}
        result = evaluate(formula, functions, symbols)
        for _ in range(order):
            result = ca.gradient(result, symbols[wrt])
        return float(ca.Function("derivative", list(symbols.values()), [result])(*point.values()))

    return Library("CasADi", version("casadi"), derivative, functions)


def installed() -> tuple[list[Library], list[str]]:
    """Return the libraries that can be used here and the names of those that cannot."""
    found: list[Library] = []
    missing: list[str] = []
    for load in (autodiff, jax, pytorch, autograd, casadi):
        try:
            found.append(load())
        except (ImportError, AttributeError):
            missing.append(load.__name__)
    return found, missing


def named(module: Any, names: str) -> dict[str, Callable[..., Any]]:
    """Take functions from a module: `sqrt` under its own name, `asin=arcsin` under ours."""
    pairs = ((ours, theirs or ours) for ours, _, theirs in (name.partition("=") for name in names.split()))
    return {ours: getattr(module, theirs) for ours, theirs in pairs}
