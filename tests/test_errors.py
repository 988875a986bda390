"""Every mistake of the case files in `errors/` gets the message that stands there, to the letter; its hint mends it.

A case is a text in the language and the whole error for it. The text stands on lines that begin with `> `; one with
characters that cannot be seen stands after `>>> ` as a string of Python. Run as a program, this file writes the errors
as they are now into the case files, to be read and compared.
"""

import ast
import re
from collections.abc import Iterator
from itertools import groupby, product
from pathlib import Path

import pytest

from autodiff_cli import AutodiffError, parse

FILES = sorted((Path(__file__).parent / "errors").glob("*.txt"))

_END = r"(?=,? (?:for|or|to|as in|which) |, (?:without|and|x_2)| (?:in place of|between) | once|[:;] |$)"
_WRITINGS = re.compile(
    rf"\bwrite (?!a formula|a number|parentheses|f\(a, b\)|the (?!whole)|each |a call|two )"
    rf"(?:the whole list: )?`?(.+?)`?{_END}"
    r"|did you mean `(.+)`|such as `?(.+?)`?$|space between them: `(.+?)`|as in (\S*\d\S*),"
    rf"|(?:begins with|is written(?! \w+ = \[)|count from|of its rows:|the last(?: entry)? is) (.+?){_END}"
    rf"|,? or (?!put |between|remove|add |give |==|an? )(.+?){_END}"
)
_LEAVE_OUT = re.compile(r"(?:^|or )(?:remove|leave out|leave it out|write the formula alone)(?! the (?:line|comma))")
_NAMING = re.compile(r"(?:is written|give it a name first:) (\w+) = (\[.*\]|(?<=first: u = )[^;]+)")
_ADD = {
    "add the )": ")",
    "or add the (": "(",
    "add the ]": "]",
    "add the [": "[",
    "put a ;": "; ",
    "put an operator": "*",
    "a number,": "q",
    "fill": "q",
}
_LEFT_TO_THE_USER = re.compile(
    r"(|the range is .*|choose another name|autodiff finds .*|there (is|are) no .*|write the (terms|\*).*"
    r"|for both .*|write the expression .*|a function is called .*|give each parameter .*|move the definition .*"
    r"|a number has one .*|a comma separates .*|remove the line.*|`docs/language\.md` lists .*"
    r"|a call is replaced .*|write f\(a, b\) = .*|count from 1|the first entry is .*|entries are combined .*"
    r"|each row needs .*|name the values .*|give all .*|choose one of its .*|write the value alone.*)"
)
_MOST_HINTS = 4
"""that follow each other until a text is right"""


def cases(path: Path) -> Iterator[tuple[str, str]]:
    """The texts of a case file, as written there, with their errors."""
    text = ""
    for is_text, lines in groupby(path.read_text(encoding="utf-8").splitlines(), lambda line: line.startswith(">")):
        block = "\n".join(lines)
        if is_text:
            text = block
        elif text:
            yield text, block.strip("\n")


def formula(written: str) -> str:
    """The text that a case is about."""
    if written.startswith(">>> "):
        return str(ast.literal_eval(written[4:]))
    return "\n".join(line[2:] for line in written.split("\n"))


def caught(text: str) -> AutodiffError:
    """The error of the parser for a text."""
    with pytest.raises(AutodiffError) as caught:
        parse(text)
    return caught.value


@pytest.mark.parametrize(
    ("written", "expected"),
    [pytest.param(*case, id=f"{path.stem}: {case[0]}") for path in FILES for case in cases(path)],
)
def test_mistake_gets_the_message_of_its_case(written: str, expected: str) -> None:
    assert str(caught(formula(written))) == expected


@pytest.mark.parametrize(
    "written",
    [pytest.param(written, id=f"{path.stem}: {written}") for path in FILES for written, _ in cases(path)],
)
def test_what_the_hint_proposes_works(written: str) -> None:
    text = formula(written)
    proposed = [*_mended(text, caught(text))]
    assert proposed or _LEFT_TO_THE_USER.fullmatch(caught(text).hint)
    assert all(map(_is_mended, proposed))


def _is_right(text: str, hints: int = _MOST_HINTS) -> bool:
    """Whether a text is one in the language, if need be after the hints for what is wrong were followed."""
    try:
        parse(text)
    except AutodiffError as error:
        return hints > 1 and any(_is_mended(mended, hints - 1) for mended in _mended(text, error))
    return True


def _is_mended(texts: list[str], hints: int = _MOST_HINTS) -> bool:
    """Whether one of the texts is right, or one that is tried as soon as its own hints have been followed."""
    return any(_is_right(text, 1) for text in texts) or any(_is_right(text, hints) for text in _tried(texts))


def _tried(texts: list[str]) -> list[str]:
    """The first and the last: those in which the least and the most was replaced."""
    return [*texts[:2], *texts[-1:]]


def _mended(text: str, error: AutodiffError) -> Iterator[list[str]]:
    """For each thing that the hint of an error proposes, the texts in which it is done, with more or less replaced."""
    start, end = error.span or (0, len(text))
    if "inside parentheses" in error.hint:
        yield [f"({text})", f"({text[:start]}{text[end:]})"]
    if late := re.match("assign `(.+)` before this line", error.hint):
        yield [f"{late[1]} = 2; {text}", re.sub(rf"(.*); ({late[1]} = .*)", r"\2; \1", text)]
    if naming := _NAMING.search(error.hint):
        name, value = naming.groups()
        yield [f"{name} = {value}; {text}", f"{name} = {value}; {text[:start]}{name}{text[end:]}"]
    if named := re.search(r"give (?:it|the list) a name.*: h = …(?:; (.+))?", error.hint):
        yield [f"{text[:start]}h = {text[start:end]}; {named[1] or 'h[1]'}"]
    if appended := re.search("add `(; .+)` to it", error.hint):
        yield [text + appended[1]]
    if "remove the comma" in error.hint:
        comma = text.rindex(",", 0, end)
        yield [text[:comma] + text[comma + 1 :]]
    if _LEAVE_OUT.search(error.hint):
        yield [text[:start] + text[end:]]
    for words, added in _ADD.items():
        if words in error.hint:
            yield [
                text[:place] + added + text[place:]
                for place in sorted(range(len(text) + 1), key=lambda place: abs(place - start))
            ]
    for found in _WRITINGS.finditer(error.hint):
        writing = next(filter(None, found.groups()))
        if "(…)" in writing:
            yield [text[:start] + writing.replace("…", text[start:end]) + text[end:]]
        writing = re.sub(r"D\(f, (\w+)", r"D(\1^2, \1", writing).replace("…", "q")
        windows = sorted(product(range(start + 1), range(end, len(text) + 1)), key=lambda window: window[1] - window[0])
        yield [text[:first] + writing + text[last:] for first, last in windows]


def _rewrite(path: Path) -> None:
    heading = path.read_text(encoding="utf-8").partition("\n>")[0]
    blocks = (f"{written}\n{caught(formula(written))}\n" for written, _ in cases(path))
    path.write_text("\n".join([heading.rstrip("\n") + "\n", *blocks]), encoding="utf-8")


if __name__ == "__main__":
    for file in FILES:
        _rewrite(file)
