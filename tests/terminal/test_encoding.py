"""An output whose encoding lacks characters: people read ASCII in their place, programs read UTF-8."""

import pytest
from processes import on_a_terminal, run

WORDS = {
    "eval": ["eval", "a*b_with_a_name_that_is_much_too_long_for_a_table_of_eighty_columns", "--set", "a=1",
             "b_with_a_name_that_is_much_too_long_for_a_table_of_eighty_columns=2"],
    "check": ["check", "sin(x)", "--set", "x=1", "--sweep"],
    "graph": ["graph", "sin(x)*2 + x", "--set", "x=1"],
    "explain": ["explain", "x*2 + x", "--set", "x=1"],
    "explain a path": ["explain", "x*2 + x", "--set", "x=1", "--node", "x"],
    "diff": ["diff", "where(x <= 2, x/sqrt(x + 1), inf)", "--format", "pretty"],
    "functions": ["functions"],
    "uncertainty": ["uncertainty", "V/I", "--set", "V=5±0.1", "I=2"],
    "error": ["eval", "3 ± 1"],
    "help": ["eval", "--help"],
}  # fmt: skip


@pytest.mark.parametrize("name", WORDS)
def test_people_read_ascii_where_the_encoding_has_no_more(name: str) -> None:
    shown = run(*WORDS[name], PYTHONIOENCODING="ascii")
    text = (shown.stdout + shown.stderr).decode("ascii")
    assert "\\u" not in text
    assert "\\x" not in text


def test_the_prompt_goes_on_in_ascii_after_what_programs_read() -> None:
    lines = b"x = 2; y = x^2\n:diff y\n:graph\n:plot x=-1:1\n"
    shown = run("repl", stdin=lines, PYTHONIOENCODING="ascii")
    assert shown.returncode == 0
    assert "dy_dx = 2*x" in shown.stdout.decode("ascii")


def test_a_mark_for_what_is_left_out_takes_one_column() -> None:
    lines = run(*WORDS["eval"], PYTHONIOENCODING="ascii").stdout.decode().splitlines()
    assert "~" in lines[-1]
    assert max(map(len, lines)) <= 80
    assert set(lines[1]) == {"-"}


def test_names_that_the_encoding_lacks_are_escaped_and_aligned() -> None:
    lines = run("eval", "変数*2", "--set", "変数=1", PYTHONIOENCODING="cp1252").stdout.decode("cp1252").splitlines()
    assert [line.find("input") for line in lines[2:3]] == [lines[0].find("operation")]
    assert lines[2].startswith(r"\u5909\u6570")


def test_names_that_the_encoding_lacks_are_aligned_in_a_tree_too() -> None:
    shown = run("graph", "x*θ + sin(θ)", "--set", "x=1", "θ=2", PYTHONIOENCODING="cp1252").stdout.decode("cp1252")
    heading, _, *lines = shown.split("\n\n")[0].splitlines()
    assert [line.find("input") for line in lines if "input" in line] == [heading.find("operation")] * 2


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
@pytest.mark.parametrize(
    "words",
    [
        ["eval", "変数*2", "--set", "変数=1", "--format", "csv"],
        ["eval", "変数*2", "--set", "変数=1", "--format", "plain"],
        ["diff", "変数^2"],
        ["export", "変数^2", "--to", "python"],
        ["graph", "変数^2", "--to", "dot"],
        ["explain", "変数*2", "--set", "変数=1", "--format", "markdown"],
    ],
)
def test_programs_read_utf_8(words: list[str], encoding: str) -> None:
    assert "変数" in run(*words, PYTHONIOENCODING=encoding).stdout.decode("utf-8")


def test_the_locale_c_is_no_obstacle() -> None:
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert run("eval", "a*b", "--set", "a=1", "b=2", **environment).stdout.decode("ascii").splitlines()[1] == "-" * 34


@pytest.mark.slow
@pytest.mark.parametrize("environment", [{"LANG": "C"}, {"LC_ALL": "POSIX"}, {"LANG": ""}])
@pytest.mark.parametrize("name", WORDS)
def test_a_terminal_with_the_locale_c_reads_ascii(name: str, environment: dict[str, str]) -> None:
    assert on_a_terminal(*WORDS[name], **{"LC_ALL": "", "PYTHONUTF8": ""} | environment).isascii()


def test_a_terminal_with_another_locale_reads_all_letters_also_where_it_is_not_installed() -> None:
    for environment in ({"LANG": "C", "LC_ALL": ""}, {"LANG": "xx_XX.UTF-8", "LC_ALL": ""}, {"LC_ALL": "C.UTF-8"}):
        shown = on_a_terminal("eval", "a*b", "--set", "a=1", "b=2", PYTHONUTF8="", **environment)
        assert shown.isascii() == (environment.get("LANG") == "C")
    assert "─" in run("eval", "a", "--set", "a=1", LANG="C", LC_ALL="", PYTHONUTF8="").stdout.decode()
