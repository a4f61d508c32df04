# SPDX-License-Identifier: Apache-2.0
"""Draws what a program wrote to a terminal as an SVG picture: text, bold and faint, and colours of 24 bits."""

import re
import unicodedata
from xml.sax.saxutils import escape

CELL = 8.4  # The width of a column, which text is stretched or shrunk to.
LINE = 20
MARGIN = 16
FONT = 14

THEMES = {
    "light": {"background": "#ffffff", "border": "#d0d7de", "text": "#1f2328", "faint": "#59636e"},
    "dark": {"background": "#0d1117", "border": "#3d444d", "text": "#e6edf3", "faint": "#9198a1"},
}


def columns(text):
    """How many columns a terminal gives to a text."""
    width = 0
    for character in text:
        if unicodedata.category(character) in ("Mn", "Me", "Cf"):
            continue
        width += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return width


def runs(line):
    """The pieces of a line that are of one style: text, style."""
    style = {}
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if not part.startswith("\x1b"):
            if part:
                yield part, dict(style)
            continue
        codes = [int(code or 0) for code in part[2:-1].split(";")]
        while codes:
            code = codes.pop(0)
            if code == 0:
                style = {}
            elif code in (1, 2):
                style["bold" if code == 1 else "faint"] = True
            elif code in (38, 48) and codes[:1] == [2]:
                style["text" if code == 38 else "background"] = "#%02x%02x%02x" % tuple(codes[1:4])
                del codes[:4]
            else:
                raise ValueError(f"the terminal's code {part!r} is not one that is drawn")


def words(text):
    """The words of a text, each with the column that it starts in: text that is drawn word by word stays in its columns."""
    for match in re.finditer(r"\S+(?: \S+)*", text):
        yield columns(text[: match.start()]), match.group()


def drawing(lines, theme):
    """The picture of some lines."""
    colors = THEMES[theme]
    width = max(columns(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines) * CELL + 2 * MARGIN
    height = len(lines) * LINE + 2 * MARGIN
    shapes = []
    for row, line in enumerate(lines):
        column = 0
        for text, style in runs(line):
            left, top = MARGIN + column * CELL, MARGIN + row * LINE
            if "background" in style:
                size = columns(text) * CELL
                shapes.append(f'<rect x="{left:.1f}" y="{top}" width="{size:.1f}" height="{LINE}" fill="{style["background"]}"/>')
            fill = style.get("text", colors["faint" if "faint" in style else "text"])
            weight = ' font-weight="bold"' if "bold" in style else ""
            for offset, word in words(text):
                stretched = f' textLength="{columns(word) * CELL:.1f}" lengthAdjust="spacingAndGlyphs"' if columns(word) > 1 else ""
                shapes.append(
                    f'<text x="{left + offset * CELL:.1f}" y="{top + 15}" fill="{fill}"{weight}{stretched}>{escape(word)}</text>'
                )
            column += columns(text)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}"'
            f' font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="{FONT}"'
            ' xml:space="preserve">',
            f'<rect x=".5" y=".5" width="{width - 1:.0f}" height="{height - 1}" rx="8" fill="{colors["background"]}"'
            f' stroke="{colors["border"]}"/>',
            *shapes,
            "</svg>\n",
        ]
    )
