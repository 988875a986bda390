"""Puts the parser's tables into the wheel, so that an installed autodiff never needs to compute them."""

import json
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ParserTables(BuildHookInterface[Any]):
    """Runs when a wheel is built; an editable install keeps its tables in the user's cache."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Have Lark analyse the grammar and add the result to the wheel."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from autodiff_cli.parser.lalr_tables import make

        tables = make(Path(self.root, "grammar/expression.lark").read_text(encoding="utf-8"))
        made = Path(self.directory, "expression.json")
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text(json.dumps(tables), encoding="utf-8")
        build_data["force_include"][str(made)] = "autodiff_cli/grammar/expression.json"
