"""The values that some options take: numbers of a range, and characters."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import click

from ...errors import UsageError

_CHARACTER = r"""[!#-/:-@[-`{-~ \t]"""


class NumberRange(click.FloatRange):
    """A number of a range, and not nan, which click itself would accept in every range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number."""
        number = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


class Probability(NumberRange):
    """A number between 0 and 1, which may be in percent: 0.95 or 95%."""

    def __init__(self) -> None:
        super().__init__(0, 1, min_open=True, max_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number."""
        if percent := re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)\s*(%?)", str(value).strip()):
            share = float(Decimal(percent[1]) / 100)
            if percent[2]:
                value = share
            elif param is not None and 0.01 < share < 1:
                raise UsageError(f"`{param.opts[0]}` is between 0 and 1, not {value}", f"write {param.opts[0]} {share}")
        return super().convert(value, param, ctx)


class AsciiCharacter(click.ParamType[str]):
    """A character of ASCII that may stand between cells or before them; some have names."""

    name = "character"

    def __init__(self, example: str, names: Mapping[str, str]) -> None:
        self._example, self._names = example, names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The character, or what a name stands for."""
        if value in self._names:
            return self._names[value]
        if value and not re.fullmatch(_CHARACTER, value):
            known = [f"a character such as {self._example}", *filter(str.isalpha, self._names)]
            self.fail(f"{value!r} is not {' or '.join(known)}.", param, ctx)
        return str(value)
