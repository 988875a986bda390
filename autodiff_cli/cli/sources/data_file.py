"""The table of data that `--data` names."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from os.path import exists, isdir, isfile
from typing import TYPE_CHECKING, BinaryIO

from ... import files
from ...data import formats
from ...errors import AutodiffError, Notice, Remedy, UsageError, did_you_mean, quoted_names
from ...language import parse
from ...notation import canonical, counted
from ...program import Program
from ..command_line.remedies import WORDS, number_signs
from ..output.notices import warn
from .formula import FormulaOptions, lacks_list

if TYPE_CHECKING:
    from ...data.column_blocks import StoredColumns
    from ...data.selection import Condition
    from ...data.several_files import SeveralFiles, TableFile


@dataclass(frozen=True, kw_only=True)
class DataOptions(FormulaOptions, formats.ReadOptions):
    """The options for a formula, and for reading tables and selecting their rows.

    The fields beside those for the formula are the parameters of `data_options` in `options`.
    """

    data_format: str | None = None
    where: str | None = None
    sample: int | None = None
    seed: int = 0
    limit: int | None = None

    @property
    def read_options(self) -> formats.ReadOptions:
        """The options for readers."""
        return formats.ReadOptions.of(vars(self))

    @property
    def mapped(self) -> list[str]:
        """The inputs to which columns are mapped, but for those of which `--where` may speak."""
        words = set(re.findall(r"\w+", canonical(self.where or "")))
        return [name for name in self.mapping if name.partition("[")[0] not in words]

    def condition(self, names: Sequence[str]) -> "Condition | None":
        """The condition for the rows of a table with these columns; None if all of them are computed."""
        if self.where is None:
            return None
        from ...data.layout import require_packages

        require_packages()
        from ...data.selection import Condition
        from ...language.relations import LAST_EQUALS

        try:
            own = set(map(canonical, names))
            mapping = {name: column for name, column in self.mapping.items() if name not in own}
            program = self._condition_program(self.where, names, mapping)
            if program.output_name in program.assigned and (equals := LAST_EQUALS.search(self.where)):
                message = "`=` gives a name its value, and a condition compares"
                compared = LAST_EQUALS.sub("==", self.where)
                hint = f'write --where "{compared}"'
                raise AutodiffError(message, span=equals.span(), source=program.source, hint=hint)
            mapping = {name: column for name, column in mapping.items() if name in program.inputs}
            return Condition(program, names, mapping)
        except AutodiffError as error:
            kind = error.remedy.kind if error.remedy is not None else ""
            if error.span is not None and self.where[error.span[0]] in "\"'":
                error.hint = "a condition compares numbers, not texts"
            if kind in ("same number", "list input"):
                error.hint = f"{'its' if kind == 'same number' else 'the'} columns are {quoted_names(names)}"
            raise

    def _condition_program(self, text: str, names: Sequence[str], mapping: Mapping[str, str]) -> Program:
        """The program of a condition, in which columns are the entries of lists where it needs lists."""
        from ...data.columns import mapped_entries, named_entries

        try:
            return parse(text, "<where>", entries=named_entries(names, mapping))
        except AutodiffError as error:
            if not lacks_list(error) or not (entries := mapped_entries(names, mapping)):
                raise
        return parse(text, "<where>", entries=entries)

    def selected(self, reader: formats.TableReader) -> formats.TableReader:
        """The rows of a table that there are."""
        if self.where is None and self.sample is None and self.limit is None:
            return reader
        from ...data.selection import FirstRows, RowsWhere, SampledRows

        condition = self.condition(reader.names)
        chosen = reader if condition is None else RowsWhere(reader, condition)
        chosen = chosen if self.sample is None else SampledRows(chosen, self.sample, self.seed)
        return chosen if self.limit is None else FirstRows(chosen, self.limit)


@contextmanager
def open_table(path: str, options: DataOptions) -> Iterator[formats.TableReader]:
    """The table in a file, or in those of a folder or a pattern, with the rows that are chosen."""
    reader, source = open_files(files_of_table([path]), options)
    with closing(source):
        yield options.selected(reader)


def files_of_table(paths: Iterable[str]) -> "list[TableFile]":
    """The files whose rows are one table; a folder and a pattern stand for the files that they name."""
    from ...data.several_files import TableFile

    return [file for path in paths for file in (_files_below(path) if is_many(path) else [TableFile(path)])]


def is_many(path: str) -> bool:
    """Whether this is a folder or a pattern."""
    if files.is_url(path):
        from ...data.layout import require_packages

        require_packages()
        from ...data.dataset.file_systems import is_object

        return not is_object(path)
    return isdir(path) or (any(character in path for character in "*?[") and not exists(path))


def _files_below(path: str) -> "list[TableFile]":
    from ...data.layout import require_packages

    require_packages()
    from ...data.dataset.partitions import table_files

    return table_files(path)


def open_files(
    listed: "Sequence[TableFile]", options: DataOptions, *, named: bool = False
) -> "tuple[formats.TableReader, BinaryIO | SeveralFiles]":
    """The table in some files, with all rows, and what is to be closed. Rows of several, or `named`, say their file."""
    are_several = len(listed) > 1
    by_name = {file.name: (file, _format(file, options, are_several)) for file in listed}
    if are_several or named or any(file.folders for file in listed):
        from ...data.several_files import SeveralFiles

        several = SeveralFiles([file.name for file in listed], lambda name: _opened(*by_name[name], options))
        return several, several
    return _opened(*by_name[listed[0].name], options)


def _opened(file: "TableFile", format_: str, options: DataOptions) -> tuple[formats.TableReader, BinaryIO]:
    """The table in a file, with the columns that the names of its folders are."""
    if file.open is not None:
        source = file.open()
    else:
        source = _opened_object(file.name, format_) if files.is_url(file.name) else files.open_for_reading(file.name)
    reader = formats.reader(format_, source, options.read_options)
    if not file.folders:
        return reader, source
    from ...data.hive import with_partition_columns

    return with_partition_columns(reader, file.folders, options.read_options), source


def _opened_object(url: str, format_: str) -> BinaryIO:
    from ...data.layout import require_packages

    require_packages()
    from ...data.dataset.file_systems import open_object

    return open_object(url, from_end=formats.KINDS[format_].is_read_from_end)


def column_names(path: str, options: DataOptions) -> Sequence[str]:
    """The names of the columns of a table; none of what is not a file, because a pipe can be read only once."""
    if not isfile(path):
        return ()
    with open_table(path, options) as reader:
        return reader.names


def read_columns(
    path: str,
    reader: formats.TableReader,
    options: DataOptions,
    names: Collection[str],
    *,
    required: Iterable[str] = (),
    given: Iterable[str] = (),
) -> "StoredColumns":
    """The numbers of the columns of these names.

    A column can be the entry of a list, such as `x[1]`, under another name (see `columns.list_entries`).
    Warns of the rows in which a number cannot be read, which are left out, or raises AutodiffError for them with
    `--na fail`. Raises it for a table without a row, or without a column that is required, and for a column whose name
    is given a number, too.
    """
    from ...data.column_blocks import stored_columns
    from ...data.columns import (
        names_in_program,
        refuse_column_and_number,
        refuse_repeated,
        unused_mapping,
    )
    from ...data.failed_rows import unread_remedy
    from ...data.missing_columns import refuse_forgotten

    shown, mapping = files.without_credentials(path), options.mapping
    called = names_in_program(reader.names, names, mapping)
    known = dict(zip(called, reader.names, strict=True))
    absent = next((name for name in required if canonical(name) not in known), None)
    if absent is not None:
        refuse_forgotten([absent], reader.names, mapping, reader.format)
        hint = did_you_mean(absent, known) or f"its columns are {quoted_names(known)}"
        raise AutodiffError(f"`{shown}` has no column `{absent}`", hint=hint)
    refuse_column_and_number(given, known)
    wanted = {name: column for name, column in known.items() if name in names}
    refuse_repeated(reader.names, called, wanted)
    warn(*unused_mapping(options.mapped, names))
    columns, rows, unread, first = stored_columns(reader, wanted)
    if unread and options.na_action == "fail":
        raise AutodiffError(f"`{shown}`: {first}", hint="mend the row, or leave out such rows: --na skip")
    if unread:
        remedy = unread_remedy([first], reader.format)
        hint = number_signs(*remedy.names) if remedy is not None and remedy.kind == "number signs" else ""
        warn(Notice(f"{counted(unread, 'row')} of `{shown}` left out; the first: {first}", hint))
    if not rows and options.where is not None:
        raise AutodiffError(f"`{shown}` has no row that satisfies --where")
    if not columns.rows:
        raise AutodiffError(f"`{shown}` has no row with numbers in the columns that are needed")
    return columns


def program_and_columns(
    command: str, path: str, options: DataOptions, *, varies: bool = False
) -> "tuple[Program, StoredColumns]":
    """The formula of a command, and the columns of a table that are its inputs; whether it varies the other inputs."""
    refuse_same_stream(command, path, options)
    with open_table(path, options) as reader:
        program = options.program(reader.names)
        names = {*program.inputs, *program.constants}
        columns = read_columns(path, reader, options, names, given=options.given)
    refuse_forgotten_columns(program, reader, columns.names, options, varies=varies)
    return program, columns


def refuse_forgotten_columns(
    program: Program, reader: formats.TableReader, read: Collection[str], options: DataOptions, *, varies: bool
) -> None:
    """Raise AutodiffError where columns look as if they were meant by inputs that are not read and have no number.

    The columns may have a unit after the name, or be separated otherwise. Where a search varies such inputs, a formula
    without any column probably calls one by another name.
    """
    from ...data.missing_columns import columns_hint, refuse_forgotten

    known, numbers = {*read, *options.point, *options.started}, program.graph.numbers
    missing = [name for name, node in program.inputs.items() if name not in known and node not in numbers]
    refuse_forgotten(missing, reader.names, options.mapping, reader.format)
    if missing and varies and program.inputs.keys().isdisjoint(read):
        remedy = Remedy("other starts", tuple(missing), "", lead=f"{columns_hint(reader.names)}; ")
        raise AutodiffError(f"no start for {quoted_names(missing)}, and the formula uses no column", remedy=remedy)


def _format(file: "TableFile", options: DataOptions, is_one_of_several: bool) -> str:
    """The format of a file; CSV for a pipe or device, and for a file of another extension that is to be read as such.

    Raises AutodiffError for another file.
    """
    path = files.without_credentials(file.name)
    if format_ := options.data_format or formats.format_of(path):
        return format_
    if path == "-" or path.startswith("/dev/") or files.is_pipe_or_device(path) or options.is_for_csv:
        return "csv"
    if not files.is_url(path) and not exists(path):
        files.open_for_reading(path)  # raises the error
    choices = f"say what it is: --data-format {'|'.join(formats.READABLE)}"
    hint = WORDS["format of files"]() if is_one_of_several else choices
    raise UsageError(f"the name `{path}` does not say what kind of data it holds", hint)


def refuse_same_stream(command: str, data: str | None, source: FormulaOptions) -> None:
    """Raise an error if the data and the formula, or the numbers of --inputs, would be read from standard input."""
    if data == "-" and source.inputs_file == "-":
        raise UsageError("--data and --inputs cannot both read standard input", "read one of the two from a file")
    if data == "-" and source.is_piped:
        hint = f'write it in quotes, or read it from a file with -f: autodiff {command} "a*b" --data -'
        raise UsageError("the data is read from standard input, so the formula cannot be", hint)
