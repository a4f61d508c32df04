# SPDX-License-Identifier: Apache-2.0
"""Small changes of expressions: each operator yields (start, end, new text)."""
import re

from .conditions import conditions

COMPARISONS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<")}
NUMBER = re.compile(r"(?<![\w.$])(?:0x[0-9A-Fa-f_]+|0b[01_]+|0o[0-7_]+|\d[\d_]*(?:\.\d[\d_]*)?)(?![\w.]*\w)")
# Their arguments are for programmers, or affect only speed.
IDLE = re.compile(r"(?:reserveCapacity|precondition|preconditionFailure|assert|assertionFailure|fatalError|minimumCapacity)\b")
KEYWORDS = {"if", "while", "guard", "switch", "return", "in", "for", "case", "where", "throw", "catch", "let", "var"}


def symbols(source, start, end, table):
    """Yields operators with spaces around them. The brackets of generic arguments have none."""
    for match in re.compile(r"(?<= )(?:[<>]=?|[=!]==?|&&|\|\|)(?=\s)").finditer(source.code, start, end):
        if new := table.get(match[0]):
            yield match.start(), match.end(), new


def boundary(source, function, start, end):
    yield from symbols(source, start, end, {old: new[0] for old, new in COMPARISONS.items()})
    for match in re.compile(r"(?<=[\w)\]])(?:\.\.<|\.\.\.)(?=[\w(\]])").finditer(source.code, start, end):
        yield match.start(), match.end(), "..." if match[0] == "..<" else "..<"


def comparison(source, function, start, end):
    table = {old: new[1] for old, new in COMPARISONS.items()}
    yield from symbols(source, start, end, {**table, "==": "!=", "!=": "==", "===": "!==", "!==": "==="})


def connective(source, function, start, end):
    yield from symbols(source, start, end, {"&&": "||", "||": "&&"})


def negation(source, function, start, end):
    text = source.text
    for _, _, (a, b), _ in conditions(source, start, end):
        yield a, b, text[a + 1:b] if re.fullmatch(r"![\w.]+", text[a:b]) else f"!({text[a:b]})"
    # The condition of a ternary expression begins after text that cannot be part of it.
    for match in re.compile(r"\s\? ").finditer(source.code, start, end):
        here = match.start()
        while here > start and source.code[here - 1] not in "([{,:\n" and not re.search(
                r"(?:[^=!<>]= |\b(?:return|in|throw) |\?\? )$", source.code[max(start, here - 8):here]):
            here -= 1
            if source.code[here] in ")]}":
                here = next((a for a, b in source.partners.items() if b == here), here)
        a, b = source.trimmed(here, match.start())
        if a < b:
            yield a, b, f"!({text[a:b]})"


def number(source, function, start, end):
    for match in NUMBER.finditer(source.code, start, end):
        line = source.code[source.code.rfind("\n", 0, match.start()) + 1:match.start()]
        if IDLE.search(line):
            continue
        old = match[0].replace("_", "")
        if "." in old:
            yield match.start(), match.end(), f"({match[0]} + 1)"
            continue
        value = int(old, 0) if old[:2] in ("0x", "0b", "0o") else int(old)
        form = hex if old.startswith("0x") else str
        yield match.start(), match.end(), form(value + 1)
        if value > 0:
            yield match.start(), match.end(), form(value - 1)


def boolean(source, function, start, end):
    for match in re.compile(r"(?<![\w.`])(?:true|false)\b").finditer(source.code, start, end):
        yield match.start(), match.end(), "false" if match[0] == "true" else "true"


def string(source, function, start, end):
    for match in re.compile(r'#*"(?:"")?s+(?:"")?"#*').finditer(source.code, start, end):
        line = source.code[source.code.rfind("\n", 0, match.start()) + 1:match.start()]
        if len(match[0]) > 2 and not IDLE.search(line) and not re.search(r"(?:StaticString|ascii:)\s*$", line):
            yield match.start(), match.end(), '""'


def arguments(source, function, start, end):
    """Swaps two adjacent arguments of the same kind."""
    text = source.text
    for match in re.compile(r"(?<=[\w>?!])\(").finditer(source.code, start, end):
        word = re.search(r"\w+$", source.code[:match.start()][-40:])
        if word and (word[0] in KEYWORDS or IDLE.fullmatch(word[0])):
            continue
        values = []
        for a, b in source.split(match.end(), source.partners.get(match.start(), match.end())):
            label = re.match(r"\w+:\s+", source.code[a:b])
            values.append((a + len(label[0]) if label else a, b))
        for (a, b), (c, d) in zip(values, values[1:]):
            one, two = text[a:b], text[c:d]
            if one != two and one and two and kind(one) == kind(two) and kind(one):
                yield a, d, two + text[b:c] + one


def kind(value):
    """Returns the kind of an argument, by its text. Values of the same kind often have the same type."""
    for name, pattern in (("string", r'".*"'), ("number", r"-?\d[\w.]*"), ("name", r"(?:self\.)?[a-z]\w*(?:\.\w+)*")):
        if re.fullmatch(pattern, value, re.S) and value not in ("nil", "true", "false"):
            return name
    return None
