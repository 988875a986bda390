"""Numbers as the values of options."""

from typing import Any

import click


class NumberRange(click.FloatRange):
    """A number of a range, and not nan, which click itself would accept in every range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number."""
        number = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number
