"""The remedies of errors in the words of the command line: which option to add, or to leave out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from ...errors import AutodiffError, Notice

_ALLOW = "give other numbers; --allow-nonfinite prints nan and inf all the same"
_DRAW_LESS = "draw less of the graph: --nodes named, or --depth 5"
_MOST_NAMED = 10
_UNSAFE = frozenset('"$`\\!')
"""characters to which a shell gives a meaning between double quotes"""


def _each(names: Sequence[str], number: str = "1") -> str:
    """A number for each of the first names, as options take it."""
    return " ".join(f"{name}={number}" for name in names[:_MOST_NAMED]) + " …" * (len(names) > _MOST_NAMED)


def _quoted(sign: str) -> str:
    return sign if sign.isalnum() else repr(sign)


def number_signs(thousands: str, decimal: str) -> str:
    """The options that read numbers with these signs."""
    options = [f"--decimal {decimal}"] if decimal == "," or not thousands else []
    if thousands:
        named = {" ": "space", "'": '"\'"'}.get(thousands, thousands)
        options.append(f"--thousands {named}")
    return f"{' '.join(options)} {'read' if len(options) > 1 else 'reads'} such numbers"


def _mapped(*pairs: str) -> str:
    """The option for the columns of inputs; nothing without one."""
    return f" --map {' '.join(map(_quoted_column, pairs))}" if pairs else ""


def _quoted_column(pair: str) -> str:
    """An input and its column, which is written as a shell takes it."""
    name, _, column = pair.partition("=")
    return f"{name}={command_line(column)}"


WORDS: dict[str, Callable[..., str]] = {
    "formula": lambda example: f"write it in quotes: {example}",
    "allow nonfinite": lambda: _ALLOW,
    "allow or leave out a gradient": lambda: f"{_ALLOW}; --wrt leaves this gradient out",
    "allow or lower the order": lambda: f"{_ALLOW}; a smaller --order leaves this one out",
    "more work": lambda seconds: f"--budget {seconds} allows more",
    "fewer processes": lambda: "--jobs 1 needs less memory",
    "narrower ranges": lambda *parts: "; ".join(
        [
            "leave this out of the ranges",
            *(f"where the enclosure is only too wide, --split {n} narrows it" for n in parts),
        ]
    ),
    "narrower ranges, or no gradient": lambda parts: (
        f"where the enclosure is only too wide, --split {parts} narrows it; --value-only gives the value alone"
    ),
    "leave out the gradient": lambda: "--value-only gives the value alone",
    "fewer parts": lambda count: f"--split {count} at most, or fewer ranges",
    "leave out": lambda: "leave it out of --wrt",
    "fewer names": lambda count: f"name {count} at most with --wrt",
    "fewer orders": lambda order: f"--order {order} is possible",
    "order": lambda name, order: f"for the derivative of order {order} write --wrt {name} --order {order}",
    "one of two": lambda name: f"leave one of the two out of --wrt: --wrt {name}",
    "name one": lambda name: f"name it: --wrt {name}",
    "set and differentiated": lambda name: f"leave `{name}` out, of --wrt or of --set",
    "computed in a Hessian": lambda name: f"leave `{name}` out of --wrt, or --hessian",
    "list of functions": lambda: "`autodiff functions` lists the functions",
    "function name": lambda: "a name is a word: --name energy",
    "missing inputs": lambda *names: f"add --set {_each(names)}, with your numbers",
    "set apart": lambda assignment: f"write the formula alone, with --set {assignment} after it",
    "measured": lambda name, value, u: (
        f"write {name} = {value}, and --set {name}={value}±{u} for `autodiff uncertainty`"
    ),
    "list input": lambda name: f'give it a list, --set "{name}=[1,2,3]"',
    "list entry": lambda name: f"give all of its entries: --set {name}=1, with your number",
    "entry of a list": lambda name, entry: f"write --of {entry}, or `eval --of {name}` for the Jacobian at one point",
    "missing starts": lambda *names: f"add --start {_each(names)}, with your numbers",
    "other starts": lambda *names: f"add --start {_each(names)}, with your numbers, or --set to keep them fixed",
    "start instead": lambda name, number: f"write --start {command_line(f'{name}={number}')} in place of its --set",
    "unknowns": lambda *names: f"choose some with --for {' '.join(names)}, and give the others numbers with --set",
    "other start": lambda: "begin where the value and the gradient are finite: --start",
    "start of constraints": lambda: "begin where the constraints are defined: --start",
    "start elsewhere": lambda *names: f"write --start {_each(names)}, with your numbers",
    "all roots": lambda: "--all LOW:HIGH finds every root between two points, without --start, --between or --bounds",
    "more starts": lambda: "--starts 20 searches from other points too",
    "bounds": lambda *names: f"--bounds {_each(names, 'LOW:HIGH')} keeps the search within limits",
    "too many nodes to draw": lambda count, depth: (
        f"--nodes named draws the values that have a name, --depth {depth} what is near the output, "
        f"--max-nodes {count} all of them"
    ),
    "picture made smaller": lambda: f"write it as SVG, or {_DRAW_LESS}",
    "draw less": lambda: _DRAW_LESS,
    "nothing to plot": lambda *names: f"choose other numbers: --over {_each(names, 'LOW:HIGH')}",
    "linear values": lambda *log: f"write --log {log[0]}" if log else "leave out --log y",
    "draws": lambda: "add --mc 100000",
    "random number": lambda: "numbers are given, not drawn: make it an input, with --set",
    "same number": lambda *names: f"--set {_each(names)} gives all rows the same number",
    "column and number": lambda: "leave it out of --set",
    "result names": lambda: (
        "--prefix d_ puts d_ in front of the names of the results; --columns says which columns are written"
    ),
    "prefix": lambda: "--prefix d_ puts something in front of the names of the results",
    "choose columns": lambda: "choose some of its columns with --columns",
    "leave out column": lambda what: f"leave {what} out with --columns",
    "data format": lambda format_, what: f"--data-format {format_} reads {what}",
    "map columns": lambda *pairs: f"write{_mapped(*pairs)}",
    "delimiter": lambda sign: f"--delimiter {_quoted(sign)} reads them",
    "comment": lambda sign: f"--comment {_quoted(sign)} reads the table",
    "no header": lambda *pairs: f"if they are its first row, write --no-header{_mapped(*pairs)}",
    "skip first line": lambda sign="": f"--skip 1{sign and f' --delimiter {_quoted(sign)}'} reads the table",
    "encoding": lambda encoding: f"--encoding {encoding} reads it, if that is its encoding",
    "encoding or columns": lambda: (
        "name the encoding, such as --encoding latin-1, or leave the column out with --columns"
    ),
    "strict": lambda: "--strict stops at the first",
    "rows without a number": lambda: "--na skip passes over rows without a number; --strict stops at the first",
    "number signs": lambda *signs: f"{number_signs(*signs)}; --strict stops at the first",
    "decimal sign": lambda sign: f"--decimal {sign} makes that the decimal sign",
    "not finite rows": lambda: "--allow-nonfinite makes this a warning; --strict stops at the first",
    "data set": lambda: 'write --data FOLDER, or a pattern in quotes: --data "FOLDER/*.parquet"',
    "format of files": lambda: 'name the files by a pattern, as in --data "FOLDER/*.parquet", or say --data-format',
    "folder in use": lambda: (
        "name a folder that is empty or does not exist yet; --append adds to one that holds something"
    ),
    "one kind of file": lambda: "name one kind of file by a pattern: --data 'FOLDER/*.csv'",
}
"""the kind of a remedy → its words, made from the names that it is about"""

FOR_SEARCHES = {"list input": lambda name: f'add --start "{name}=[1,2,3]", with your numbers'}
"""words for commands that search, to which numbers of --set would leave nothing to vary"""
FOR_FORMULAS = {"list input": lambda name: ""}
"""words for commands that write derivatives, which numbers of --set would leave without a variable"""

ALL_NODES = "--nodes all shows every one"
ALL_ROWS = "--format csv shows every one"


def command_line(*words: str) -> str:
    """The words as a person writes them into a shell, formulas in double quotes where that is safe."""
    import shlex

    return " ".join(
        shlex.quote(word) if shlex.quote(word) == word or set(word) & _UNSAFE else f'"{word}"' for word in words
    )


def in_options(message: AutodiffError | Notice) -> AutodiffError | Notice:
    """The error or notice, with a remedy that names the options of the command line."""
    remedy = message.remedy
    if remedy is None:
        return message
    worded = remedy._replace(words=WORDS[remedy.kind](*remedy.names))
    if isinstance(message, Notice):
        return message._replace(remedy=worded)
    message.remedy = worded
    return message


@contextmanager
def worded(words: Mapping[str, Callable[..., str]]) -> Iterator[None]:
    """Within the block, errors have remedies of these kinds in these words, of which there may be none: ""."""
    try:
        yield
    except AutodiffError as error:
        remedy = error.remedy
        if remedy is not None and remedy.kind in words:
            error.remedy = remedy._replace(words=words[remedy.kind](*remedy.names))
            error.hint = error.hint.removesuffix("; ")
        raise
