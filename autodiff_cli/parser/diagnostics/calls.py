"""What to say about a call, a definition or an argument list that the grammar allows and that means nothing."""

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from ...errors import AutodiffError, did_you_mean
from ...operations import FUNCTIONS, INFINITY, Operation
from .context import Surroundings, Word, plain, repeated, words
from .hints import advise
from .idioms import THOUSANDS
from .synonyms import CALLS, NICKNAMES

if TYPE_CHECKING:
    from ..builder import Builder
    from ..scope import Scope


def unknown_function(builder: "Builder", name: str, starts: Sequence[int], end: int) -> AutodiffError:
    """The error for a call of what is no function; `starts` are the places of the name and of its parenthesis."""
    text = builder.source.text
    word = next(words(text, starts[0]))
    if builder.is_value(name):
        message, hint = f"`{name}` is a value, not a function", _product(text, word, starts[1], end)
        hint = hint or "put an operator before the parenthesis"
    elif builder.is_defining(name):
        message = f"`{name}` calls itself"
        hint = "a call is replaced by the function's formula, so it cannot call itself: write the steps out"
    elif _defined_after(text, word.text, end):
        message = f"`{name}` is called before it is defined"
        hint = f"move the definition of `{name}` above this statement"
    else:
        message = f"unknown function `{name}`"
        error = advise(builder, Surroundings(text, word.end, word.end), CALLS)
        hint = error.hint if error else _known(builder, name) or _unheard(text, word, starts[1], end)
    return builder.error(message, word.start, word.end, hint=hint)


def _known(builder: "Builder", name: str) -> str:
    meant = NICKNAMES.get(name.lower())
    return f"did you mean `{meant}`?" if meant else did_you_mean(name, chain(builder.functions, FUNCTIONS))


def _product(text: str, word: Word, opening: int, end: int) -> str:
    argument = repeated(text[opening:end])
    certain = "," not in argument and argument != "()" and not Surroundings(text, word.end, opening).is_tight(word.end)
    return f"write {repeated(word.text)}*{argument}" if certain else ""


def _unheard(text: str, word: Word, opening: int, end: int) -> str:
    product = _product(text, word, opening, end)
    return f"for a product {product}; " * bool(product) + "`autodiff functions` lists the functions"


def _defined_after(text: str, name: str, start: int) -> bool:
    definitions = re.compile(r"(?<!\w)([^\W\d]\w*+)\s*+\([^()=#]*+\)\s*+=(?!=)")
    return any(match[1] == name for match in definitions.finditer(text, start))


def wrong_count(builder: "Builder", name: str, count: int, start: int, end: int) -> AutodiffError:
    """The error for a call with too few or too many arguments."""
    own = builder.functions.get(name)
    if own:
        counts = [(len(own.parameters), float(len(own.parameters)))]
        forms = [f"{name}({builder.source.text[slice(*builder.graph.span(own.parameters[0]))].strip()})"]
    else:
        counts = [row.counts for row in FUNCTIONS[name]]
        forms = [_form(name, row) for row in FUNCTIONS[name]]
    least, most = min(low for low, _ in counts), max(high for _, high in counts)
    takes = f"{least}" if most == least else f"{least} or more" if most == INFINITY else f"{least} or {most:.0f}"
    plural = "s" * (takes != "1")
    message = f"`{name}` takes {takes} argument{plural}, got {count}"
    return builder.error(message, start, end, hint=f"write {' or '.join(forms)}")


def _form(name: str, row: Operation) -> str:
    """A call of a function, as an example."""
    called, parenthesis, arguments = row.example.partition("(")
    named = parenthesis and called in (row.called, *row.aliases)
    return f"{name}({arguments}" if named else f"{name}({', '.join(row.names)})"


def not_a_literal(builder: "Builder", row: Operation, start: int) -> AutodiffError:
    """The error for a first argument, at `start`, that has to be a whole number written in the formula."""
    end = start + len(_first_argument(builder.source.text, start))
    message = f"the first argument of `{row.called}` must be a whole number written out"
    return builder.error(message, start, end, hint=f"write a call such as {row.example}")


def _first_argument(text: str, start: int) -> str:
    argument, depth = start, 0
    for word in words(text, start):
        depth += (word.kind == "LPAR") - (word.kind == "RPAR")
        if depth == 0 and word.kind == "COMMA":
            break
        argument = word.end
    return text[start:argument]


def not_a_name(builder: "Scope", text: str, start: int) -> AutodiffError:
    """The error for a word, at or after `start`, that cannot be a name, such as `½`."""
    start, simple = builder.source.text.index(text, start), plain(text)
    hint = f"write ({simple})" if re.fullmatch(r"\d+/\d+", simple) else "a name has letters, digits and _"
    return builder.error(f"`{text}` cannot be a name", start, start + len(text), hint=hint)


def named_twice(builder: "Scope", index: int, start: int) -> AutodiffError:
    """The error for a parameter, by its index in the list at `start`, with the name of an earlier one."""
    names: Iterable[Word] = (word for word in words(builder.source.text, start) if word.kind == "NAME")
    word = next(word for at, word in enumerate(names) if at == index)
    return builder.error(
        f"the parameter `{word.text}` is named twice", word.start, word.end, hint="give each parameter its own name"
    )


def thousands(builder: "Builder", comma: int) -> AutodiffError | None:
    """The error for a comma between an argument and one like 000: together they read as one number, 1,000."""
    error = advise(builder, Surroundings(builder.source.text, comma, comma), [THOUSANDS])
    if error:
        error.hint += "; for two arguments put a space after the comma"
    return error
