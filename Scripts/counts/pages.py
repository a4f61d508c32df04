# SPDX-License-Identifier: Apache-2.0
"""The sentences of a Markdown page."""
import re

# A sentence ends before white space and a possible start of the next one. "e.g. a" is not an end.
END = re.compile(r"(?<=[.!?])[\"”’)*_]*\s+(?=[\"“‘(*_\[]*[A-Z0-9`])")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+")


def sentences(text):
    """Returns the sentences of a page, without code blocks and comments. Headings, list items and table cells end a sentence."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    text = re.sub(r"^([ \t]*)(`{3,}|~{3,}).*?^\1\2[ \t]*$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    return [sentence for piece in pieces(text) for sentence in END.split(piece) if sentence.strip()]


def pieces(text):
    """Yields the paragraphs, headings, list items and table cells, each in one line."""
    lines = []
    for line in text.splitlines() + [""]:
        is_table, is_heading = line.lstrip().startswith("|"), line.startswith("#")
        if not line.strip() or is_table or is_heading or ITEM.match(line):
            yield plain(" ".join(lines))
            lines = []
        if is_table:
            yield from map(plain, re.split(r"(?<!\\)\|", line.strip().strip("|")))
        elif is_heading:
            yield plain(line.lstrip("# "))
        elif line.strip():
            lines.append(ITEM.sub("", line).strip().lstrip("> "))


def plain(text):
    """Returns the text without the targets of links, with one word for each code span."""
    text = re.sub(r"(`+)(?:(?!\1).)+\1", "`code`", text)
    text = re.sub(r"!?\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)", r"\1", text)
    return re.sub(r"\[([^\]]*)\]\[[^\]]*\]", r"\1", text).strip()


def words(sentence):
    """Returns the number of words. A dash between spaces is not a word."""
    return sum(1 for word in sentence.split() if re.search(r"\w", word))
