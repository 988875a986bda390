"""Puts the parser's tables into the wheel, so that they need not be computed, and describes the package."""

import json
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURE = re.compile(r"(!\[[^]]*\]\()(?!https?:|#)")
_LINK = re.compile(r"((?<!!)\[[^]]*\]\()(?!https?:|#)")


class ParserTables(BuildHookInterface[Any]):
    """Runs when a wheel is built; an editable install keeps its tables in the user's cache."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Have Lark analyse the grammar and add the result to the wheel."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        sys.dont_write_bytecode = True  # a build leaves nothing behind in the source
        from autodiff_cli.parser.lalr_tables import make

        self._folder = TemporaryDirectory()
        tables = Path(self._folder.name, "expression.json")
        source = Path(self.root, "grammar/expression.lark").read_text(encoding="utf-8")
        tables.write_text(json.dumps(make(source)), encoding="utf-8")
        build_data["force_include"][str(tables)] = "autodiff_cli/grammar/expression.json"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the file, which the wheel now holds."""
        if version != "editable":
            self._folder.cleanup()


class PackageReadme(MetadataHookInterface):
    """The README as the description of the package; its links lead to the Repository of `[project.urls]`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the text; without an address its links stay relative."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        if address := metadata.get("urls", {}).get("Repository"):
            text = _PICTURE.sub(rf"\1{address}/raw/main/", text)
            text = _LINK.sub(rf"\1{address}/blob/main/", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
