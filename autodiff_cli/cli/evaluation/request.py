"""The options of `autodiff eval` as one object, which all that it can do shares."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from ...data.formats import TEXTS, WRITABLE, WriteOptions
from ...errors import UsageError
from ...evaluation.report import Nodes
from ...file_extensions import extensions_of
from ...output import FORMATS
from ..options import DATA_FIELDS
from ..output import output_file
from ..output.notices import warn
from ..sources.data_file import DataOptions

if TYPE_CHECKING:
    from ...data.failed_rows import FailedRows
    from ...many_points.computation import Computation

_WITH_LINES = (*FORMATS, "jsonl")
"""the formats of reports, and an object on each line"""
ALL_FORMATS = tuple(dict.fromkeys((*FORMATS, *WRITABLE)))
"""the formats of one point and of many"""

*_others, _last = extensions_of([name for name in WRITABLE if name not in TEXTS])
_MORE = f"; the rows of --data and --over can also be .csv.gz, {', '.join(_others)} or {_last}"
WRITE_FIELDS = ("compression", "row_group_size")
"""the parameters for how rows are written"""
FOLDER_FIELDS = ("append", "resume")
"""the parameters for folders of results"""
ROW_FIELDS = ("columns", "no_inputs", "prefix", "file_column", "rename", *WRITE_FIELDS, *FOLDER_FIELDS)
"""the parameters for which columns are written, and how"""
_CERTIFIED = ("digits", "split")
_NOT_CERTIFIED = (
    "check",
    "hessian",
    "order",
    "direction",
    "each",
    "reduce",
    *ROW_FIELDS,
    "engine",
    "jobs",
    "cluster",
    "retries",
    "errors",
    "allow_nonfinite",
    "precision",
    "strict",
    "verbose",
)
_DERIVATIVES = ("wrt", "check", "hessian", "order", "direction")
DATA_ONLY = (*DATA_FIELDS, *FOLDER_FIELDS, "seed", "cluster", "retries", "file_column")
"""the parameters that are for files of data, not for grids"""
_FOR_DATA = (*ROW_FIELDS, "engine", "reduce", "errors", "verbose")


@dataclass(frozen=True, kw_only=True)
class EvalRequest(DataOptions):
    """The options of the command line, under the names of their parameters."""

    value_only: bool = False
    output: Sequence[str] = ()
    check: str | None = None
    hessian: bool = False
    order: int | None = None
    certify: bool = False
    digits: int | None = None
    split: int | None = None
    format_: str | None
    nodes: Nodes | None = None
    precision: int
    out: str | None
    allow_nonfinite: bool
    strict: bool = False
    data: Sequence[str] = ()
    columns: Sequence[str] = ()
    no_inputs: bool = False
    prefix: str | None = None
    each: bool = False
    jobs: int | None = None
    cluster: str | None = None
    retries: int | None = None
    engine: str | None = None
    verbose: bool = False
    reduce: str | None = None
    errors: str | None = None
    file_column: str | None = None
    rename: Sequence[str] = ()
    compression: str | None = None
    row_group_size: int | None = None
    append: bool = False
    resume: bool = False

    @property
    def wrt_names(self) -> list[str] | None:
        """The names that the gradient is with respect to, each once; None without `--wrt`."""
        return [] if self.value_only else super().wrt_names

    @property
    def many_points(self) -> str | None:
        """The option that asks for many points; None without one."""
        return "--data" if self.data else "--over" if self.over else None

    @property
    def derivatives(self) -> bool:
        """Whether derivatives of higher order, along a direction, or of several outputs are asked for."""
        return self.is_vector or self.hessian or self.order is not None or bool(self.direction)

    @property
    def is_vector(self) -> bool:
        """Whether there are several outputs, or at one point one that is a list."""
        if self.each or self.certify or self.many_points or len(self.output) != 1:
            return len(self.output) > 1
        return self.outputs[0] in self.program_with_any_result.lists

    @property
    def output_name(self) -> str | None:
        """The name of the one output; None if `--of` names none, several or a list."""
        return None if self.is_vector else super().output_name

    @property
    def renamed(self) -> dict[str, str]:
        """The columns that are written under another name: column → name."""
        pairs = [text.partition("=") for text in self.rename]
        renamed = {column.strip(): name.strip() for name, _, column in pairs}
        if len(renamed) < len(pairs):
            raise UsageError("a column is renamed twice", "leave one of the names out")
        return renamed

    @property
    def write_options(self) -> WriteOptions:
        """The options for writing rows."""
        return WriteOptions(self.compression, self.row_group_size)

    @property
    def format(self) -> str:
        """The format of a report about single points or lines."""
        format_ = self._format_of(_WITH_LINES if self.each else FORMATS)
        return "json" if self.each and format_ == "jsonl" else format_

    @property
    def format_of_rows(self) -> str:
        """The format of a report about many points: CSV, unless another one is named."""
        format_ = self._format_of(_WITH_LINES) if self.format_ or self.out else "csv"
        if format_ not in _WITH_LINES:
            raise UsageError(f"`--format {format_}` does not go with --certify", "choose csv")
        return format_

    def _format_of(self, formats: Collection[str]) -> str:
        """The format of these that the command line asks for."""
        formats = ("plain", *formats) if self.value_only else formats
        return output_file.format_of(self.format_, self.out, formats, "" if self.certify else _MORE)

    @property
    def consequence(self) -> str:
        """The consequence of a row that cannot be read, in words."""
        return "they are left out" if self.reduce else "their results are empty"

    @property
    def threads(self) -> int:
        """The number of threads that compute rows: by default one for each core."""
        from ...vectorized.threads import cores

        return self.jobs or cores()

    def failed_rows(self, format_: str, computation: "Computation", errors: TextIO | None = None) -> "FailedRows":
        """A count of rows without a result, which warns of the first and writes all to the file of `errors`."""
        from ...data.failed_rows import FailedRows

        return FailedRows(
            format_,
            computation,
            warn,
            strict=self.strict,
            allow_nonfinite=self.allow_nonfinite,
            consequence=self.consequence,
            errors=errors,
        )

    def refuse_derivatives(self) -> None:
        """Raise an error for an option that asks for derivatives besides --value-only."""
        if self.value_only:
            self.refuse(_DERIVATIVES, "does not go with --value-only")

    def refuse_uncertified(self) -> None:
        """Raise an error for an option that does not go with --certify, or that needs it."""
        if not self.certify:
            self.refuse(_CERTIFIED, "is for --certify")
            return
        self.refuse(_NOT_CERTIFIED, "does not go with --certify")
        if len(self.output) > 1:
            raise UsageError("`--certify` takes one output", f"write --of {self.output[0]}")

    def refuse_options_for_data(self) -> None:
        """Raise an error for an option that only many points have a use for."""
        self.refuse(DATA_ONLY, "is for --data")
        self.refuse(_FOR_DATA, "is for --data and --over")
        if not self.each:
            self.refuse(("jobs",), "is for --data, --over and --each")
            if self.check is None:
                self.refuse(("strict",), "is for --data, --over, --each and --check")
        if self.format not in FORMATS:
            raise UsageError(f"`--format {self.format}` is for --data and --over", "choose json")
