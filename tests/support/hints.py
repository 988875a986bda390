"""The hints of the command line as command lines that follow them.

A hint consists of clauses with semicolons between them. One of the `RULES` follows each of them, unless it is one of
the `FACTS`, such as which names there are. A clause that is neither is an error, so that no hint is left out.
"""

import re
from collections.abc import Callable, Iterator

Words = list[str]

_CALL = re.compile(r"""\bautodiff(?![-_.\w/])(?:\\.|'[^']*'|"[^"]*"|[^'"|<>;&\\\n])*""")
_WORD = re.compile(r"""(?:\$?'[^']*'|\\.|"[^"]*"|[^\s'"\\])+""")
_CLAUSE = re.compile(r'(?<! `); (?=[-`\w])(?=(?:[^"]*"[^"]*")*[^"]*\Z)')
_OPTION = re.compile(r"--[a-z][a-z-]+|-[of]\b")
_ALIASES = {"--output": "--of", "--out": "-o", "--file": "-f"}
_VALUES = {"--prefix": "d_", "--columns": "a", "--depth": "5", "--nodes": "named", "--node": "x", "--method": "slsqp",
           "--order": "2", "--wrt": "b", "--na": "skip"}  # fmt: skip
"""values for options that a hint names without one"""

FACTS = (
    # what there is
    r"(the|its|it|their|they) [\w/ ]*\b(has|have|is|are|lies|may be|names) .*",
    r"(a|no|every|values|nothing) .*",
    r"-f reads formulas|autodiff finds derivatives itself|inside a program it is D\(…, x\)",
    r"`--[\w-]+` is an option of .*|there is no file `.*`, which (?:-f|--data|--inputs) could read|there are no [\w ]+",
    r"texts may be compressed, as in .*",
    r"(rows that cannot be read: )?(their results are empty|they are left out)|its derivative is 0",
    # what is done to files, to formulas and to the world outside
    r"remove it, or (mend it|add the \( before)|all files must have .*|in \[a-z\] .*|https://, s3://.*",
    r"unzip .*|save .*|rename .*|.*: save it .*|.*: rename the column .*|set COLUMNS .*|read one of the two .*|give .*",
    r"write (names|lines|a line each|a formula|an equation|one in|two|the direction|sin|2\*).*|add the \) .*",
    r"write [<>]= in place of .*|mend the (column|row, or leave out .*)|where the enclosure .*|set the inputs .*",
    r"make .*|name .*",
    r"for (infinity|the sum|both signs|a mixed one|an angle in degrees) .*|write the formula in quotes, .*",
    r"(begin where|search between) .*|take out .*|use \w+, .*|assign .* before this line, or .*",
    r"such as .*|the rows of --data .*|leave (one of the numbers|the step|this) out.*|put it before .*|--of NAME .*",
    r"units are not understood: .*|with - in place .*|leave one of them out, or read them .*",
    # what is written otherwise in another notation
    r"use \\frac, or parentheses|put the argument in .*|write (.* \\cdot|\(double\)a/b|one side|an expression).*",
    # at the prompt, and in the marks of files
    r"`:help` .*|commands begin with a colon: .*|did you mean `:.*|write x = 1, with your numbers|write autodiff: .*",
)


def followed(command: str, error: str, hint: str) -> Iterator[str]:
    """The shell command once for each thing that the hint to its error proposes, with that done."""
    call = [*_CALL.finditer(command)][-1]
    for clause in _CLAUSE.split(hint):
        for words in _mended(_WORD.findall(call[0]), error, clause):
            yield f"{command[: call.start()]}{' '.join(words)} {command[call.end() :]}"


def _mended(words: Words, error: str, clause: str) -> Iterator[Words]:
    for pattern, rule in RULES:
        if found := re.fullmatch(pattern, clause):
            yield from rule(words, error, *found.groups())
            return
    assert any(re.fullmatch(fact, clause) for fact in FACTS), f"no rule in tests/support/hints.py for: {clause}"


# ---- Options ---------------------------------------------------------------------------------------------------------


def _write(words: Words, error: str, text: str) -> Iterator[Words]:
    """These options with their values, each in place of what it has in the command line."""
    for option, *values in _split(re.sub("LOW:HIGH", "1:2", text)):
        words = _with(words, option, *values)
    yield words


def _without_others(words: Words, error: str, text: str, others: str) -> Iterator[Words]:
    """These options with their values, and the others left out."""
    for kept in _leave_out_all(words, error, others):
        yield from _write(kept, error, text)


def _add(words: Words, error: str, text: str) -> Iterator[Words]:
    """These options with their values, besides what is there."""
    yield [*words, text]


def _numbers_for_ranges(words: Words, error: str, assignments: str) -> Iterator[Words]:
    """Numbers in place of the ranges of these inputs."""
    names = [assignment.partition("=")[0] for assignment in assignments.split()]
    kept = [word for word in words if word.partition("=")[0] not in names]
    yield [*kept, "--set", assignments]


def _other_gradient(words: Words, error: str, option: str) -> Iterator[Words]:
    """The gradient with respect to another input than the one that the error quotes."""
    names = re.findall(r"(?<![-\w])(\w+)=", " ".join(words))
    others = [name for name in names if f"`{name}`" not in error]
    yield from [_with(words, option, others[0])] if others else []


def _other_option(words: Words, error: str, text: str) -> Iterator[Words]:
    """An option in place of the one that the error quotes."""
    yield [text if f"`{word}`" in error else word for word in words]


def _alternatives(words: Words, error: str, text: str) -> Iterator[Words]:
    """The options that the text names, each by itself, with a value if the text has one."""
    for option in _OPTION.finditer(text):
        value = re.match(r" (\d{1,3}|named|all|json|d_)(?!\w)", text[option.end() :])
        given = value[1] if value else _VALUES.get(option[0])
        if option[0] == "--max-nodes" and not given:
            continue  # thousands of nodes take minutes
        yield _with(words, option[0], *([given] if given else []))


def _choices(words: Words, error: str, option: str, text: str) -> Iterator[Words]:
    """Every value that the option may have."""
    for choice in re.split(r"\||, ", text):
        yield _with(words, option, choice)


def _leave_out(words: Words, error: str, text: str = "") -> Iterator[Words]:
    """The options that the text names, each by itself; without a text the first that the error names."""
    for option in _OPTION.findall(text) or _OPTION.findall(error)[:1]:
        if _place(words, option) is not None:
            yield _without(words, option)


def _leave_one_out(words: Words, error: str) -> Iterator[Words]:
    """The options that the error names, each by itself."""
    return _leave_out(words, error, error)


def _leave_out_all(words: Words, error: str, text: str) -> Iterator[Words]:
    """All these options left out."""
    for option in _OPTION.findall(text):
        words = _without(words, option)
    yield words


def _leave_out_name(words: Words, error: str, text: str) -> Iterator[Words]:
    """A name left out of the list of an option, or of one option or the other."""
    name = re.findall("`([^`]+)`", text + error)[0]
    for option in _OPTION.findall(text):
        place = _place(words, option)
        rest = [] if place is None else _values(words, place)
        kept = [value for value in re.split(r"[,\s]+", " ".join(rest)) if value.partition("=")[0] != name]
        yield _with(words, option, *kept) if any(kept) else _without(words, option)


def _start_instead(words: Words, error: str, assignment: str) -> Iterator[Words]:
    """An assignment as a start, no longer as a number that stays."""
    yield [*(word for word in words if word not in ("--set", assignment)), "--start", assignment]


def _with(words: Words, option: str, *values: str) -> Words:
    place = _place(words, option)
    if place is None:
        return [*words, option, *values]
    return [*words[:place], option, *values, *_without(words, option)[place:]]


def _without(words: Words, option: str) -> Words:
    place = _place(words, option)
    return words if place is None else [*words[:place], *words[place + 1 + len(_values(words, place)) :]]


def _place(words: Words, option: str) -> int | None:
    names = [word.partition("=")[0] for word in words]
    names = [_ALIASES.get(name, name) for name in names]
    name = option.partition("=")[0]
    return names.index(_ALIASES.get(name, name)) if _ALIASES.get(name, name) in names else None


def _values(words: Words, place: int) -> Words:
    """The values that follow an option."""
    end = next((end for end in range(place + 1, len(words)) if re.match(r"-[-a-z]", words[end])), len(words))
    return words[place + 1 : end]


def _split(text: str) -> Iterator[Words]:
    """The options of a text, each with its values."""
    words = _WORD.findall(text)
    for place, word in enumerate(words):
        if _OPTION.match(word):
            yield [word, *_values(words, place)]


# ---- Everything else -------------------------------------------------------------------------------------------------


def _command(words: Words, error: str, text: str) -> Iterator[Words]:
    """Another command line."""
    yield _WORD.findall(text.replace("NAME", "tanh").replace("FILE", "formulas.txt"))


def _other_command(words: Words, error: str, name: str) -> Iterator[Words]:
    yield [words[0], name, *words[2:]]


def _replace(words: Words, error: str, text: str) -> Iterator[Words]:
    """Another text in place of one that the error quotes."""
    for wrong in re.findall("`([^`]+)`", error):
        whole = r"(?<![-\w])" * bool(re.match(r"[-\w]", wrong)) + re.escape(wrong) + r"(?!\w)"
        changed = [re.sub(whole, lambda _: text, word) for word in words]
        if changed != words:
            yield changed
            return
    assert "unknown function" in error, f"nothing of the command line is in: {error}"  # it may be in a file


def _measured_apart(words: Words, error: str, statement: str, option: str) -> Iterator[Words]:
    """The statement without the uncertainty that the error quotes, which is given after the formula."""
    value = re.findall("`([^`]+)`", error)[0]
    yield [words[0], "uncertainty", words[2].replace(value, statement.split()[-1]), *words[3:], option]


def _each_replaced(words: Words, error: str, *texts: str) -> Iterator[Words]:
    """Every one of these in place of the value of the input that the error quotes."""
    name = re.findall("`([^`]+)`", error)[0]
    for right in re.split(", | or ", ", ".join(texts)):
        number = right.replace("(a)", "(0.5)")
        yield [re.sub(rf'^"?{re.escape(name)}=.*', f'"{name}={number}"', word) for word in words]


def _appended(words: Words, error: str, text: str) -> Iterator[Words]:
    """More of a formula in the command line, which the error does not call by the name of a file."""
    if "the formula" in error:
        yield [*words[:2], f'{words[2][:-1]}{text}"', *words[3:]]


def _other_formula(words: Words, error: str, text: str) -> Iterator[Words]:
    yield [*words[:2], f'"{text}"', *words[3:]]


def _derivative(words: Words, error: str, text: str) -> Iterator[Words]:
    """The derivative in place of a quotient such as dy/dx."""
    yield [re.sub(r"d\w+/d\w+", text, word) for word in words]


def _extensions(words: Words, error: str, text: str) -> Iterator[Words]:
    for extension in re.findall(r"\.\w+", text):
        yield _with(words, "--errors" if "`--errors " in error else "-o", f"hinted{extension}")


def _to_file(words: Words, error: str, name: str, format_: str | None) -> Iterator[Words]:
    yield _with(words, "-o", name)
    if format_:
        yield _with(words, "--format", format_)


def _other_rows(words: Words, error: str, text: str) -> Iterator[Words]:
    """The rows as JSON Lines, or fewer columns of them."""
    yield _with(words, "-o", "hinted.jsonl")
    yield [*words, "--columns", "x"]


def _sizes(words: Words, error: str, smallest: str, largest: str) -> Iterator[Words]:
    for size in (smallest, largest):
        yield _with(words, "--size", size)


def _quoted(words: Words, error: str, formula: str, options: str | None) -> Iterator[Words]:
    yield [*words[:2], formula, options or "", *[part for option in _split(" ".join(words[2:])) for part in option]]


def _set(words: Words, error: str, assignments: str) -> Iterator[Words]:
    inputs = re.findall(r"(\w+)=", assignments)
    words = [word for word in words if word not in [f"{dashes}{name}" for name in inputs for dashes in ("-", "--")]]
    names = tuple(f"{name}{sign}" for name in inputs for sign in "=~")
    values = [assignment.partition("=")[2] for assignment in assignments.split()]
    kept = (word for word in words if word not in values and not word.strip('"').lstrip("-").startswith(names))
    yield [*kept, "--set", assignments]


def _number_for_rows(words: Words, error: str) -> Iterator[Words]:
    """A number for the input that the error says has no column."""
    yield [*words, "--set", *(f"{name}=1" for name in re.findall(r"the input `(\w+)`", error))]


def _set_apart(words: Words, error: str, options: str) -> Iterator[Words]:
    """The formula without the text that the error quotes last, and the options after it."""
    apart = re.findall("`([^`]+)`", error)[-1]
    yield [*(word.replace(apart, "") for word in words if word not in options.split()), options]


def _moved_after(words: Words, error: str, option: str, text: str) -> Iterator[Words]:
    values = [word.strip('"').partition("=")[2] or word for word in _WORD.findall(text)]
    moved = [part for value in values for part in (value, *value.split(":"))]
    yield [*(word for word in words if word not in moved and word not in _WORD.findall(text)), option, text]


def _read(words: Words, error: str, file: str, option: str) -> Iterator[Words]:
    yield [*(word for word in words if word.removeprefix("-f").strip('"') != file), option, f'"{file}"']


def _before_dashes(words: Words, error: str, option: str) -> Iterator[Words]:
    kept = [word for word in words if word != option]
    yield [*kept[:2], option, *kept[2:]]


def _data_in_place_of_formulas(words: Words, error: str, text: str) -> Iterator[Words]:
    yield [*_without(words, "-f"), text]


def _write_to(words: Words, error: str, file: str) -> Iterator[Words]:
    yield _with(_without(words, "--of"), "-o", file)


RULES: tuple[tuple[str, Callable[..., Iterator[Words]]], ...] = (
    (r"write (--(?:format|to|from) \w+)", _other_option),
    (r"(?:write both ends|separate them with spaces|name the (?:inputs?|column)).*: (--.*?)(?:, or .*)?", _write),
    (r"leave the method out, or take `(slsqp)`", lambda words, error, name: _write(words, error, f"--method {name}")),
    (r"write its uncertainty as ±, or leave its (correlations) out", lambda *given: _leave_out(*given[:2], "--corr")),
    (r"write (10~\w+\(a\)), with your numbers", _each_replaced),
    (r"write (\S+±\S+@\d+)(?:, with your number)?", _each_replaced),
    (r"write (\S+) for both sides, or (\(.*\)) for the sum", _each_replaced),
    (r"write (\S+ = \S+), and (--set \S+) for `autodiff uncertainty`", _measured_apart),
    (r"write (JSON Lines), which can hold that, or choose some of its columns with --columns", _other_rows),
    (r"(?:add|write|say what it is:) (--[a-z-]+) (\S+\|\S+)", _choices),
    (r"only a formula follows `--`: put (--\S+) before it", _before_dashes),
    (r"choose (?:one of )?(.+)", lambda words, error, text: _choices(words, error, "--format", text)),
    (r"add (--mean or --sum)", _alternatives),
    (r"add --data FILE, or leave it out", _leave_out),
    (r"add (--.*?)(?: …)?(?:, with your numbers?| for each input)?", _add),
    (r"(--set .*) gives all rows the same number", _add),
    (r"(--bounds .*) keeps the search within limits", _write),
    (r"(--all LOW:HIGH) finds every root between two points, without (--.*)", _without_others),
    (
        r"(?:write|here it is|write the estimate too:|name it:|choose other numbers:|give other ranges:"
        r"|a name is a word:|if they are its first row, write) "
        r"(--.*?)(?:, with your numbers?|, without .*|, or .*| if it is .*)?",
        _write,
    ),
    (r"give the others numbers: --set (.*)", _numbers_for_ranges),
    (r"leave one of the two out of --wrt: (.*)", _write),
    (r"another name will do, such as (\w+)", lambda words, error, name: _write(words, error, f"--name {name}")),
    (r"(--format json --nodes all) has .*", _write),
    (r"leave it out of (--\w+)", _leave_out_name),
    (r"leave (`\w+` out, of --wrt or of --set)", _leave_out_name),
    (r"leave (`\w+` out of --wrt), or --hessian", _leave_out_name),
    (r"leave it out(?:: .*)?", _leave_out),
    (r"write --start (\S+) in place of its --set", _start_instead),
    (r"leave one of (?:the two|them) out", _leave_one_out),
    (r"leave it out, or (-o and --format)", _leave_out_all),
    (r"leave it out, or write (--to sql)", _write),
    (r"leave out (--.*)", _leave_out_all),
    (r"leave (--.*) out(?: .*)?", _leave_out),
    (r"leave all but one of (.*) out", _leave_out),
    (r"(?:.*: )?(--(?:data-format|delimiter|decimal|thousands|encoding|from|comment|skip) .*?) reads? \w+.*", _write),
    (r"write (--data \S+) for the rows of a table", _data_in_place_of_formulas),
    (r"(--wrt) leaves this gradient out", _other_gradient),
    (r"((?:a smaller )?--.* .*)", _alternatives),
    (r"(?:write it as SVG, or )?draw less of the graph: (--.*)", _alternatives),
    (r"(?:for the derivative at a point )?write (?:one derivative .*, as in )?(autodiff .*)", _command),
    (r"write it in quotes.*: (autodiff .*)", _command),
    (r"(autodiff .*?)(?: …)?", _command),
    (r"`autodiff (uncertainty)` computes with measured values", _other_command),
    (r"`(autodiff .*)` (?:shows|lists) .*", _command),
    (r"(?:`\w+`: )?did you mean `([^:`][^`]*)`\?.*", _replace),
    (r"write (?:a step that .*|the smaller end first|two different ends|numbers): (\S+)", _replace),
    (r"write (4.999±0.0032, .*)", _each_replaced),
    (r"it can be (\..*)", _extensions),
    (r"write it to a file: -o ([\w.]+)(?:, or choose --format (\w+))?", _to_file),
    (r"it may be from (\w+) to (\w+) (?:characters|pixels)", _sizes),
    (
        r'(?:put a formula with spaces in quotes|write one program|write each equation by itself): (".*")( --of .*)?',
        _quoted,
    ),
    (r"numbers for inputs follow --set: --set (.*)", _set),
    (r"map another column to it, or give it a number", _number_for_rows),
    (r"write the formula alone, with (--.*) after it", _set_apart),
    (r"[\w ]+ follows? (-[-\w]+): -[-\w]+ (.*)", _moved_after),
    (r"`(.*)` is a file: read it with (-f|--data|--inputs) .*", _read),
    (r"(?:for a product |for the function )write (.*)", _replace),
    (r"write (inf|sin|x|\*)", _replace),
    (r"for the derivative of order \d+ write (--.*)", _write),
    (r"for the derivative write (D\(.*\))", _derivative),
    (r"write (.* = .* and .* = .*)", _other_formula),
    (r"for an equation write (.*)", _other_formula),
    (r"write (.*) alone", _other_formula),
    (r"to compare, write (==)", _replace),
    (r"add `(; .*)` to it", _appended),
    (r"write (-f) (\S+)", lambda words, error, option, file: _read(words, error, file, option)),
    (r"-o (\S+) writes (?:to a file|a folder)", _write_to),
)
"""clause of a hint → the function that follows it"""
