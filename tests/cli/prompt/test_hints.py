"""The hints at the prompt, followed: the mistake is gone."""

import pytest
from processes import run

FORMULA = "y = x^2*w"
NUMBERS = "x = 1; w = 1"
MISTAKES = [
    ("exit", ":quit leaves, as Ctrl-D does", ":quit"),
    ("quit()", ":quit leaves, as Ctrl-D does", ":quit"),
    (":exit", "write :quit", ":quit"),
    (":q", "write :quit", ":quit"),
    (":w /dev/null", "write :save /dev/null", ":save /dev/null"),
    (":s", "these begin so: `:solve`, `:sensitivity`, `:save`", ":save /dev/null"),
    (":set x=3", "a number is given without a command: x = 3", "x = 3"),
    ("?", "write :help", ":help"),
    ("?sin", "write :help sin", ":help sin"),
    ("help(sin)", "write :help sin", ":help sin"),
    ("x^2 at x=3", "write x = 3; the formula is a line of its own", "x = 3; x^2"),
    ("zz(1)", "write zz*(1); Tab completes the names of functions", "zz = 1; zz*(1)"),
    (":forget", "write :clear", ":clear"),
    (":draw y", "write :graph y", ":graph y"),
    (":backprop", "write :eval", f"{NUMBERS}\n:eval"),
    (":latex", "write :export --to latex", ":export --to latex"),
    (":nope", "`:help` lists the commands; `:quit` leaves", ":help"),
    ("diff y", "commands begin with a colon: :diff y", ":diff y"),
    ("plot x=1:2", "commands begin with a colon: :plot x=1:2", "w = 1\n:plot x=1:2"),
    ("autodiff diff y", "commands begin with a colon: :diff y", ":diff y"),
    ("del x", "commands begin with a colon: :clear x", "x = 1\n:clear x"),
    ("reset", "commands begin with a colon: :clear", ":clear"),
    ("x 2", "write x*2 for a product", "x*2"),
    ("diff = y +", "add a number", "diff = y + 1"),
    (":dif y", "write :diff y", ":diff y"),
    (":diff q", "it has `x`, `w`, `y`", ":diff w"),
    (":eval y", f"write {NUMBERS}, with your numbers", f"{NUMBERS}\n:eval y"),
    (":hessian", f"write {NUMBERS}, with your numbers", f"{NUMBERS}\n:hessian"),
    (":export c --nme g", "did you mean `--name`?", ":export c --name g"),
    (":export", "add --to c|python|numpy|javascript|rust|fortran|julia|latex|sql", ":export --to c"),
    (":taylor y", "name it: --wrt x", f"{NUMBERS}\n:taylor y --wrt x"),
    (":plot x^2 x=1:2", "type x^2 as a line first, then :plot x=1:2", "x^2\n:plot x=1:2"),
    (":minimize y", "add --start x=1 w=1, with your numbers", ":minimize y --start x=1 w=1"),
    (":solve y", "choose some, as in :solve x", f"{NUMBERS}\n:solve x"),
    (":plot -5:5", "write --over x=-2:2:0.1", "w = 1\n:plot --over x=-2:2:0.1"),
    (":plot y", "add --over x=-5:5", "w = 1\n:plot y --over x=-5:5"),
    (":export cpp", "here it is --to c", ":export --to c"),
    (":export cobol", "`:export --help` shows how it is used", ":export --help"),
    (":help nope", "`:help` lists the commands; Tab completes the names of functions", ":help"),
    (":help cosin", "did you mean `cos`?", ":help cos"),
    (":help sin(x)", "did you mean `sin`?", ":help sin"),
    (":help grahp", "did you mean `graph`?", ":help graph"),
    (":save", "write :save f.expr or :load f.expr", ":save /dev/null"),
    ("y = x + y", "give the new value another name", "z = x + y"),
    ("f(a) = a; z = f(x)\nf(a, b) = a", "to do without `z`: :clear z", "f(a) = a; z = f(x)\n:clear z\nf(a, b) = a"),
    ("h = [x, w]\n:diff h", "name an entry after the command: h[1]", "h = [x, w]\n:diff h[1]"),
    (":clear q", "`:list` shows what is", ":list"),
    ("n = x^2; z = n^2\n:diff z n", "to differentiate by `n`: :diff z --wrt n", "n = x^2; z = n^2\n:diff z --wrt n"),
    ("v[1]*v[2]\n:eval", "write v = [1, 2], with your numbers", "v[1]*v[2]\nv = [1, 2]\n:eval"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("mistake", "hint", "mended"), MISTAKES)
def test_a_hint_at_the_prompt_is_true_when_it_is_followed(mistake: str, hint: str, mended: str) -> None:
    pytest.importorskip("scipy")
    told = run("repl", stdin=f"{FORMULA}\n{mistake}\n".encode())
    assert (told.returncode != 0, hint in told.stderr.decode()) == (True, True), told.stderr.decode()
    done = run("repl", stdin=f"{FORMULA}\n{mended}\n".encode())
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_choice_of_colours_is_for_one_command() -> None:
    text = "x = 1\ny = x^2\n:eval --color always\n"
    colored, plain = (run("repl", stdin=(text + more).encode()).stdout for more in ("", ":eval\n"))
    assert b"\x1b" in colored
    assert b"\x1b" not in plain.removeprefix(colored)
