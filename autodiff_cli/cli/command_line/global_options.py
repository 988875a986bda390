"""Global options, those of every command: its budget of work, and how a terminal shows the output.

They may stand before the command too.
"""

from typing import get_args

import click

from ...terminal import color
from ...work_budget import BUDGET, WorkBudget
from .parameter_types import NumberRange

WORK_BUDGET = "autodiff.work_budget"
"""the key under which click's context has the budget of work"""


def _choose_color(ctx: click.Context, parameter: click.Parameter, choice: color.Choice | None) -> None:
    """Keep the choice; without one the group begins with `auto`, and a command leaves it as it is."""
    if choice is not None or ctx.parent is None:
        color.choose(choice or "auto")


def _page(ctx: click.Context, parameter: click.Parameter, is_wanted: bool) -> None:
    if is_wanted:
        from ...terminal.pager import paged

        ctx.with_resource(paged())


def _limit(ctx: click.Context, parameter: click.Parameter, seconds: float | None) -> None:
    """Bound the work of the command; the group does so first, and a command that is told a budget changes it."""
    if ctx.parent is None:
        ctx.meta[WORK_BUDGET] = ctx.with_resource(WorkBudget(BUDGET))
    if seconds is not None:
        ctx.meta[WORK_BUDGET].become(WorkBudget(seconds, grows=False))


def global_options() -> list[click.Parameter]:
    """The options, of which no command is told."""
    return [
        click.Option(
            ["--budget"],
            type=NumberRange(0),
            metavar="SECONDS",
            is_eager=True,
            expose_value=False,
            callback=_limit,
            help=f"Limit the work to about this many seconds, inf for no limit; by default {BUDGET:g}, plus 1 for each "
            "kilobyte of formulas.",
        ),
        click.Option(
            ["--color"],
            type=click.Choice(get_args(color.Choice)),
            is_eager=True,
            expose_value=False,
            callback=_choose_color,
            help="When to use colours; auto, on a terminal only, unless NO_COLOR or FORCE_COLOR are set.",
        ),
        click.Option(
            ["--pager"],
            is_flag=True,
            expose_value=False,
            callback=_page,
            help="On a terminal, scroll through the output with $PAGER, or less.",
        ),
    ]
