"""Completions at the cursor: names of the session, functions and commands, each with a one-line description."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal, NamedTuple

from ..notation import shortest
from ..operations import CONSTANTS, FUNCTIONS, LIST_FUNCTIONS
from ..parser.tokens import tokens
from .session import LAST, Session
from .statements import COMMAND, parts


@dataclass(frozen=True)
class PromptCommand:
    """A command of the prompt, as its help and its completion need it."""

    doc: str
    parameters: str = ""
    """written after its name in the help"""
    words: Literal["names", "functions", "files"] | Sequence[str] = "names"
    """the candidates for its words"""


class Candidate(NamedTuple):
    """A possible text at the cursor, with a one-line description."""

    text: str
    doc: str


def candidates(text: str, session: Session, commands: Mapping[str, PromptCommand]) -> tuple[str, list[Candidate]]:
    """The beginning of the word at the end of a text, and what it can become."""
    prefix, known = _known(text, session, commands)
    return prefix, [candidate for candidate in known if candidate.text.startswith(prefix)]


def _known(text: str, session: Session, commands: Mapping[str, PromptCommand]) -> tuple[str, Iterable[Candidate]]:
    name, blank, rest = text.lstrip().partition(" ")
    listed = [Candidate(COMMAND + name, command.doc) for name, command in commands.items()]
    if name.startswith(COMMAND) and not blank:
        return name, listed
    if not name.startswith(COMMAND):
        prefix = _name_before_end(text)
        return prefix, [*_names(session), *_constants(), *_functions()] if prefix else _names(session)
    prefix = "" if rest.endswith(" ") else rest.split(" ")[-1].split(",")[-1]
    command = commands.get(name.removeprefix(COMMAND), PromptCommand(""))
    if command.words == "names":
        return prefix, (candidate for candidate in _uncalled(_names(session)) if candidate.text != LAST)
    if command.words == "functions":
        names_of_commands = (candidate._replace(text=candidate.text.removeprefix(COMMAND)) for candidate in listed)
        return prefix, [*_uncalled(_functions()), *names_of_commands]
    return prefix, [Candidate(word, "") for word in command.words] if command.words != "files" else []


def _name_before_end(text: str) -> str:
    """The name that a text ends with, or "" if it ends with something else."""
    *_, last = [None, *takewhile(lambda token: token.kind != "$END", tokens(text))]
    return last.text if last is not None and last.kind in ("NAME", "DEFINED") and last.end == len(text) else ""


def _names(session: Session) -> Iterator[Candidate]:
    """The names of the session, and those that wait for a number."""
    definitions = session.definitions
    for name, statement in definitions.items():
        yield Candidate(name.replace("()", "("), " ".join(statement.line.split()))
    defined = {parts(name)[0] for name in definitions}
    for name in dict.fromkeys(parts(used)[0] for statement in definitions.values() for used in statement.uses):
        if name not in defined and name not in CONSTANTS and not name.endswith("()"):
            yield Candidate(name, "has no number yet")
    if session.current:
        yield Candidate(LAST, f"the last result, {session.current}")


def _uncalled(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """The candidates, with functions as commands take them: without the parenthesis of a call."""
    return (candidate._replace(text=candidate.text.removesuffix("(")) for candidate in candidates)


def _constants() -> Iterator[Candidate]:
    return (Candidate(name, shortest(number)) for name, number in CONSTANTS.items())


def _functions() -> Iterator[Candidate]:
    docs = {name: operations[0].doc for name, operations in FUNCTIONS.items()}
    docs |= {name: doc for name, (_, doc, _) in LIST_FUNCTIONS.items()}
    return (Candidate(f"{name}(", doc) for name, doc in docs.items())
