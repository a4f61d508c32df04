# SPDX-License-Identifier: Apache-2.0
"""The prose of Swift files and Markdown pages, each piece with the number of its first line."""
import re
from dataclasses import dataclass

# A sentence ends before white space and a possible start of the next one. "e.g. a" is not an end.
END = re.compile(r"(?<=[.!?])[\"”’)*_]*\s+(?=[\"“‘(*_\[]*[A-Z0-9`])")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+")
COMMENT = re.compile(r"^[ \t]*///[ \t]?(.*)$")
FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
SPAN = re.compile(r"(`+)(?:(?!\1)[\s\S])+\1")
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\](?:\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\])")


@dataclass(frozen=True)
class Piece:
    """A paragraph, a heading or a list item: the number of its first line, and its text with the line breaks."""
    line: int
    text: str

    def sentences(self):
        """The sentences, each as the number of its first line, its text in one line, and its number of words."""
        text = SPAN.sub(as_word, LINK.sub(as_word, self.text))
        at = 0
        for end in [match.end() for match in END.finditer(text)] + [len(text)]:
            sentence = text[at:end]
            if sentence.strip():
                leading = len(sentence) - len(sentence.lstrip())
                yield self.line + text.count("\n", 0, at + leading), " ".join(sentence.split()), words(sentence)
            at = end


def words(sentence):
    """The number of words. A dash between spaces is not a word."""
    return sum(1 for word in sentence.split() if re.search(r"\w", word))


def as_word(match):
    """One word in place of a code span or a link, with its line breaks."""
    return "`code`" + "\n" * match[0].count("\n")


def pieces(lines):
    """The pieces of Markdown, given as numbered lines. Code, tables, comments and HTML are left out."""
    gathered, fence, in_comment = [], None, False
    for number, line in [*lines, (0, "")]:
        stripped = line.strip()
        if fence:
            fence = None if stripped.startswith(fence) and not stripped.strip(fence[0]) else fence
            continue
        if in_comment:
            in_comment = "-->" not in line
            continue
        opening = FENCE.match(line)
        starts_comment = stripped.startswith("<!--") and "-->" not in stripped
        is_heading = stripped.startswith("#")
        is_left_out = opening or starts_comment or stripped.startswith(("|", "<"))
        if gathered and (not stripped or is_left_out or is_heading or ITEM.match(line)):
            yield Piece(gathered[0][0], "\n".join(text for _, text in gathered))
            gathered = []
        if opening:
            fence = opening[1]
        elif starts_comment:
            in_comment = True
        elif is_heading:
            yield Piece(number, stripped.lstrip("# "))
        elif stripped and not is_left_out:
            gathered.append((number, re.sub(r"<!--.*?-->", "", ITEM.sub("", line)).strip().lstrip("> ")))


def comments(text):
    """The `///` comments of a Swift file, each as its numbered lines."""
    block = []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        comment = COMMENT.match(line)
        if comment:
            block.append((number, comment[1]))
        elif block:
            yield block
            block = []


def page(text):
    """The numbered lines of a Markdown page, without its front matter."""
    lines = list(enumerate(text.splitlines(), 1))
    if lines and lines[0][1] == "---":
        end = next((number for number, line in lines[1:] if line == "---"), 0)
        return lines[end:]
    return lines
