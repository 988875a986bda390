"""The remedies of errors in the words of the command line: which option to add, or to leave out."""

from collections.abc import Callable

from ..errors import AutodiffError, Notice

_OPTIONS: dict[str, Callable[..., str]] = {
    "missing inputs": lambda *names: f"add --set {' '.join(f'{name}=1' for name in names)}, with your numbers",
}
"""the kind of a remedy → its words, made from the names that it is about"""


def in_options(told: AutodiffError | Notice) -> AutodiffError | Notice:
    """The same error or notice, whose remedy names the options of the command line."""
    remedy = told.remedy
    if remedy is None:
        return told
    worded = remedy._replace(words=_OPTIONS[remedy.kind](*remedy.names))
    if isinstance(told, Notice):
        return told._replace(remedy=worded)
    told.remedy = worded
    return told
