"""A session: names keep their values, each statement is answered, and what depends on a change is computed again."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, count
from math import isfinite

from ..errors import AutodiffError, Source
from ..evaluation import evaluate
from ..notation import shortest
from ..operations import CONSTANTS
from ..program import Program
from ..work_budget import WorkBudget, seconds_granted, uncounted
from .definitions import Definitions, dependents, in_order
from .results import Reply, result_of
from .session_program import SessionProgram
from .statements import TypedStatement, parts, statements

LAST = "ans"
"""the name of the last result"""

_MOST_SHOWN = 20  # results that are shown after a change


class Session:
    """Definitions, to which the texts of `run` and `load` add, or which they replace."""

    def __init__(self) -> None:
        self.definitions: dict[str, TypedStatement] = {}
        self.current = ""
        """the name of the last result; "" if there is none yet"""
        self._latest: SessionProgram | None = None

    # ---- Statements --------------------------------------------------------------------------------------------------

    def run(self, source: Source) -> Iterator[Reply]:
        """Take the statements of a text, and yield the answer: their results, and those of all that depends on them.

        An input that is given a number has no result of its own. Raises AutodiffError, which points to the place in
        the text, for a statement that is refused; it changes nothing, and those before it are answered.
        """
        shown: dict[str, None] = {}
        try:
            for statement in statements(source):
                changed = dict.fromkeys(self._take(statement))
                kept = (name for name in shown if name in self.definitions and name not in changed)
                shown = dict.fromkeys(kept) | changed
        except AutodiffError:
            yield self._answer([*shown])
            raise
        yield self._answer([*shown])

    def load(self, source: Source) -> Reply:
        """Take a whole program as it is written, and answer with its result and with those of what depends on it.

        One that is refused changes nothing.
        """
        added: dict[str, TypedStatement] = {}
        wholes: set[str] = set()
        for statement in statements(source):
            named = statement if statement.name else _numbered(statement, self.definitions | added)
            self._refuse_result_name(named)
            if (span := named.place_of(LAST)) is not None:
                raise named.error(f"`{LAST}` is the last result", span, "give the value another name")
            if named.name in wholes or not added.keys().isdisjoint(parts(named.name)):
                message, hint = f"`{named.name}` is assigned twice", "give the second value another name"
                raise named.error(message, (0, len(named.text)), f"a name has one definition here: {hint}")
            added[named.name] = named
            wholes.update(parts(named.name))
        kept = {
            known: statement
            for known, statement in self.definitions.items()
            if known not in wholes and added.keys().isdisjoint(parts(known))
        }
        self._program_of(_needed(kept | added, added))
        moved = self._define(kept | added, added)
        results = [*self._values(added)]
        self.current = results[-1] if results else self.current
        return self._answer([*moved, *results[-1:]])

    def forget(self, names: Iterable[str]) -> None:
        """Remove definitions. Raises AutodiffError if there are none, or if others need them."""
        removed: set[str] = set()
        for name in names:
            defined = self._defined_by(name) or self._defined_by(f"{name}()")
            if not defined:
                raise AutodiffError(f"`{name}` is not defined", hint="`:list` shows what is")
            removed.update(defined)
        self._define({name: kept for name, kept in self.definitions.items() if name not in removed}, removed)

    def _answer(self, names: Sequence[str]) -> Reply:
        """The results of names, computed together."""
        if not names:
            return Reply()
        latest = names[-_MOST_SHOWN:]
        session_program = self._program_of(_needed(self.definitions, latest))
        shown = [(name, entry) for name in latest for entry in _entries(session_program.program, name)]
        results = [
            result_of(session_program, self.definitions[name], entry, self.definitions)
            for name, entry in shown[:_MOST_SHOWN]
        ]
        return Reply(results, len(names) - len(latest) + len(shown) - len(results))

    def _program_of(self, chosen: list[TypedStatement]) -> SessionProgram:
        """The program of statements; the latest is kept, because what is checked is often what is computed next."""
        if self._latest is None or self._latest.statements != chosen:
            self._latest = SessionProgram(chosen)
        return self._latest

    def _take(self, statement: TypedStatement) -> list[str]:
        """Take a statement, and return the names of the results to be shown."""
        self._refuse_result_name(statement)
        self._refuse_uncalled(statement)
        if not statement.name and (shown := self._single_name(statement)):
            return shown
        typed = self._with_last(statement)
        definitions = self._by_entry(typed)
        statement = typed if typed.name else _numbered(typed, self.definitions)
        try:
            session_program = self._program_of(_needed(definitions | {statement.name: statement}, [statement.name]))
        except AutodiffError:
            budget = WorkBudget(seconds_granted())  # as much as before, for an error about the text typed
            with uncounted(), budget:
                self._program_of(_needed(definitions | {typed.name: typed}, [typed.name]))
            raise
        number = self._number(statement, session_program)
        if number is not None:
            statement = statement.rewritten(f"{statement.name} = {shortest(number)}  # {statement.expression}")
        inputs = session_program.program.inputs.keys()
        entries = _entries(session_program.program, statement.name)
        is_computed = number is None and not statement.is_function and not inputs >= {*entries}
        kept = {known: other for known, other in definitions.items() if not known.startswith(f"{statement.name}[")}
        affected = self._define(kept | {statement.name: statement}, [statement.name])
        self.current = statement.name if is_computed else self.current
        return [statement.name] * (is_computed or number is not None) + affected

    def _define(self, trial: dict[str, TypedStatement], changed: Collection[str]) -> list[str]:
        """Make these the definitions, and return the names of the results that depend on those that have changed.

        A result without a name that no longer fits is dropped. Raises AutodiffError where another definition does not.
        """
        affected = dependents(trial, changed)
        try:
            if affected:
                self._program_of(_needed(trial, affected))  # raises where what uses a function does not fit it any more
        except AutodiffError as error:
            unfit = [name for name in affected if not _fits(trial, name)]
            kept = next((name.removesuffix("()") for name in unfit if not trial[name].is_numbered), "")
            if kept:
                error.add_hint(f"to do without `{kept}`: :clear {kept}")
            if kept or not unfit:
                raise
            return self._define({name: trial[name] for name in trial if name not in unfit}, changed)
        self.definitions = trial
        self.current = self.current if self.current in trial else ""
        return [*self._values(affected)]

    def _by_entry(self, statement: TypedStatement) -> dict[str, TypedStatement]:
        """The definitions, where each number of a list has one of its own if the statement defines one of these.

        Raises AutodiffError for an entry that the list does not have, or of a list that is computed.
        """
        name = statement.name
        whole = next((part for part in parts(name)[:-1] if part in self.definitions), None)
        if whole is None:
            return self.definitions
        if self.is_computed(whole):
            hint = f"a name has one definition here: define all of `{whole}` anew"
            raise statement.error(f"`{name}` is defined by `{whole}`", (0, len(name)), hint)
        self._program_of(_needed(self.definitions | {name: statement}, [whole, name]))
        program = self._program_of(_needed(self.definitions, [whole])).program
        texts = {entry: f"{entry} = {shortest(program.graph.numbers[node])}" for entry, node in program.inputs.items()}
        entries = [self.definitions[whole].rewritten(text)._replace(name=entry) for entry, text in texts.items()]
        kept = [[known] if known.name != whole else entries for known in self.definitions.values()]
        return {known.name: known for known in chain.from_iterable(kept)}

    def _refuse_result_name(self, statement: TypedStatement) -> None:
        """Raise an error for a definition of a name that stands for a result."""
        name = parts(statement.name)[0]
        known = self.definitions.get(name)
        if name == LAST:
            message = f"`{LAST}` is the last result"
        elif known is not None and known.is_numbered:
            message = f"`{name}` is a result without a name"
        else:
            return
        raise statement.error(message, (0, len(name)), "give the new value another name")

    def _refuse_uncalled(self, statement: TypedStatement) -> None:
        """Raise an error for a function, or a derivative such as `dy/dx`, that stands for a value."""
        functions = {name: f"{name}()" for name in statement.uses if f"{name}()" in self.definitions}
        uncalled = [function for name, function in functions.items() if not self._defined_by(name)]
        if uncalled:  # the parser has an error for that
            others = {name: other for name, other in self.definitions.items() if name != statement.name}
            SessionProgram(_needed(others | {statement.name: statement}, [*uncalled, statement.name]))
        quotient = re.fullmatch(r"d(\w+)\s*/\s*d(\w+)", statement.expression)
        if quotient and self._defined_by(quotient[1]) and statement.uses.keys().isdisjoint(self.definitions):
            hint = f"for the derivative write D({quotient[1]}, {quotient[2]})"
            raise statement.error("a derivative is not written as a quotient", statement.uses[f"d{quotient[1]}"], hint)

    def _single_name(self, statement: TypedStatement) -> list[str]:
        """The definitions that a statement shows, which is no more than a name; none for any other statement."""
        name, span = next(iter(statement.uses.items()), ("", (0, 0)))
        if span != (0, len(statement.text)) or (name in CONSTANTS and name not in self.definitions):
            return []
        shown = self._defined_by(self.current if name == LAST else name)
        if not shown:
            hint = "there is no result yet" if name == LAST else f"give it one: {name} = 2"
            raise statement.error(f"`{name}` has no value", span, hint)
        return shown

    def _with_last(self, statement: TypedStatement) -> TypedStatement:
        """The statement with the name of the last result in place of `ans`."""
        span = statement.place_of(LAST)
        if span is None:
            return statement
        if not self.current:
            raise statement.error("there is no result yet", span, "write a formula first")
        alias = TypedStatement(LAST, f"{LAST} = {self.current}", {self.current: (0, 0)}, statement.source)
        trial = self.definitions | {statement.name: statement, LAST: alias}
        SessionProgram(_needed(trial, [statement.name]))  # raises errors about the text as it was typed
        return statement.renamed(LAST, self.current)

    def _number(self, statement: TypedStatement, session_program: SessionProgram) -> float | None:
        """The number of a constant expression such as pi/4; None for a formula, and for what stands in parentheses.

        A name that is given one is an input, as it is on the command line.
        """
        program, uses_names = session_program.program, len(session_program.statements) > 1
        is_list = _entries(program, statement.name) != [statement.name]
        if statement.is_function or statement.is_numbered or is_list or program.inputs or uses_names:
            return None
        number = evaluate(program, {}, ()).value
        return None if statement.is_enclosed or not isfinite(number) else number

    # ---- Texts -------------------------------------------------------------------------------------------------------

    def text(self, name: str = "", inputs: Iterable[str] = ()) -> str:
        """The program that computes a value, or without a name the last result; "" if there is none.

        It has the numbers of `inputs` too, whether or not the value depends on them. The value of a function is that at
        its parameters, which are inputs, with their numbers where they have some.
        """
        name = name or self.current or next(reversed([*self._values(self.definitions)]), "")
        if not name:
            return ""
        last = next(self.definitions[known] for known in (*parts(name), f"{name}()") if known in self.definitions)
        given = (known for parameter in (*last.parameters, *inputs) for known in self._defined_by(parameter))
        numbers = [known for known in given if not self.is_computed(known)]
        others = [statement for statement in _needed(self.definitions, [*numbers, last.name]) if statement != last]
        value = last.call if last.is_function else name
        ending = [last.text] if name == last.name else [last.line, value]
        return _lines([*(statement.line for statement in others), *ending])

    def program(self) -> str:
        """The program of all definitions; its result is the last one. Results that nothing uses are left out."""
        kept = [name for name in self.definitions if not self.definitions[name].is_numbered and name != self.current]
        ordered = in_order(self.definitions, [*kept, self.current] if self.current else kept)
        if not ordered:
            return ""
        *others, last = ordered
        ending = [last.line, self.current] if self.current not in ("", last.name) else [last.text]
        return _lines([*(statement.line for statement in others), *ending])

    def _values(self, names: Iterable[str]) -> Iterator[str]:
        """Those of the names that stand for values, not for functions."""
        return (name for name in names if not self.definitions[name].is_function)

    def _defined_by(self, name: str) -> list[str]:
        """The definitions of a name: its own, or those of its entries."""
        return [known for known in self.definitions if known == name or known.startswith(f"{name}[")]

    def is_computed(self, name: str) -> bool:
        """Whether a name stands for a function, or for a value that is not an input, perhaps an entry of a list."""
        known = next((part for part in parts(name) if part in self.definitions), None)
        if known is None:
            return f"{name}()" in self.definitions
        program = self._program_of(_needed(self.definitions, [known])).program
        return not program.inputs.keys() >= {*_entries(program, name)}


def _numbered(statement: TypedStatement, definitions: Definitions) -> TypedStatement:
    """An expression under the next number, which no definition has, nor an input that it or one of them uses."""
    latest = next((known for known in reversed([*definitions.values()]) if known.is_numbered), None)
    last = int(latest.name[1:]) if latest else 0
    uses = set(statement.uses).union(*(other.uses for other in definitions.values()))
    taken = definitions.keys() | {parts(used)[0] for used in uses if used.startswith("_")}
    return statement.numbered(next(number for number in count(last + 1) if f"_{number}" not in taken))


def _entries(program: Program, name: str) -> list[str]:
    """The names of the numbers that a value of the program consists of: its own, or those of its entries."""
    return [known for known in program.names if known == name or known.startswith(f"{name}[")]


def _fits(definitions: Definitions, name: str) -> bool:
    """Whether a definition can be computed from those that it uses."""
    try:
        SessionProgram(_needed(definitions, [name]))
    except AutodiffError:
        return False
    return True


def _lines(texts: list[str]) -> str:
    """Statements as the lines of a text, without the gaps that comments and line breaks left."""
    return "".join(" ".join(text.split()) + "\n" for text in texts)


def _needed(definitions: Definitions, names: Iterable[str]) -> list[TypedStatement]:
    """The statements that compute names, in the order of the definitions where that is possible."""
    needed = {statement.name for statement in in_order(definitions, names)}
    return in_order(definitions, [name for name in definitions if name in needed])
