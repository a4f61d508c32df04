# SPDX-License-Identifier: Apache-2.0
"""Small changes of statements: each operator yields (start, end, new text)."""
import re

from .conditions import BINDING, clauses

SIMPLE = re.compile(
    r"(?!(?:if|guard|for|while|repeat|switch|do|return|throw|let|var|func|defer|break|continue|fallthrough|struct|class|enum|"
    r"yield|precondition|assert|reserveCapacity|fatalError|typealias|case|default|nonisolated)\b)[\w(`.@]")
ASSIGNMENT = re.compile(r" (?:[-+*/%&|^]|<<|>>|&[-+*])?= ")


def nothing(source, function, start, end):
    """Replaces optional return values and assigned values with nil."""
    for a, b in source.statements(start, end):
        piece = source.code[a:b]
        if piece.startswith("return ") and function.returns_optional and piece != "return nil":
            yield a + len("return "), b, "nil"
        elif SIMPLE.match(piece) and (match := re.match(r"(?:[\w?]+\.)*(\w+) = (?!nil$)", piece)):
            if declared(source, match[1], r": [^=\n{]*\?(?= =| \{|$)"):
                yield a + match.end(), b, "nil"
    a, b = source.trimmed(function.start, function.end)
    if function.returns_optional and list(source.statements(start, end))[:1] == [(a, b)]:
        if not re.match(r"(?:return|if|switch|nil)\b", source.code[a:b]):
            yield a, b, "nil"


def declared(source, name, rest, words="let|var"):
    """Returns whether the file declares a variable of this name with these words."""
    return re.search(rf"\b(?:{words}) {name}\b{rest}", source.code, re.M) is not None


def removal(source, function, start, end):
    """Removes a call or an assignment."""
    only = source.trimmed(function.start, function.end)
    for a, b in source.statements(start, end):
        piece = source.code[a:b]
        if not SIMPLE.match(piece) or ((a, b) == only and not function.returns_nothing):
            continue
        first = re.match(r"(?:self\.)?(\w+) = ", piece)
        # A property without a value must be initialized.
        if function.name == "init" and first and not declared(source, first[1], r"(?:: [^=\n{]*\?$|.* = )", "var"):
            continue
        if ASSIGNMENT.search(piece) or re.search(r"[)}]$|(?:\+|-)=", piece):
            yield a, b, ""
    for match in re.compile(r"(?<![\w.`])defer (?=\{)").finditer(source.code, start, end):
        yield match.start(), source.partners[match.end()] + 1, ""


def leaving(source, function, start, end):
    """Removes an early return or a throw."""
    code = source.code
    for match in re.compile(r"(?<![\w.`#])(if|guard)\s+").finditer(code, start, end):
        parts, block = clauses(source, match.end(), end)
        if not parts or block >= end:
            continue
        brace = code.find("{", block)
        last = source.partners.get(brace, end)
        if not re.search(r"\b(?:return|throw|continue|break)\b[^\n]*\s*$", code[brace:last]):
            continue
        if match[1] == "if":
            before = code[:match.start()].rstrip()
            if not re.match(r"\s*else\b", code[last + 1:last + 40]) and not before.endswith(("else", "=", "return")):
                yield match.start(), last + 1, ""
        elif not any(re.match(r"(?:let|var|case)\b", code[a:b]) for a, b in parts):
            yield match.start(), last + 1, ""
        else:
            for index, (a, b) in enumerate(parts):
                if not BINDING.match(code, a) and index:
                    yield parts[index - 1][1], b, ""


def case(source, function, start, end):
    """Replaces the body of a case with that of the adjacent case."""
    code, text = source.code, source.text
    for match in re.compile(r"(?<![\w.`])switch\s[^\n{]*(?=\{)").finditer(code, start, end):
        first, last = match.end() + 1, source.partners.get(match.end(), end)
        labels, here = [], first
        while here < last:
            if code[here] in "([{":
                here = source.partners.get(here, last)
            elif word := re.compile(r"(?<![\w.`])(?:case\b|default(?=:))").match(code, here):
                colon = here
                while colon < last and code[colon] != ":":
                    colon = source.partners.get(colon, colon) + 1 if code[colon] in "([{" else colon + 1
                labels.append((here, colon + 1))
                here = colon
            here += 1
        blocks = [source.trimmed(label[1], following[0])
                  for label, following in zip(labels, labels[1:] + [(last, last)])]
        for (a, b), (c, d) in zip(blocks, blocks[1:] + blocks[:1]):
            if text[a:b] != text[c:d]:
                yield a, b, text[c:d]
