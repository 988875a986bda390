"""Puts the parser's tables and the manual pages into the wheel, and describes the package."""

import json
import re
import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

# Python has written the compiled form of this file beside it: a build leaves nothing behind.
_COMPILED = Path(cache_from_source(__file__))
_COMPILED.unlink(missing_ok=True)
with suppress(OSError):
    _COMPILED.parent.rmdir()

_PICTURE = re.compile(r"(!\[[^]]*\]\()(?!https?:|#)")
_LINK = re.compile(r"((?<!!)\[[^]]*\]\()(?!https?:|#)")


class MadeFiles(BuildHookInterface[Any]):
    """Runs when a wheel is built; an editable install makes its tables at its first start."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Have Lark analyse the grammars, print the manual pages, and add both to the wheel."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        sys.dont_write_bytecode = True
        from autodiff_cli.cli import group
        from autodiff_cli.cli.command_line.manual import pages
        from autodiff_cli.parser.lalr_tables import make

        self._folder = TemporaryDirectory()
        for grammar in Path(self.root, "grammar").glob("*.lark"):
            name = f"{grammar.stem}.json"
            tables = self._written(name, json.dumps(make(grammar.read_text(encoding="utf-8"))))
            build_data["force_include"][tables] = f"autodiff_cli/grammar/{name}"
        for name, text in pages(group).items():
            build_data["shared_data"][self._written(name, text)] = f"share/man/man1/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the files, which the wheel now holds."""
        if version != "editable":
            self._folder.cleanup()

    def _written(self, name: str, text: str) -> str:
        """The path of a temporary file with that text."""
        path = Path(self._folder.name, name)
        path.write_text(text, encoding="utf-8")
        return str(path)


class PackageReadme(MetadataHookInterface):
    """The README as the description of the package; its links lead to the Repository of `[project.urls]`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the text; without an address its links stay relative."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        if address := metadata.get("urls", {}).get("Repository"):
            text = _PICTURE.sub(rf"\1{address}/raw/main/", text)
            text = _LINK.sub(rf"\1{address}/blob/main/", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
