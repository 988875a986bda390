"""Templates of pages: files of this folder, with places to fill in as `{{name}}`."""

import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import PurePath

from ...errors import Source
from ...terminal.printable_text import one_line
from .source_listing import source_listing

_MARKER = re.compile(r"\{\{(\w+)\}\}")


def file_text(name: str) -> str:
    """A file of this folder."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def filled(template: str, source: Source, style: str, parts: Mapping[str, str]) -> str:
    """A template with its style, the title and the lines of the source, and other parts."""
    name = "formula" if source.name in ("<formula>", "<stdin>") else one_line(PurePath(source.name).name)
    lines = source_listing(source.text).text.split("\n")
    formula = "".join(f"<li><code>{escape(line)}</code></li>\n" for line in lines)
    common = {"title": escape(name), "style": style, "style_hash": policy_hash(style), "formula": formula}
    every = {**common, **parts}
    return _MARKER.sub(lambda marker: every[marker[1]], file_text(template))  # in one pass: a part may hold a marker


def policy_hash(text: str) -> str:
    """The source expression with which a page's content security policy allows this text and no other."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
