"""The gradient checks of other libraries, asked to judge a gradient that they did not compute.

Each gets a function of one number that returns the value of our program, and our gradient, right or wrong, as its
derivative. Tolerances and steps are each library's own. True: it accepts the gradient.
"""

import warnings
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from math import isfinite
from typing import Any

from autodiff_cli.evaluation import Evaluation, evaluate

Function = Callable[[float], float]
Check = Callable[[Function, float, float], bool]


def function(evaluation: Evaluation, name: str) -> Function:
    """The program as a function of one of its inputs."""
    point = {other: evaluation.values[node] for other, node in evaluation.inputs.items()}
    return lambda x: evaluate(evaluation.program, point | {name: float(x)}, ()).value


def installed() -> dict[str, Check]:
    """The name and version of each check that can be run here → the check."""
    makers = {"torch": _torch, "jax": _jax, "autograd": _autograd, "scipy": _scipy}
    return {makers[name]()[0]: makers[name]()[1] for name in makers if find_spec(name)}


def accepts(check: Check, value: Function, x: float, gradient: float) -> bool:
    """Whether the check accepts the gradient; an exception is a no, as for a test that fails."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return isfinite(gradient) and bool(check(value, x, gradient))
        except (AssertionError, ArithmeticError, RuntimeError, ValueError):
            return False


def _torch() -> tuple[str, Check]:
    import torch

    torch.set_num_threads(1)

    class Ours(torch.autograd.Function):
        @staticmethod
        def forward(context: Any, x: Any, value: Function, gradient: float) -> Any:
            context.gradient = gradient
            return torch.tensor(value(x.item()), dtype=torch.float64)

        @staticmethod
        def backward(context: Any, adjoint: Any) -> Any:
            return adjoint * context.gradient, None, None

    def check(value: Function, x: float, gradient: float) -> bool:
        at = torch.tensor(x, dtype=torch.float64, requires_grad=True)
        return bool(torch.autograd.gradcheck(lambda t: Ours.apply(t, value, gradient), (at,)))

    return f"`torch.autograd.gradcheck` {version('torch').split('+')[0]}", check


def _jax() -> tuple[str, Check]:
    """`check_grads` in reverse mode is `check_vjp` with the derivative that JAX has; here it is given ours."""
    import jax
    import numpy as np
    from jax.test_util import check_vjp

    jax.config.update("jax_enable_x64", True)

    def check(value: Function, x: float, gradient: float) -> bool:
        def primal(t: Any) -> Any:
            return np.float64(value(t))

        def with_derivative(t: Any) -> Any:
            return primal(t), lambda adjoint: (np.float64(adjoint * gradient),)

        check_vjp(primal, with_derivative, (np.float64(x),))
        return True

    return f"`jax.test_util.check_grads` {version('jax')}", check


def _autograd() -> tuple[str, Check]:
    import numpy as np
    from autograd.extend import defvjp, primitive
    from autograd.test_util import check_grads

    def check(value: Function, x: float, gradient: float) -> bool:
        np.random.seed(0)  # it draws its directions
        ours = primitive(lambda t: value(t))
        defvjp(ours, lambda result, t: lambda adjoint: adjoint * gradient)
        check_grads(ours, modes=["rev"], order=1)(x)
        return True

    return f"`autograd.test_util.check_grads` {version('autograd')}", check


def _scipy() -> tuple[str, Check]:
    """Three-point differences; its documentation calls an accuracy "on the order of 1e-6 or lower" likely correct."""
    import numpy as np
    from scipy.optimize._numdiff import check_derivative

    def check(value: Function, x: float, gradient: float) -> bool:
        found = check_derivative(lambda t: np.array([value(t[0])]), lambda t: np.array([[gradient]]), np.array([x]))
        return bool(found <= 1e-6)

    return f"`check_derivative` of SciPy {version('scipy')}", check
