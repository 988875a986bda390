"""A LaTeX document that needs no package but amsmath."""

_HEAD = r"""\documentclass{article}
\usepackage{amsmath}
\allowdisplaybreaks
\begin{document}
"""
_FONTS = "% Compile this with XeLaTeX or LuaLaTeX, in a font that has the letters of the names.\n"
_LAST_LATIN = "\u017f"
"""the last letter that pdfLaTeX knows by itself"""


def document(body: str) -> str:
    """The document with this text, which says so where it needs more than pdfLaTeX."""
    return f"{_FONTS if body and max(body) > _LAST_LATIN else ''}{_HEAD}{body}\n\\end{{document}}\n"
