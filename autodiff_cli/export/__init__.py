"""A program and its derivatives in other languages: one file for each, over one way to straight-line code.

A target's module has `function(request, name, …)`, which gives the whole text of a file, and says in a `LANGUAGE` how
it writes things.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import PurePath
from typing import Any

from ..errors import USAGE, AutodiffError, printable
from ..program import Program

TARGETS: dict[str, tuple[str, ...]] = {
    "c": (".c",),
    "python": (".py",),
    "numpy": (),
    "javascript": (".js", ".mjs"),
    "rust": (".rs",),
    "fortran": (".f90", ".f95", ".f03", ".f08"),
    "julia": (".jl",),
    "latex": (".tex",),
    "sql": (".sql",),
}
"""target → the endings of files that are meant for it"""


def export(
    program: Program,
    target: str,
    *,
    wrt: Sequence[str] | None = None,
    name: str | None = None,
    hessian: bool = False,
    fixed: Mapping[str, float] | None = None,
    **options: Any,
) -> str:
    """The text of a file in another language that computes a program's value and gradient.

    `wrt` limits the gradient to some inputs or named values, `name` is the function's; without it the function is
    named after the output or the file. Inputs that are `fixed` are numbers. `options` are the target's own. Raises
    AutodiffError for names that the program does not know, and for a name that no function of the language can have.
    """
    from ..lowering.request import request

    module = import_module(f".{target}", __name__)
    if name is not None:
        _refuse(name, target, module)
    asked = request(program, wrt, hessian=hessian, fixed=fixed)
    text: str = module.function(asked, name or _default_name(program), **options)
    return text


def _default_name(program: Program) -> str:
    """The name of the output or of the file; `f` where there is none."""
    source = program.source.name
    stem = "" if source.startswith("<") else PurePath(source).stem
    return next((word for word in (program.output_name, stem) if word and word.isidentifier()), "f")


def _refuse(name: str, target: str, module: Any) -> None:
    """An error for a name that the language has another use for, or that is none."""
    from ..lowering.naming import Names

    language = getattr(module, "LANGUAGE", None)
    usable = name.isidentifier() and (language is None or Names(language, language.outside).new(name) == name)
    if not usable:
        raise AutodiffError(
            f"`{printable(name)}` cannot be the name of a function in {target}",
            hint=f"another name will do, such as {name}_f"
            if name.isidentifier()
            else "a name is a word: --name energy",
            code=USAGE,
        )
