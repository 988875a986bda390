"""The hints of the prompt: what to write in place of words that belong to other prompts or to the command line."""

import re
import shlex
from collections.abc import Callable, Container, Sequence

from ...errors import UsageError, did_you_mean, quoted_names
from ...repl.example_statements import examples
from ...repl.statements import COMMAND
from ..command_line.foreign_words import commands_meant
from .commands import COMMANDS, Delegated

WORDS: dict[str, Callable[..., str]] = {
    "missing inputs": lambda *names: f"write {'; '.join(examples(names, 1)[:3])}, with your numbers",
    "unknowns": lambda *names: f"choose some, as in :solve {' '.join(names)}",
    "set apart": lambda assignment: f"write {assignment.replace('=', ' = ')}; the formula is a line of its own",
    "list input": lambda name: f"give it a list: {name} = [1, 2, 3]",
    "entry of a list": lambda name, entry: f"name an entry after the command: {entry}",
    "list entry": lambda name: f"give all of its entries: {examples([name], 1)[0]}, with your numbers",
    "list of functions": lambda: "Tab completes the names of functions",
    "random number": lambda: "numbers are given, not drawn: make it an input",
    "more work": lambda seconds: f"a prompt that is started with --budget {seconds} allows more",
}
"""the kind of a remedy → its words at the prompt, made from the names that it is about"""
_LEAVING = re.compile(r"(?:exit|quit|q|bye)(?:\(\))?")
"""the words with which people leave other prompts"""
_ASKING = re.compile(r"\?+ *(\w*)|help\b *\(? *(\w*) *\)?|(\w+) *\?+")
"""questions at other prompts: `?`, `?sin`, `help(sin)`, `sin?`"""
_WITHOUT_COLON = re.compile(r"(?:autodiff\s+)?(\w+)((?:\s+[^\s=*/^%+)<>-].*)?)", re.DOTALL)
"""a command without its colon; `list = …` is an assignment, and `list * 2` a formula"""
_FORMULA = re.compile(r"(?!.*\.[a-z])[^=:\[]+[-+*/^(][^=:]*")
"""a word at a command that is none of names, a range, an assignment or a file"""
_SYNONYMS = {
    synonym: name
    for name, synonyms in {
        "clear": "del delete forget remove reset rm unset",
        "help": "? h man",
        "list": "l ls show vars who whos",
        "load": "o open read run source",
        "quit": "bye exit wq x",
        "save": "w write",
    }.items()
    for synonym in synonyms.split()
}
"""the words of other prompts → the command that does the same here"""


def for_missing_colon(text: str, definitions: Container[str]) -> str:
    """The hint for a text that is meant as a command, though it lacks its colon; "" for any other text."""
    text = text.strip()
    if asking := _ASKING.fullmatch(text):
        return f"write :help {''.join(filter(None, asking.groups()))}".rstrip()
    if _LEAVING.fullmatch(text):
        return ":quit leaves, as Ctrl-D does"
    typed = _WITHOUT_COLON.fullmatch(text)
    if typed and typed[1] not in definitions and (command := _command_of(typed[1])):
        return f"commands begin with a colon: :{command}{typed[2]}"
    return ""


def _command_of(word: str) -> str:
    """The command that a word without its colon means; "" for none, and for a letter, which is rather a name."""
    return word if word in COMMANDS else _SYNONYMS.get(word, "") if len(word) > 1 else ""


def for_unknown_command(called: str, words: Sequence[str]) -> str:
    """The hint for a command that the prompt does not have."""
    begun = [name for name in COMMANDS if name.startswith(called)]
    foreign = (command for command in commands_meant(called.lower()) if command.split()[0] in COMMANDS)
    meant = _SYNONYMS.get(called) or (begun[0] if len(begun) == 1 else next(foreign, ""))
    if meant:
        return f"write {COMMAND}{' '.join([meant, *words])}"
    if called == "set" and words:
        return f"a number is given without a command: {' '.join(words).replace('=', ' = ')}"
    others = ", ".join(f"`{COMMAND}{name}`" for name in begun)
    close = did_you_mean(called, COMMANDS).replace("`", f"`{COMMAND}", 1)
    return (others and f"these begin so: {others}") or close or "`:help` lists the commands; `:quit` leaves"


def refuse_formula(called: str, plain: Sequence[str], words: Sequence[str]) -> None:
    """Raise AutodiffError for a command with a formula, as the command line takes it."""
    formula = next((word for word in plain if _FORMULA.fullmatch(word)), None)
    if formula is not None:
        command = shlex.join([f"{COMMAND}{called}", *(word for word in words if word != formula)])
        raise UsageError(f"`{COMMAND}{called}` takes no formula", f"type {formula} as a line first, then {command}")


def refuse_several_values(called: str, command: Delegated, values: Sequence[str]) -> None:
    """Raise AutodiffError for a command with more than one value."""
    value, *others = dict.fromkeys(values) or [""]
    if others:
        by = f"to differentiate by {quoted_names(others)}: {COMMAND}{called} {value} --wrt {' '.join(others)}"
        hint = by if command.option == "--wrt" else "leave all but one of them out"
        raise UsageError(f"`{COMMAND}{called}` takes one value, not {quoted_names([value, *others])}", hint)
