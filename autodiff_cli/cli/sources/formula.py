"""The formula that a command line names, and the numbers for its inputs."""

import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import BinaryIO, TypeVar

from ... import file_extensions, files
from ...conversion import convert, parsed
from ...data.formats import READABLE
from ...errors import AutodiffError, Notice, Remedy, UsageError, did_you_mean
from ...notation import as_formula, canonical
from ...operations import CONSTANTS, FUNCTIONS, OPERATIONS
from ...program import Program
from ..options import Present, names, refuse
from ..output.notices import warn
from . import inputs
from .list_entries import beginnings_of_lists, entries_by_name, refuse_other_lists

T = TypeVar("T")

_EQUALS = r"(?<![<>=!:])=(?!=)"
_MOST_BYTES = 64 * 2**20  # of a text; a formula so long takes more memory than most computers have


@dataclass(frozen=True, kw_only=True)
class FormulaOptions:
    """The options of the command line for the formula and its inputs.

    The fields are the parameters of `formula_options`, `wrt_option`, `value_option` or `values_option`, and
    `expand_option` in `options`, and of the options with which commands name entries of lists; `present` are those that
    stand on the command line.
    """

    present: Present = field(default_factory=dict)
    formula: str | None
    file: str | None
    assignments: Sequence[str]
    inputs_file: str | None
    notation: str | None = None
    wrt: Sequence[str] = ()
    output: str | Sequence[str] | None = None
    expand: Sequence[str] = ()
    start: Sequence[str] = ()
    over: Sequence[str] = ()
    at: str | None = None
    direction: Sequence[str] = ()
    unknowns: Sequence[str] = ()
    map_: Sequence[str] = ()

    def refuse(self, parameters: Collection[str], why: str) -> None:
        """Raise an error if one of these options stands on the command line, where it has no use."""
        refuse(self.present, parameters, why)

    @property
    def is_piped(self) -> bool:
        """Whether the formula is read from standard input."""
        return self.formula in (None, "-") and self.file in (None, "-")

    @cached_property
    def given(self) -> dict[str, float]:
        """The numbers of `--set`."""
        return inputs.from_assignments(self.assignments)

    @cached_property
    def started(self) -> dict[str, float]:
        """The numbers of `--start`."""
        return inputs.from_assignments(self.start, "--start")

    @cached_property
    def from_file(self) -> dict[str, float]:
        """The numbers of the file that `--inputs` names, but for lists that `--set` replaces."""
        return self.read_inputs(inputs.from_text)

    @property
    def written_in_file(self) -> dict[str, Program]:
        """The same numbers as formulas without inputs, whose decimals can be taken as they are written."""
        return self.read_inputs(inputs.programs_from_text)

    def read_inputs(self, read: Callable[[str, str], Mapping[str, T]]) -> dict[str, T]:
        """The file that `--inputs` names, read by a function of `inputs`, without lists that `--set` replaces."""
        if self.inputs_file is None:
            return {}
        entries = read(self.inputs_text, self.inputs_name)
        assigned = {entry for entries in self.assigned.values() for entry in entries}
        return {name: entry for name, entry in entries.items() if name in assigned}

    @property
    def inputs_name(self) -> str:
        """The name of the file of `--inputs` in messages."""
        return "<stdin>" if self.inputs_file == "-" else self.inputs_file or ""

    @cached_property
    def inputs_text(self) -> str:
        """The text of the file that `--inputs` names, which is read once: it may be a pipe."""
        self._refuse_second_reader()
        return text_of_file(self.inputs_file or "")

    @property
    def words(self) -> list[str]:
        """The words of the command line that say all this, but for --wrt and --expand."""
        formula = ["-f", self.file] if self.file else [self.formula] if self.formula else []
        formula += ["--from", self.notation] if self.notation else []
        numbers = ["--set", *self.assignments] if self.assignments else []
        return formula + numbers + (["--inputs", self.inputs_file] if self.inputs_file else [])

    def _refuse_second_reader(self) -> None:
        """Raise an error if both the formula and the numbers of --inputs would be read from standard input."""
        if self.inputs_file == "-" and self.is_piped:
            message = "--inputs reads standard input, so the formula cannot be read there"
            raise UsageError(message, "write the formula in quotes, or read it from a file with -f")

    @property
    def point(self) -> dict[str, float]:
        """All numbers for inputs; those of `--set` take precedence."""
        return self.from_file | self.given

    @property
    def wrt_names(self) -> list[str] | None:
        """The names that the gradient is with respect to, each once; None without `--wrt`."""
        return names(self.wrt) if self.wrt else None

    @property
    def outputs(self) -> list[str]:
        """The names of `--of`, each once."""
        return names([self.output] if isinstance(self.output, str) else self.output or ())

    @property
    def output_name(self) -> str | None:
        """The name of the one output; None if `--of` names none or several."""
        return self.outputs[0] if len(self.outputs) == 1 else None

    @property
    def mapping(self) -> dict[str, str]:
        """The columns of inputs that are called otherwise: input → column."""
        pairs = [text.partition("=") for text in self.map_]
        mapping = {canonical(name): column.strip() for name, _, column in pairs}
        if len(mapping) < len(pairs):
            raise UsageError("an input is mapped twice", "leave one of the two out")
        return mapping

    @property
    def entries(self) -> list[str]:
        """The entries of lists that are given numbers, such as `x[1]`, or that are named and complete these lists."""
        given = [entry for entries in (*self.assigned.values(), *self._searched.values()) for entry in entries]
        components = [component.partition("=")[0] for component in self.direction]
        completing = self._completing(names((*self.wrt, *self.unknowns, *components)))
        return [*(name for name in given if "[" in name), *completing]

    @cached_property
    def assigned(self) -> dict[str, list[str]]:
        """The names that `--inputs` and `--set` give numbers → those of their entries, `x[1]` and `x[2]` of `x=[1,2]`.

        A list of `--set` takes the place of that of the file, which may be longer.
        """
        given = entries_by_name(self.assignments)
        in_file = {} if self.inputs_file is None else inputs.names_in_text(self.inputs_text, self.inputs_name)
        replaced = beginnings_of_lists(given)
        return {name: entries for name, entries in in_file.items() if not f"{name}[".startswith(replaced)} | given

    @property
    def _searched(self) -> dict[str, list[str]]:
        """The same for the numbers and ranges of `--start`, `--over` and `--at`."""
        places = (self.at,) if self.at is not None and "=" in self.at else ()
        ranged = (canonical(text.partition("=")[0]) for text in self.over)
        return entries_by_name((*self.start, *places)) | {name: [name] for name in ranged}

    @property
    def begun_lists(self) -> set[str]:
        """The lists of which single entries are given numbers."""
        return {name.partition("[")[0] for name in (*self.assigned, *self._searched) if "[" in name}

    def _completing(self, names: Iterable[str]) -> list[str]:
        """Those of the names that are entries of lists of which single entries are given numbers."""
        begun = self.begun_lists
        return [name for name in names if "[" in name and name.partition("[")[0] in begun]

    def program(self, columns: Collection[str] = ()) -> Program:
        """The program, whose output is the one that `--of` names; the operations that `--expand` names are expanded.

        Lists without numbers, or with those of single entries, have those of `columns`, the names of a table's columns;
        columns `x[1]`, `x[2]` are the list `x` where it has no others.
        """
        allows_list = bool(self.outputs)
        others = [*self._completing(self._list_columns(columns)), *self._lists_by_name(columns)] if columns else []
        try:
            as_written = allows_list and not others
            program = self.program_with_any_result if as_written else self._program(others, allows_list=allows_list)
        except AutodiffError as error:
            if not lacks_list(error) or not (entries := self._list_columns(columns)):
                raise
            program = self._program(entries, allows_list=allows_list)
        return prepared(program, self.output_name, expanded_operations(self.expand))

    @cached_property
    def program_with_any_result(self) -> Program:
        """The program as it is written, whose output may be a list, because another one is selected."""
        return self._program(allows_list=True)

    def _program(self, columns: Iterable[str] = (), *, allows_list: bool) -> Program:
        """The program; `columns` are entries of lists that are the columns of a table."""
        entries = [*columns, *self.entries]
        program = parsed(*self._text, notation=self.notation, entries=entries, allows_list=allows_list)
        refuse_other_lists(program, self.assigned)
        return program

    def _list_columns(self, columns: Iterable[str]) -> list[str]:
        """The entries of lists that columns are, by their own names or those to which they are mapped."""
        from ...data.columns import mapped_entries

        given = beginnings_of_lists(self.assigned)
        return [name for name in mapped_entries(columns, self.mapping) if not name.startswith(given)]

    def _lists_by_name(self, columns: Iterable[str]) -> list[str]:
        """The entries of lists that columns are by their names, but for lists that are given numbers."""
        from ...data.columns import named_entries

        entries = named_entries(columns, self.mapping)
        given = {*self.assigned, *self._searched} if entries else ()
        return [name for name in entries if name.partition("[")[0] not in given]

    @cached_property
    def _text(self) -> tuple[str, str]:
        """The text of the formula, which is read once: it may come from a pipe; and what to call it."""
        self._refuse_second_reader()
        return text_and_name(self.formula, self.file)

    def read(
        self, expected: Iterable[str] = (), columns: Collection[str] = ()
    ) -> tuple[Program, dict[str, float], list[str] | None]:
        """The program, the point and the names of the gradient: the arguments of `evaluate`.

        Warns of numbers for names that are neither in the program nor among those of the gradient or `expected`.
        `columns` are those of `program`.
        """
        given, program, wrt = self.given, self.program(columns), self.wrt_names
        wrt = wrt and program.entries(wrt)
        warn(*unused(program, given, [*(wrt or ()), *expected]))
        return program, self.point, wrt


def lacks_list(error: AutodiffError) -> bool:
    """Whether the error is that of a list without numbers, or without some of them."""
    return error.remedy is not None and error.remedy.kind in ("list input", "list entry")


def prepared(program: Program, output: str | None, operations: Collection[str]) -> Program:
    """The program with the output of that name, if there is one, and with these operations expanded."""
    if output is not None:
        program = program.select(canonical(output))
    if not operations:
        return program
    from ...transforms import expand

    return expand(program, operations)


def expanded_operations(texts: Iterable[str]) -> set[str]:
    """The operations that `--expand` names; `all` stands for every one that can be expanded."""
    operations: set[str] = set()
    for name in names(texts):
        overloads = FUNCTIONS.get(name, [])
        if name != "all" and not any(operation.meaning for operation in overloads):
            raise _not_expandable(name)
        operations |= {operation.name for operation in (OPERATIONS.values() if name == "all" else overloads)}
    return operations


def _not_expandable(name: str) -> AutodiffError:
    if name in FUNCTIONS:
        hint = "`autodiff functions NAME` shows what a function means"
        return AutodiffError(f"`{name}` is one of the simplest operations already", hint=hint)
    return AutodiffError(f"`{name}` is not a function", hint=did_you_mean(name, FUNCTIONS))


def unused(program: Program, given: Collection[str], wrt: Iterable[str]) -> list[Notice]:
    """A warning for each name that was set but is not in the program, and for a formula whose value is not used."""

    def meant(name: str) -> str:
        """The input that may be meant by a name; the error for an input such as `xy` says that it may be a product."""
        others = (other for other in unset if name not in other or not as_formula(other, given, guesses=True))
        return did_you_mean(name, others)

    known, unset = {*program.names, *program.lists, *wrt}, [name for name in program.inputs if name not in given]
    notices = [
        Notice(f"`{name}` is set, but the formula does not use it", meant(name))
        for name in given
        if name not in known and not _is_entry_of_used(name, program)
    ]
    return notices + [
        Notice(
            "the value of this line is not used: only the last line is the result",
            "a formula continues on the next line only inside parentheses; a value that is needed later needs a name",
            span,
            program.source,
        )
        for span in program.unused[:1]
    ]


def like_constants(program: Program, known: Collection[str]) -> list[Notice]:
    """A warning for each input with the name of a constant in another case that is not `known` and has no default."""
    return [
        Notice(f"`{name}` is an input", f"the constant is written {name.lower()}")
        for name, node in program.inputs.items()
        if name.lower() in CONSTANTS and node not in program.graph.numbers and name not in known
    ]


def _is_entry_of_used(name: str, program: Program) -> bool:
    """Whether the name is that of an entry of a list of which only others are used."""
    base = name.partition("[")[0]
    return base != name and base not in program.lists and base in program.list_names


def equation(text: str, notation: str | None) -> str:
    """An equation, or a formula that is to be zero, of another notation in the language."""
    if notation is None:
        return text
    sides = [text] if notation == "excel" else re.split(_EQUALS, text)
    return " = ".join(convert(side, notation).text for side in sides)


def text_and_name(formula: str | None, file: str | None) -> tuple[str, str]:
    """The text of the formula, and what to call it. Raises AutodiffError where there is none."""
    if formula is not None and file is not None:
        is_data = file_extensions.FORMATS.get(file_extensions.extension_of(file)) in READABLE
        hint = f"-f reads formulas; write --data {file} for the rows of a table" if is_data else "leave one of them out"
        raise UsageError("both a formula and --file were given", hint)
    if file is not None and file != "-":
        return text_of_file(file), file
    if formula is not None and formula != "-":
        return formula, "<formula>"
    remedy = Remedy("formula", ('autodiff eval "a*b+c" --set a=2 b=-3 c=10',), "write one")
    if sys.stdin is None or (formula is None and file is None and sys.stdin.isatty()):
        raise UsageError("no formula was given", remedy=remedy)
    text = _text(sys.stdin.buffer, "<stdin>")
    if not text.strip():
        raise AutodiffError("no formula was given: standard input is empty", remedy=remedy)
    return text, "<stdin>"


def text_of_file(path: str) -> str:
    """The text of a file. Raises AutodiffError where it cannot be read, is too long or is not UTF-8."""
    with files.open_for_reading(path) as file:
        return _text(file, path)


def _text(file: BinaryIO, name: str) -> str:
    """The text of a file. Raises AutodiffError where it is too long, as one without end is, or not UTF-8."""
    data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        hint = "many formulas, one on each line, are read by --each"
        raise AutodiffError(f"`{name}` has more than {_MOST_BYTES // 2**20} MiB", hint=hint)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise AutodiffError(
            f"`{name}` is not UTF-8 text: byte {data[error.start]:#04x} in line {line}",
            hint="save the file with the encoding UTF-8",
        ) from None
