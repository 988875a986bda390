"""The candidates at the cursor."""

import pytest

from autodiff_cli.cli.prompt.commands import COMMANDS
from autodiff_cli.errors import Source
from autodiff_cli.operations import FUNCTIONS
from autodiff_cli.repl.completion import candidates
from autodiff_cli.repl.session import Session


@pytest.fixture
def session() -> Session:
    session = Session()
    for _ in session.run(Source("rate = 2; f(u, v) = u*v; result = f(rate, w)")):
        pass
    return session


def offered(text: str, session: Session) -> dict[str, str]:
    return {candidate.text: candidate.doc for candidate in candidates(text, session, COMMANDS)[1]}


def test_names_functions_and_constants_come_with_what_they_are(session: Session) -> None:
    assert offered("y = 2*r", session) == {
        "rate": "rate = 2",
        "result": "result = f(rate, w)",
        "radians(": "degrees to radians",
        "recip(": "reciprocal",
        "relu(": "rectifier; slope 0 at 0",
        "round(": "nearest whole number, halves to even",
    }
    assert offered("f", session)["f("] == "f(u, v) = u*v"
    assert offered("2*p", session)["pi"] == "3.141592653589793"
    assert offered("a", session)["ans"] == "the last result, result"


def test_a_name_that_waits_for_a_number_is_offered(session: Session) -> None:
    assert offered("w", session) == {"w": "has no number yet", "where(": FUNCTIONS["where"][0].doc}
    [*session.run(Source("w = [1, 2]; result = w[1] + v[1]"))]
    assert offered("w", session)["w"] == "w = [1, 2]"
    assert offered("v", session)["v"] == "has no number yet"


def test_after_an_operator_the_names_of_the_session_are_offered(session: Session) -> None:
    assert [*offered("y = 2*", session)] == ["rate", "f(", "result", "w", "ans"]


@pytest.mark.parametrize("text", ["y = 2", "y = 2.5e", "# ta", "rate2"])
def test_nothing_is_offered_inside_of_other_words(text: str, session: Session) -> None:
    assert "tanh(" not in offered(text, session)


def test_commands_and_their_words_are_offered(session: Session) -> None:
    assert offered(":di", session) == {":diff": "derivatives as formulas"}
    assert [*offered(":diff r", session)] == ["rate", "result"]
    assert [*offered(":diff rate,r", session)] == ["rate", "result"]
    assert [*offered(":diff f", session)] == ["f"]
    assert [*offered(":export py", session)] == ["python"]
    assert "sin" in offered(":help s", session)
    assert "diff" in offered(":help d", session)


def test_every_function_has_a_line_on_what_it_is() -> None:
    assert all(operations[0].doc for operations in FUNCTIONS.values())
