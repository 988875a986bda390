"""Frames of pages: files of this folder, with places to fill in as `{{name}}`."""

import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from pathlib import PurePath

from ...errors import one_line

_MARKER = re.compile(r"\{\{(\w+)\}\}")


def file_text(name: str) -> str:
    """A file of this folder."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def filled(frame: str, parts: Mapping[str, str]) -> str:
    """A frame with its parts, in one pass: a part may hold a marker."""
    return _MARKER.sub(lambda marker: parts[marker[1]], file_text(frame))


def policy_hash(text: str) -> str:
    """The source expression with which a page's content security policy allows this text and no other."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def page_title(name: str) -> str:
    """The title of a page about a source of that name."""
    return "formula" if name in ("<formula>", "<stdin>") else one_line(PurePath(name).name)
