"""The picture as a self-contained page, light or dark as the browser is set."""

from html import escape

from . import svg
from .palette import palette
from .picture import Picture

_LEAST_SCALE = 0.6  # a window narrower than this part of the picture scrolls
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 0; padding: 1.5rem; font: 1rem/1.5 system-ui, sans-serif; color: #1c2126; background: #f6f7f9; }}
h1 {{ margin: 0 0 1rem; font-size: 1.15rem; font-weight: 600; overflow-wrap: anywhere; }}
.picture {{ overflow-x: auto; background: {paper}; border: 1px solid #d5dae0; border-radius: 6px; }}
.picture svg {{ display: block; margin: 0 auto; min-width: {least}pt; }}
@media (prefers-color-scheme: dark) {{
  body {{ color: #e6e9ed; background: #16191d; }}
  .picture {{ border-color: #16191d; }}
}}
@media print {{
  body {{ padding: 0; background: #fff; color: #000; }}
  .picture {{ border: 0; }}
  .picture svg {{ min-width: 0; }}
}}
</style>
</head>
<body>
<h1>{title}</h1>
<div class="picture" tabindex="0">
{picture}
</div>
</body>
</html>
"""


def write(picture: Picture) -> bytes:
    """The picture as a file."""
    drawn = svg.text(picture)
    width, _ = svg.size(drawn)
    least, paper = _LEAST_SCALE * width, palette(picture).paper
    return _PAGE.format(title=escape(picture.title), picture=drawn, least=least, paper=paper).encode()
