"""A program and its derivatives as code in other languages: one file for each language.

A language's module has `function(request, name, …)`, which returns the whole text of a file, and a `LANGUAGE`, which
defines how operations and assignments are written (except LaTeX, which is not code). What they share is in
`function_code` and `statements`.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import PurePath
from typing import Any

from ..errors import USAGE, AutodiffError, Remedy
from ..lowering.function_request import function_request
from ..lowering.identifiers import Identifiers
from ..program import Program
from ..terminal.printable_text import printable

TARGETS = ("c", "python", "numpy", "javascript", "rust", "fortran", "julia", "latex", "sql")
"""each is a file of this folder, which is imported when it is needed"""


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

    `wrt` limits the gradient to some inputs or named values. `name` names the function, which is otherwise called after
    the output or the file. Inputs that are `fixed` are numbers. `options` are the target's own. Raises
    AutodiffError for names that the program does not know, and for a name that no function of the language can have.
    """
    module = import_module(f".{target}", __name__)
    if name is not None:
        _refuse(name, target, module)
    asked = function_request(program, wrt, hessian=hessian, fixed=fixed)
    text: str = module.function(asked, name or _default_name(program, is_code=hasattr(module, "LANGUAGE")), **options)
    return text


def _default_name(program: Program, *, is_code: bool) -> str:
    """The name of the output or of the file; `f` where there is none. In code it is a word, and not `w[1]`."""
    if program.output_name and not is_code:
        return program.output_name
    source = program.source.name
    stem = "" if source.startswith("<") else PurePath(source).stem
    return next((word for word in (program.output_name, stem) if word and word.isidentifier()), "f")


def _refuse(name: str, target: str, module: Any) -> None:
    """Raise the error for a name that is reserved in the language, or that is not an identifier."""
    language = getattr(module, "LANGUAGE", None)
    usable = name.isidentifier() and (language is None or Identifiers(language).function(name) == name)
    if not usable:
        message = f"`{printable(name)}` cannot be the name of a function in {target}"
        if name.isidentifier():
            other = Identifiers(language).function(f"{name}_f") if language else f"{name}_f"
            raise AutodiffError(message, hint=f"another name will do, such as {other}", code=USAGE)
        raise AutodiffError(message, remedy=Remedy("function name", (), "a name is a word: `energy`"), code=USAGE)
