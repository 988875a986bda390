"""`autodiff eval --data FOLDER -o FOLDER`: many files, each with its own results, on this machine or on a cluster."""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from hashlib import sha256
from typing import TYPE_CHECKING

from ... import file_extensions, files
from ...data import formats
from ...errors import Notice, UsageError
from ...terminal.progress import meter
from ...version import __version__
from ..output.notices import warn
from ..sources.data_file import is_many
from .reduced_output import ReducedOutput
from .request import FOLDER_FIELDS, EvalRequest
from .row_output import ERROR_COLUMN, error_list, refuse_among_data, refuse_overwriting

if TYPE_CHECKING:
    from ...data.dataset.execution import PartitionResults
    from ...data.dataset.output_folder import OutputFolder
    from ...data.dataset.partition_task import PartitionResult, PartitionTask
    from ...data.dataset.partitions import DataSet
    from ...data.failed_rows import FailedRows
    from ...data.layout import ColumnLayout


def is_for_folder(request: EvalRequest) -> bool:
    """Whether the results are a folder, or the sum over one: where neither a file nor a stream is written."""
    data = request.data[0] if len(request.data) == 1 else ""
    if request.cluster or request.append:
        return True
    return (request.reduce is not None or _names_folder(request)) and is_many(data)


def _names_folder(request: EvalRequest) -> bool:
    """Whether `-o` names a folder that exists, or has no extension, or that of Parquet, which is read as a folder too.

    With an option for folders, an unknown extension is a part of the folder's name.
    """
    out = files.without_credentials(request.out or "-")
    extension = file_extensions.extension_of(out)
    is_unknown = not extension or request.cluster or request.append or request.resume
    format_ = file_extensions.FORMATS.get(extension, "parquet" if is_unknown else "")
    is_new = format_ == "parquet" and not file_extensions.compression_of(out)
    return out != "-" and (is_new or os.path.isdir(out))


def evaluate_files(request: EvalRequest, planned: "Callable[[Sequence[str], str], ColumnLayout]") -> "FailedRows":
    """Write a folder of results, or their sum or mean; returns the count of rows, and of those without a result.

    `planned` gives the layout for columns of these names in files of this format.
    """
    request.refuse(("limit", "sample"), "is for one table")
    task, data = _task(request, planned)
    failed_rows = request.failed_rows("", task.layout.computation)
    with files.exit_on_signals():
        if task.folder is None:
            notices = _reduce(request, task, data, failed_rows)
        else:
            notices = _write(request, task, data, failed_rows, task.folder)
    warn(*notices)
    return failed_rows


def _task(
    request: EvalRequest, planned: "Callable[[Sequence[str], str], ColumnLayout]"
) -> "tuple[PartitionTask, DataSet]":
    """The work on every file, and the files."""
    has_list = request.errors not in (None, ERROR_COLUMN)
    if has_list and request.reduce:
        raise UsageError("`--reduce` over many files has no list of errors", "leave one of them out")
    name, out = _data(request), None if request.reduce else _folder(request)
    from ...data.dataset.output_folder import OutputFolder
    from ...data.dataset.partition_task import PartitionTask
    from ...data.dataset.partitions import column_names, data_set
    from ...data.job import rows_in
    from ...data.several_files import errors_about

    format_ = "parquet" if request.reduce else _format(request)
    data = data_set(name, request.data_format, request.read_options, _extension(format_, request.write_options))
    refuse_overwriting(request.errors, (partition.shown for partition in data.partitions))
    columns = column_names(data, request.read_options)
    with errors_about(data.partitions[0].shown):
        plan = planned(columns, data.partitions[0].format)
    plan.computation.prepare_for(rows_in(data.size, len(columns)))  # in all files, whichever of them is the first
    folder = None if out is None else OutputFolder(out, append=request.append, resumes=request.resume)
    if has_list and folder is not None and folder.is_object_store:
        raise UsageError("an object store has no place for lists of errors", "write --errors column")
    task = PartitionTask(
        plan,
        columns,
        data.system,
        folder,
        request.strict,
        request.allow_nonfinite,
        request.read_options,
        request.condition(columns),
        format_,
        request.write_options,
        has_list,
    )
    return task, data


def _write(
    request: EvalRequest, task: "PartitionTask", data: "DataSet", failed_rows: "FailedRows", folder: "OutputFolder"
) -> list[Notice]:
    """Write the folder; returns warnings of the first failed rows."""
    from ...data.dataset.execution import begin, write_results

    job = _job(request, task)
    with folder.removed_on_error():  # once more when the processes that were started here are gone
        finished = begin(data, folder, job)
        done = {result.partition for result in finished}
        rest = data._replace(partitions=[partition for partition in data.partitions if partition not in done])
        place = "line" if all(partition.format in formats.TEXTS for partition in data.partitions) else "row"
        errors = request.errors if task.records_errors else None
        with (
            error_list(errors, place) as errors_file,
            _results(request, task, rest) as results,
            meter(data.size) as advance,
        ):

            def show(result: "PartitionResult") -> None:
                advance(result.counts.rows, result.partition.size)

            return write_results(folder, job, finished, results, failed_rows, show, errors_file)


def _job(request: EvalRequest, task: "PartitionTask") -> str:
    """A fingerprint of all that the results of this job depend on, apart from the contents of the data."""
    ignored = {"present", "formula", "file", "inputs_file", "out", "jobs", "cluster", "retries", "verbose"}
    ignored.update(FOLDER_FIELDS)
    options = {field.name: getattr(request, field.name) for field in fields(request) if field.name not in ignored}
    text, columns = task.layout.computation.program.source.text, (task.names, task.layout.kept, task.layout.added)
    everything = json.dumps([__version__, text, request.from_file, columns, options], default=str, sort_keys=True)
    return sha256(everything.encode()).hexdigest()


def _reduce(request: EvalRequest, task: "PartitionTask", data: "DataSet", failed_rows: "FailedRows") -> list[Notice]:
    """Write the sum or the mean; returns warnings of the first failed rows."""
    from ...data.dataset.execution import count_results

    with (
        ReducedOutput(request).writer(task.layout) as sums,
        _results(request, task, data) as results,
        meter(data.size) as advance,
    ):

        def add(result: "PartitionResult") -> None:
            if result.sums is not None:
                sums.append(result.sums)
            advance(result.counts.rows, result.partition.size)

        return count_results(results, failed_rows, add)


def _data(request: EvalRequest) -> str:
    """The data. Raises an error for options that do not go with many files."""
    if len(request.data) > 1:
        hint = "name a folder, or a pattern such as FOLDER/*.csv"
        raise UsageError("a folder of results needs one name for its data", hint)
    if not request.data or request.data[0] == "-":
        option, what = ("--cluster", " that all machines see") if request.cluster else ("--append", "")
        raise UsageError(f"`{option}` needs a file or folder{what}", "name it with --data")
    if request.cluster not in (None, "local"):
        request.refuse(("jobs",), "is for this machine; the workers of a cluster have their own threads")
    return request.data[0]


def _folder(request: EvalRequest) -> str:
    """The folder of the results. Raises an error for options that do not go with one."""
    out = request.out
    if out is None or not _names_folder(request):
        hint = "name one with -o FOLDER/; --format says of what files"
        raise UsageError("the results of many files are a folder", hint)
    request.refuse(("precision",), "is for tables that people read")
    if os.path.isdir(request.data[0]):  # a pattern does not match what is in a folder that it matches
        refuse_among_data(out, request.data)
    return out


def _format(request: EvalRequest) -> str:
    """The format of the files in the folder of the results."""
    format_ = formats.row_format(request.format_) or "parquet"
    if format_ not in formats.WRITABLE:
        raise UsageError(f"the files of a folder cannot be {format_}", f"choose one of {', '.join(formats.WRITABLE)}")
    return format_


def _extension(format_: str, options: formats.WriteOptions) -> str:
    """The extension of the names of these files."""
    options.require(format_)
    (extension,) = file_extensions.extensions_of([format_])
    return file_extensions.recompressed(extension, options.codec) if format_ in formats.TEXTS else extension


@contextmanager
def _results(request: EvalRequest, task: "PartitionTask", data: "DataSet") -> "Iterator[PartitionResults]":
    """The result of each file, computed on this machine or on the cluster."""
    from ...data.dataset import execution

    if request.cluster is None:
        yield execution.run_on_this_machine(task, data.partitions, request.threads)
        return
    from ...data.dataset.connection import connected

    retries = execution.RETRIES if request.retries is None else request.retries
    with connected(request.cluster, request.threads) as client:
        yield execution.run_on_cluster(client, task, data.partitions, retries)
