"""A piece of a walk as text: what is shown at one time where it goes step by step."""

from dataclasses import dataclass

from rich.text import Text


@dataclass(frozen=True)
class Block:
    """Some lines, below a heading where a part of the walk begins."""

    lines: list[Text]
    heading: str = ""
    close: bool = False
    """does it follow the block before it without a gap?"""

    def whole(self) -> list[Text]:
        """The lines with the heading above them, and the gap before that."""
        heading = [Text(self.heading, style="bold")] if self.heading else []
        return [*([] if self.close else [Text()]), *heading, *self.lines]
