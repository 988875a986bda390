"""The answers of a session to statements."""

import re
from dataclasses import replace

import pytest
from processor_time import within

from autodiff_cli.errors import AutodiffError, Source
from autodiff_cli.evaluation import evaluate
from autodiff_cli.language import parse
from autodiff_cli.repl.results import Reply, Result
from autodiff_cli.repl.session import Session
from autodiff_cli.work_budget import WorkBudget


def results(session: Session, text: str) -> list[Result]:
    return [result for answer in session.run(Source(text)) for result in answer.results]


def told(session: Session, *texts: str, width: int = 80) -> list[str]:
    """The lines that the last of the texts is answered with."""
    answers = [[*session.run(Source(text))] for text in texts][-1]
    return [
        "".join(str(cell.content) for cell in line)
        for answer in answers
        for line in replace(answer, width=width).tables()
    ]


def refused(session: Session, text: str) -> AutodiffError:
    with pytest.raises(AutodiffError) as caught:
        [*session.run(Source(text))]
    return caught.value


# ---- Values and inputs -----------------------------------------------------------------------------------------------


def test_a_definition_is_answered_with_its_value_and_gradient() -> None:
    assert told(Session(), "x = 2", "y = x^2") == ["y = 4   dy/dx = 4"]


def test_the_numbers_are_those_of_the_evaluation() -> None:
    formula = "exp(-x^2)*sin(w*x)/(1 + w^2)"
    (result,) = results(Session(), f"x = 0.3; w = -1.7; {formula}")
    evaluation = evaluate(parse(formula), {"x": 0.3, "w": -1.7})
    assert (result.value, dict(result.gradient)) == (evaluation.value, evaluation.gradient)


def test_an_input_has_no_result_of_its_own() -> None:
    assert told(Session(), "x = -2") == []


def test_a_value_without_numbers_says_what_it_needs_and_appears_when_it_has_them() -> None:
    session = Session()
    assert told(session, "y = x*w") == ["y needs numbers for x, w: x = 2"]
    assert told(session, "x = 3") == ["y needs a number for w: w = 2"]
    assert told(session, "w = 5") == ["y = 15   dy/dx = 5   dy/dw = 3"]


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("y = x[1] + x[2]", "x = [1, 2]"),
        ("y = x[2]", "x = [1, 2]"),
        ("y = W[2][1] + W[1][2]", "W = [[1, 2], [3, 4]]"),
        ("y = x[1] + x[2][1]", "x = [1, [2]]"),
        ("y = x[1][1] + x[2][1][3] + x[4]", "x = [[1], [[2, 3, 4]], 5, 6]"),
    ],
)
def test_entries_of_a_list_are_given_numbers_together(text: str, statement: str) -> None:
    session = Session()
    (line,) = told(session, text)
    assert line.endswith(f": {statement}")
    (result,) = results(session, statement)
    assert not result.missing


def test_an_entry_of_a_list_is_given_a_number_by_itself() -> None:
    session = Session()
    told(session, "w = [1, 2]; y = w[1]^2", "dot(w, w)")
    assert told(session, "w[2] = 3") == ["_1 = 10   d/dw[1] = 2   d/dw[2] = 6"]
    assert told(session, "w") == ["w[1] = 1", "w[2] = 3"]
    assert session.program() == "w[1] = 1\nw[2] = 3\ny = w[1]^2\ndot(w, w)\n"
    assert told(session, "w = [3, 4]") == ["y = 9     dy/dw[1] = 6", "_1 = 25   d/dw[1] = 6   d/dw[2] = 8"]
    assert refused(session, "w[3] = 5").message == "`w` is a list of 2 entries: there is no `w[3]` to assign"
    told(session, "W = [[1, 2], [3, 4]]; W[1] = [5, 6]; W[2][1] = W[1][2]; W[1][1] = pi/4")
    assert told(session, "sum(W[2])") == ["_2 = 10   d/dW[2][2] = 1   d/dW[1][2] = 1"]


def test_each_entry_of_a_list_may_use_others() -> None:
    session, text = Session(), "x[1] = 2; x[2] = x[1]/2 + 1/x[1]; y = x[2]^2; x[3] = y + x[2]"
    assert results(session, text)[-1].value == evaluate(parse(text), {}).value
    assert [result.name for result in results(session, "x[1] = 1")] == ["x[2]", "y", "x[3]"]
    assert [result.name for result in results(session, "x")] == ["x[1]", "x[2]", "x[3]"]
    session.forget(["x"])
    assert session.program() == "y = x[2]^2\n"


def test_an_entry_of_a_computed_list_has_no_second_definition() -> None:
    session = Session()
    told(session, "x = 2; h = [x, x^2]; [x, 1]")
    error = refused(session, "h[1] = 3")
    assert (error.message, error.span) == ("`h[1]` is defined by `h`", (0, 4))
    assert refused(session, "_1[2] = 3").message == "`_1` is a result without a name"
    assert refused(session, "ans[2] = 3").message == "`ans` is the last result"


def test_a_gradient_that_is_too_wide_for_a_line_names_its_value_where_there_is_room() -> None:
    session = Session()
    told(session, "x1 = 2; x2 = 3; x3 = 4")
    partials = ["  dproduct/dx1 = 12", "  dproduct/dx2 = 8", "  dproduct/dx3 = 6"]
    assert told(session, "product = x1*x2*x3", width=30) == ["product = 24", *partials]
    assert told(session, "product", width=17)[1:] == ["  d/dx1 = 12", "  d/dx2 = 8", "  d/dx3 = 6"]


def test_a_moved_input_shows_what_depends_on_it_and_nothing_else() -> None:
    session = Session()
    told(session, "x = 1; w = 1; y = x^2; z = y + w; v = w^3")
    assert told(session, "x = 3") == ["y = 9    dy/dx = 6", "z = 10   dz/dx = 6   dz/dw = 1"]


def test_a_redefinition_shows_what_depends_on_it() -> None:
    session = Session()
    told(session, "x = 2; y = x^2; z = y + 1")
    assert told(session, "y = x^3") == ["y = 8   dy/dx = 12", "z = 9   dz/dx = 12"]


def test_a_redefined_function_shows_what_calls_it() -> None:
    session = Session()
    told(session, "f(u) = u^2; x = 2; y = f(x)")
    assert told(session, "f(u) = u^3") == ["y = 8   dy/dx = 12"]


@pytest.mark.parametrize("text", ["x = pi/4", "x = -(pi)/4 + pi/2"])
def test_a_constant_expression_is_the_number_of_an_input(text: str) -> None:
    session = Session()
    assert told(session, text) == ["x = 0.7853981634"]
    assert told(session, "sin(x)^2") == ["_1 = 0.5   d/dx = 1"]


def test_an_expression_in_parentheses_is_a_constant() -> None:
    assert told(Session(), "k = (pi/2)", "sin(k)") == ["_1 = 1"]
    assert told(Session(), "k = ((1 + 1)*(2))", "k^2") == ["_1 = 16"]


@pytest.mark.parametrize("text", ["r = (1 + 3)/2", "r = (1) + (1)"])
def test_a_number_that_begins_with_parentheses_is_an_input(text: str) -> None:
    assert told(Session(), text, "r^2") == ["_1 = 4   d/dr = 4"]


def test_names_have_the_meaning_that_the_language_gives_them() -> None:
    assert told(Session(), "e = 3", "pi*e") == ["_1 = 9.424777961   d/de = 3.141592654"]


def test_a_name_alone_is_shown_and_counts_as_no_result() -> None:
    session = Session()
    told(session, "x = 2; y = x^2")
    assert told(session, "y") == ["y = 4   dy/dx = 4"]
    assert told(session, "x") == ["x = 2"]
    assert told(session, "pi") == ["_1 = 3.141592654"]


def test_a_number_is_a_result_and_no_input() -> None:
    session = Session()
    assert told(session, "-2") == ["_1 = -2"]
    assert told(session, "ans^2") == ["_2 = 4"]
    assert session.program() == "_1 = (-2)\n_1^2\n"


def test_a_function_takes_several_lines_and_sees_the_names_of_the_session() -> None:
    session = Session()
    assert told(session, "f(a,\n  b) = a*b + # a comment\n  x") == []
    assert told(session, "x = 1; f(2, 3)") == ["_1 = 7   d/dx = 1"]


# ---- Earlier results -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", ["w = [1, 2, 3]", "w = [1, 2, 3]; x = [4, 5, 6]"])
def test_a_result_without_a_name_that_no_longer_fits_is_dropped(change: str) -> None:
    session = Session()
    told(session, "w = [1, 2]; x = [3, 4]; sum(w); dot(w, x); ans + 1")
    assert told(session, change) == ["_1 = 6   d/dw[1] = 1   d/dw[2] = 1   d/dw[3] = 1"]
    assert [*session.definitions] == ["w", "x", "_1"]
    assert not session.current


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "w = [1, 2]; x = [3, 4]; y = sum(w); dot(w, x); w = [1, 2, 3]",
            ["y = 6   dy/dw[1] = 1   dy/dw[2] = 1   dy/dw[3] = 1"],
        ),
        ("w = [1, 2]; w; w[1] = 3", []),
        ("w[1] = 1; w[2] = 2; w; w = [3, 4]", []),
    ],
)
def test_a_result_that_the_same_line_drops_or_defines_anew_is_not_shown(text: str, lines: list[str]) -> None:
    assert told(Session(), text) == lines


def test_a_value_that_would_no_longer_fit_is_named() -> None:
    session = Session()
    told(session, "w = [1, 2]; x = [3, 4]; y = dot(w, x); y + 1")
    before = session.program()
    assert refused(session, "w = [1, 2, 3]").hint.endswith("; to do without `y`: :clear y")
    with pytest.raises(AutodiffError, match=r"; to do without `y`: :clear y$"):
        session.forget(["w"])
    assert session.program() == before
    session.forget(["w", "x", "y"])
    assert told(session, "_1") == ["_1 needs a number for y: y = 2"]


def test_a_result_is_not_called_like_an_input_that_it_uses() -> None:
    session, loaded = Session(), Session()
    told(session, "x = 2; 2*x; _1 + x")
    session.forget(["_1"])
    assert told(session, "_1 + x") == ["_3 needs a number for _1: _1 = 2"]
    loaded.load(Source(session.program(), "f.expr"))
    assert told(loaded, "_1 = 3") == ["_2 = 5   d/dx = 1   d/d_1 = 1"]


@pytest.mark.parametrize("text", ["y = _1*2", "f(x) = _1*x; y = f(3)", "y = _1[2]"])
def test_a_result_is_not_called_like_an_input_of_another_definition(text: str) -> None:
    session = Session()
    told(session, text)
    (line,) = told(session, "y + 1")
    assert line.startswith("_2 needs a number for _1")


def test_results_without_a_name_are_numbered_and_ans_is_the_last() -> None:
    session = Session()
    assert told(session, "x = 2; x^2") == ["_1 = 4   d/dx = 4"]
    assert told(session, "ans + 1") == ["_2 = 5   d/dx = 4"]
    assert told(session, "_1*_2") == ["_3 = 20   d/dx = 36"]
    assert told(session, "y = 2*ans; ans") == ["y = 40   dy/dx = 72"]


def test_a_moved_input_shows_the_numbered_results_too_the_latest_where_there_are_many() -> None:
    session = Session()
    told(session, "x = 2; x^2; x^3")
    assert told(session, "x = 3") == ["_1 = 9    d/dx = 6", "_2 = 27   d/dx = 27"]
    told(session, *["x"] * 3, *["2*x"] * 30)
    assert told(session, "x = 4")[-2:] == ["_32 = 8   d/dx = 2", "… and 12 more"]


@pytest.mark.parametrize(
    ("text", "message"), [("ans = 5", "`ans` is the last result"), ("_1 = 3", "`_1` is a result without a name")]
)
def test_a_result_keeps_the_name_that_it_was_given(text: str, message: str) -> None:
    session = Session()
    told(session, "x = 2; x^2")
    assert (refused(session, text).message, refused(session, text).hint) == (message, "give the new value another name")
    assert told(session, "_1 + ans") == ["_2 = 8   d/dx = 8"]


def test_a_result_is_numbered_whatever_names_look_like_numbers() -> None:
    assert told(Session(), f"_{'1' * 5000} = 3; _7 = 4", "2 + 3", "_7^2") == ["_2 = 16   d/d_7 = 8"]


def test_a_program_that_has_the_name_of_the_last_result_is_not_loaded() -> None:
    with pytest.raises(AutodiffError, match="`ans` is the last result"):
        Session().load(Source("y = 2*ans", "f.expr"))


def test_gradients_have_the_order_of_the_inputs_also_when_the_session_was_saved_and_loaded() -> None:
    session, loaded = Session(), Session()
    told(session, "y = w*x^2; x = 3; w = 2")
    answer = loaded.load(Source(session.program(), "f.expr"))
    assert [*answer.results[0].gradient] == [*results(session, "y")[0].gradient] == ["x", "w"]


def test_a_loaded_program_shows_what_depends_on_it() -> None:
    session = Session()
    told(session, "z = a^2")
    answer = session.load(Source("a = 3; b = 2; b*a", "f.expr"))
    assert [(result.name, result.value) for result in answer.results] == [("z", 9), ("_1", 6)]


def test_an_error_in_a_line_with_ans_points_into_the_line_as_it_was_typed() -> None:
    session = Session()
    told(session, "total_energy = 2*x; x = 1")
    error = refused(session, "ans + ans + foo(3)")
    assert (error.source and error.source.text, error.span) == ("ans + ans + foo(3)", (12, 15))


# ---- Errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = x + 1", "`x` would be computed from itself"),
        ("a = c + 1", "`a` would be computed from itself, through `c`, `b`"),
        ("v[1] = v[1]", "`v[1]` would be computed from itself"),
        ("q", "`q` has no value"),
        ("y = 3 +* 4", "expected an operand after `+`, found `*`"),
        ("f(u) = f(u)", "`f` calls itself"),
        ("f + 1", "`f` is a function, not a value"),
        ("D(f, u)", "`f` is a function, not a value"),
        ("s = dy/dx", "a derivative is not written as a quotient"),
        ("f(u, v) = u", "`f` takes 2 arguments, got 1"),
        ("2 + (3", "this parenthesis is never closed"),
        ("x = )", "this parenthesis was never opened"),
    ],
)
def test_a_refused_statement_changes_nothing(text: str, message: str) -> None:
    session = Session()
    told(session, "f(u) = u; b = f(a); c = b; x = 2; y = x")
    before = session.program(), session.current
    error = refused(session, text)
    assert error.message.startswith(message)
    assert (session.program(), session.current) == before


def test_an_index_may_have_the_name_of_a_function() -> None:
    assert told(Session(), "f(u) = u; sum(f, 1, 3, f*2)") == ["_1 = 12"]


@pytest.mark.parametrize("text", ["i = sum(i, 1, 3, i)", "i = product(i, 1, 3, sum(j, 1, i, j/j))"])
def test_a_value_may_have_the_name_of_the_index_in_its_sum(text: str) -> None:
    (result,) = results(Session(), text)
    assert result.value == evaluate(parse(text), {}).value == 6


def test_an_index_that_has_the_name_of_a_value_does_not_depend_on_it() -> None:
    session = Session()
    told(session, "i = 5; x = 2; y = sum(i, 1, 3, i*x)")
    assert told(session, "i = 7") == []
    assert told(session, "x = i + sum(i, 1, 3, i)") == ["x = 13   dx/di = 1", "y = 78   dy/di = 6"]


def test_an_error_points_to_its_place_in_what_was_typed() -> None:
    session = Session()
    told(session, "x = 1; y = x; z = y")
    error = refused(session, "w = 3; y = x + sin x")
    assert error.source is not None
    assert error.source.text == "w = 3; y = x + sin x"
    assert error.column == 20
    assert told(session, "w") == ["w = 3"]


def test_the_results_before_an_error_are_shown() -> None:
    session = Session()
    answers: list[Reply] = []
    with pytest.raises(AutodiffError):
        answers.extend(session.run(Source("x = 2; y = x^2; z = (")))
    running = session.run(Source("x = 4; z = ("))
    assert [result.value for result in next(running).results] == [16]
    with pytest.raises(AutodiffError):
        next(running)


def test_a_result_that_is_not_finite_says_why() -> None:
    session = Session()
    told(session, "x = 0")
    (answer,) = session.run(Source("1/x"))
    assert answer.results[0].value == float("inf")
    assert answer.notice is not None
    assert answer.notice.message == "the result is not finite: `1/x` is inf with x = 0, as nothing can be divided by 0"
    assert answer.notice.hint == ""


# ---- Programs --------------------------------------------------------------------------------------------------------


def test_the_program_of_a_session_is_a_program_with_the_same_result() -> None:
    session = Session()
    told(session, "y = x*k; k = 3; x = pi; sin(y); f(u) = u^2; cos(y) + f(x)")
    assert session.program() == "k = 3\nx = 3.141592653589793 # pi\ny = x*k\nf(u) = u^2\ncos(y) + f(x)\n"
    assert parse(session.program()).inputs.keys() == {"k", "x"}
    assert session.text("y") == "k = 3\nx = 3.141592653589793 # pi\ny = x*k\n"


def test_the_program_of_a_function_is_its_value_at_its_parameters() -> None:
    session = Session()
    told(session, "x = 2; k = 3; f(x, n) = k*x^n; f(1, 2)")
    assert session.is_computed("f")
    assert session.text("f") == "x = 2\nk = 3\nf(x, n) = k*x^n\nf(x, n)\n"
    told(session, "n = k*2")
    assert session.text("f") == "x = 2\nk = 3\nf(x, n) = k*x^n\nf(x, n)\n"  # a parameter is an input, so n is not k*2
    told(session, "n = 4")
    assert session.text("f") == "x = 2\nk = 3\nn = 4\nf(x, n) = k*x^n\nf(x, n)\n"


def test_the_program_of_an_entry_has_its_list() -> None:
    session = Session()
    told(session, "x = 2; h = [x, x^2]; w[1] = 1; f(w) = w[1]")
    assert [session.is_computed(name) for name in ("h[2]", "h[3]", "w[1]", "x")] == [True, False, False, False]
    assert session.text("h[2]") == "x = 2\nh = [x, x^2]\nh[2]\n"
    assert session.text("f") == "w[1] = 1\nf(w) = w[1]\nf(w)\n"


def test_the_program_ends_with_the_last_result_even_if_others_use_it() -> None:
    session = Session()
    told(session, "x = 2; y = x; z = y; y = x^2")
    assert session.program() == "x = 2\ny = x^2\nz = y\ny\n"


def test_a_loaded_program_keeps_its_meaning() -> None:
    session = Session()
    answer = session.load(Source("k = 2*pi\nx = 3\nf(u) = k*u\n\nf(x)  # the result\n", "f.expr"))
    assert [(result.name, dict(result.gradient)) for result in answer.results] == [("_1", {"x": 6.283185307179586})]
    assert told(session, "k") == ["k = 6.283185307"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("c = a\nd = c\nc = b\ne = c + d\n", "c"),
        ("c = [a, b]\nd = sum(c)\nc[2] = a\n", "c[2]"),
        ("c[2] = a\nc = [a, b]\n", "c"),
    ],
)
def test_a_program_that_assigns_a_name_twice_is_not_loaded(text: str, name: str) -> None:
    session = Session()
    told(session, "x = 1")
    with pytest.raises(AutodiffError, match=f"`{re.escape(name)}` is assigned twice"):
        session.load(Source(text, "f.expr"))
    assert session.program() == "x = 1\n"


def test_a_loaded_program_takes_the_place_of_lists_and_entries() -> None:
    session = Session()
    told(session, "w = [1, 2]; x[1] = 3; x[2] = 4; dot(w, x)")
    assert [result.value for result in session.load(Source("w[1] = 5\nw[2] = 6\nx = [1, 1]\n", "f.expr")).results] == [
        11,
        1,
        1,
    ]
    assert [*session.definitions] == ["_1", "w[1]", "w[2]", "x"]


def test_a_missing_input_that_names_others_may_be_a_product_or_a_call_of_them() -> None:
    session = Session()
    told(session, "x = 2; y = 3")
    assert told(session, "z = xy") == ["z needs a number for xy: xy = 2; for a product write x*y"]
    assert told(session, "u = sinx") == ["u needs a number for sinx: sinx = 2; for the function write sin(x)"]


def test_a_forgotten_number_is_missing_again() -> None:
    session = Session()
    told(session, "x = 2; y = x^2")
    session.forget(["x"])
    assert told(session, "y") == ["y needs a number for x: x = 2"]
    told(session, "f(u) = u; z = f(3)")
    with pytest.raises(AutodiffError, match="unknown function"):
        session.forget(["f"])
    session.forget(session.definitions)
    assert session.program() == session.current == ""


@pytest.mark.slow
def test_ten_thousand_definitions_are_no_burden() -> None:
    session = Session()
    session.load(Source("x0 = 1\n" + "".join(f"x{i + 1} = sin(x{i})\n" for i in range(10_000)), "f.expr"))
    (answer,) = session.run(Source("x0 = 2"))
    assert (len(answer.results), answer.omitted) == (20, 9_980)
    assert refused(session, "x0 = x10000").message.startswith("`x0` would be computed from itself, through `x10000`")


def test_a_statement_takes_no_longer_for_definitions_that_it_does_not_use() -> None:
    session = Session()
    with within(10):
        for line in ("x = 2", *(f"y{i} = {i}*x" for i in range(1500))):
            assert [*session.run(Source(line))]


# ---- Lines -----------------------------------------------------------------------------------------------------------


def test_a_gradient_that_is_too_wide_is_a_table_below() -> None:
    session = Session()
    told(session, "rate = 1/3; t = 2; loss = exp(-rate*t)")
    assert told(session, "loss", width=40) == [
        "loss = 0.513417119",
        "  dloss/drate = -1.026834238",
        "  dloss/dt    = -0.1711390397",
    ]
    told(session, "x = -3; w = 2; b = 1; z = x*w/4 + b")
    assert told(session, "y = x*w*rate*t*b + z", width=80) == [
        "y = -4.5",
        "  dy/drate = -12           dy/dt    = -2            dy/dx    = 1.833333333",
        "  dy/dw    = -2.75         dy/db    = -3",
    ]


def test_no_line_is_wider_than_the_terminal_and_no_number_is_cut() -> None:
    session = Session()
    long = "a_name_that_is_much_longer_than_forty_columns"
    assert told(session, f"{long} = -1/3", f"y = {long}^-99", width=40) == [
        "y = -1.717925069e+47",
        "  d/da_name_t…columns = -5.102237455e+49",
    ]
    assert told(session, f"z = {long}*{long}x", width=40) == ["z needs a number"]
    assert told(session, "y", width=3) == ["y = -1.717925069e+47", "  d/da_…ns = -5.102237455e+49"]


def test_of_a_long_gradient_some_lines_are_shown() -> None:
    session = Session()
    lines = told(session, "; ".join(f"x{i} = {i}" for i in range(30)), " + ".join(f"x{i}^2" for i in range(30)))
    assert len(lines) == 5
    assert lines[-1] == "  … and 18 more: :eval shows them"


def test_there_is_no_minus_zero() -> None:
    assert told(Session(), "x = 0", "y = -x") == ["y = 0   dy/dx = -1"]


def test_the_error_of_a_statement_that_is_too_much_work_takes_no_more_than_the_budget() -> None:
    with within(5), WorkBudget(3.0), pytest.raises(AutodiffError, match="unfold to more than"):
        [*Session().run(Source("sum(i, 1, 4e6, sin(i*x))"))]
