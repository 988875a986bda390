"""The commands of the prompt: most are commands of the command line, run on the program of the session."""

from collections.abc import Iterator
from dataclasses import dataclass

from ...export import TARGETS
from ...output.report import Column, Line, Report, Row, Table
from ...repl.completion import PromptCommand


@dataclass(frozen=True)
class Delegated(PromptCommand):
    """A command of the command line: its arguments, and the option that takes the words of the prompt."""

    arguments: tuple[str, ...] = ()
    option: str = "--wrt"
    assigned: str = ""
    """the option that takes those with a `=`, if it is another"""

    def option_for(self, word: str) -> str:
        """The option that takes a word of the prompt."""
        return self.assigned if self.assigned and "=" in word else self.option


COMMANDS = {
    "eval": Delegated("every node's value and gradient", "[NAMES]", arguments=("eval",)),
    "diff": Delegated("derivatives as formulas", "[NAMES]", arguments=("diff",)),
    "hessian": Delegated("second derivatives", "[NAMES]", arguments=("eval", "--hessian")),
    "taylor": Delegated("the Taylor series", "[x=0]", arguments=("taylor",), assigned="--at"),
    "check": Delegated("the gradient against finite differences", "[NAMES]", arguments=("check",)),
    "graph": Delegated("the computation graph", "[NAME]", arguments=("graph",)),
    "explain": Delegated("the chain rule step by step", "[NAME]", arguments=("explain",)),
    "plot": Delegated("a curve and its slope", "x=-5:5", arguments=("plot",), option="--over"),
    "solve": Delegated("where the result is zero", "[NAME]", arguments=("solve",), option="--for"),
    "minimize": Delegated("where the result is least", "[x=1]", arguments=("minimize",), option="--start"),
    "sensitivity": Delegated("which inputs matter", "[NAMES]", arguments=("sensitivity",)),
    "export": Delegated("a function in another language", "c", tuple(TARGETS), ("export",), "--to"),
    "list": PromptCommand("the definitions so far"),
    "clear": PromptCommand("forget everything, or some names", "[NAMES]"),
    "save": PromptCommand("write the definitions to a file", "f.expr [--force]", "files"),
    "load": PromptCommand("read definitions from a file", "f.expr", "files"),
    "help": PromptCommand("this list, or a function or command", "[sin]", "functions"),
    "quit": PromptCommand("leave, as Ctrl-D does"),
}
"""the commands of the prompt, in the order of its help"""


class CommandHelp(Report):
    """The commands of the prompt, for people."""

    def tables(self) -> Iterator[Table | Line]:
        """A row for each command."""
        rows = [Row((f":{name} {command.parameters}".rstrip(), command.doc)) for name, command in COMMANDS.items()]
        yield Table((Column("command", "cyan"), Column("what it does", wraps=True)), rows)
