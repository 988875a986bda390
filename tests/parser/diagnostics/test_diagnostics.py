"""The tables of the diagnostics are in order; their messages are tested case by case in `errors/`."""

from string import Formatter

import pytest

from autodiff_cli import AutodiffError, parse
from autodiff_cli.cli.command_line.remedies import in_options
from autodiff_cli.operations import FUNCTIONS
from autodiff_cli.parser.diagnostics import idiom_matching, idioms, synonyms

IDIOMS = (*idioms.ANYWHERE, *idioms.AFTER_AN_OPERAND, *idioms.BEFORE_AN_OPERAND, *synonyms.MISSING_FUNCTIONS)


def test_every_text_of_an_idiom_can_be_filled() -> None:
    for idiom in IDIOMS:
        groups = {name for part in (idiom.before, idiom.after) for name in idiom_matching._pattern(part).groupindex}
        named = {name for text in (idiom.message, idiom.hint) for _, name, _, _ in Formatter().parse(text) if name}
        assert named <= groups | idiom_matching.FIELDS.keys(), idiom
        assert idiom.hint or idiom.remedy or idiom.message, idiom


def test_a_synonym_is_no_function_and_means_one() -> None:
    assert FUNCTIONS.keys() >= set(synonyms.SYNONYMS.values())
    assert not FUNCTIONS.keys() & synonyms.SYNONYMS.keys()


def test_a_hint_for_python_names_no_option_of_the_command_line() -> None:
    with pytest.raises(AutodiffError) as caught:
        parse("rand()*x")
    assert caught.value.hint == "numbers are given, not drawn: make it an input and pass its value in the point"
    assert in_options(caught.value).hint == "numbers are given, not drawn: make it an input, with --set"
