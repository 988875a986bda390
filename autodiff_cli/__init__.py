"""Exact derivatives of formulas, in double precision: values, gradients and every step on the way.

>>> from autodiff_cli import Value, evaluate, gradient
>>> gradient("a*b + c", {"a": 2, "b": -3, "c": 10})
{'a': -3.0, 'b': 2.0, 'c': 1.0}
>>> a = Value(3.0)
>>> (a + a).backward()
>>> a.grad
2.0
"""

from .version import __version__

TYPE_CHECKING = False  # to import it from `typing` takes as long as all else that the command line imports first

if TYPE_CHECKING:
    from .api import (
        check,
        compile,  # noqa: A004  # as `re.compile`
        convert,
        diff,
        draw,
        evaluate,
        fit,
        gradient,
        hessian,
        jacobian,
        minimize,
        solve,
        taylor,
        uncertainty,
        with_results,
    )
    from .errors import AutodiffError
    from .language import parse
    from .notebook.magics import Shell
    from .program import Program
    from .value import Value

__all__ = [
    "AutodiffError",
    "Program",
    "Value",
    "__version__",
    "check",
    "compile",
    "convert",
    "diff",
    "draw",
    "evaluate",
    "fit",
    "gradient",
    "hessian",
    "jacobian",
    "minimize",
    "parse",
    "solve",
    "taylor",
    "uncertainty",
    "with_results",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """A public name, at its first use: the command line, which starts without the functions, imports this too."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from . import api

        value = globals()[name] = getattr(api, name)
        return value

    def __dir__() -> list[str]:
        return [*{*globals(), *__all__}]


def load_ipython_extension(shell: "Shell") -> None:
    """Add `%autodiff` and `%%autodiff` to a notebook; `%load_ext autodiff_cli` calls it."""
    from .notebook.magics import register

    register(shell)
