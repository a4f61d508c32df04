# SPDX-License-Identifier: Apache-2.0
"""The small changes that random faults make to a function: each operator yields (start, end, new text)."""
import re

COMPARISONS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<")}
NUMBER = re.compile(r"(?<![\w.$])(?:0x[0-9A-Fa-f_]+|0b[01_]+|0o[0-7_]+|\d[\d_]*(?:\.\d[\d_]*)?)(?![\w.]*\w)")
# What these say is for the programmer, or decides on speed alone.
IDLE = re.compile(r"(?:reserveCapacity|precondition|preconditionFailure|assert|assertionFailure|fatalError|minimumCapacity)\b")
SIMPLE = re.compile(
    r"(?!(?:if|guard|for|while|repeat|switch|do|return|throw|let|var|func|defer|break|continue|fallthrough|struct|class|enum|"
    r"yield|precondition|assert|reserveCapacity|fatalError|typealias|case|default|nonisolated)\b)[\w(`.@]")
ASSIGNMENT = re.compile(r" (?:[-+*/%&|^]|<<|>>|&[-+*])?= ")
BINDING = re.compile(r"(?:let|var|case)\b|#")
KEYWORDS = {"if", "while", "guard", "switch", "return", "in", "for", "case", "where", "throw", "catch", "let", "var"}


def symbols(source, start, end, table):
    """Operators with spaces around them: a bracket of generic arguments has none."""
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


def clauses(source, at, end):
    """The clauses of an "if", "guard" or "while", and where its block begins."""
    code, here = source.code, at
    while here < end:
        if code[here] == "{" or (code.startswith("else", here) and not code[here - 1].isalnum()):
            return source.split(at, here), here
        # A block directly after a call, such as "contains { $0 > 1 }", is not written in a condition without parentheses.
        here = source.partners.get(here, here) + 1 if code[here] in "([" else here + 1
    return [], end


def conditions(source, start, end):
    for match in re.compile(r"(?<![\w.`])(if|guard|while)\s+").finditer(source.code, start, end):
        parts, block = clauses(source, match.end(), end)
        for part in parts:
            if part[0] < part[1] and not BINDING.match(source.code, part[0]):
                yield match, parts, part, block


def negation(source, function, start, end):
    text = source.text
    for _, _, (a, b), _ in conditions(source, start, end):
        yield a, b, text[a + 1:b] if re.fullmatch(r"![\w.]+", text[a:b]) else f"!({text[a:b]})"
    # The condition of a ternary expression begins after what cannot be in it.
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


def nothing(source, function, start, end):
    """nil for a value that may be: what an optional function returns, and what is assigned."""
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
    """Whether a variable of this name is declared so in the file."""
    return re.search(rf"\b(?:{words}) {name}\b{rest}", source.code, re.M) is not None


def removal(source, function, start, end):
    """A call or an assignment is left out."""
    only = source.trimmed(function.start, function.end)
    for a, b in source.statements(start, end):
        piece = source.code[a:b]
        if not SIMPLE.match(piece) or ((a, b) == only and not function.returns_nothing):
            continue
        first = re.match(r"(?:self\.)?(\w+) = ", piece)
        # A property that has no value yet must get one.
        if function.name == "init" and first and not declared(source, first[1], r"(?:: [^=\n{]*\?$|.* = )", "var"):
            continue
        if ASSIGNMENT.search(piece) or re.search(r"[)}]$|(?:\+|-)=", piece):
            yield a, b, ""
    for match in re.compile(r"(?<![\w.`])defer (?=\{)").finditer(source.code, start, end):
        yield match.start(), source.partners[match.end()] + 1, ""


def leaving(source, function, start, end):
    """An early return or a throw is left out."""
    code = source.code
    for match in re.compile(r"(?<![\w.`])(if|guard)\s+").finditer(code, start, end):
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


def arguments(source, function, start, end):
    """Two neighbouring arguments of one kind are swapped."""
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
    """What an argument looks like: values of one kind are often of one type."""
    for name, pattern in (("string", r'".*"'), ("number", r"-?\d[\w.]*"), ("name", r"(?:self\.)?[a-z]\w*(?:\.\w+)*")):
        if re.fullmatch(pattern, value, re.S) and value not in ("nil", "true", "false"):
            return name
    return None


def case(source, function, start, end):
    """A case does what its neighbour does."""
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


OPERATORS = {
    "boundary": boundary, "comparison": comparison, "and or": connective, "negation": negation, "number": number,
    "true false": boolean, "nil": nothing, "empty string": string, "removal": removal, "early exit": leaving,
    "swapped arguments": arguments, "neighbouring case": case,
}


def changes(source, function):
    """The changes that can be made to a function, by the name of their operator."""
    result = {}
    # No two equal values differ by it, and that is all that it promises.
    if function.name == "hash" and "into hasher" in function.head:
        return result
    for name, operator in OPERATORS.items():
        for start, end in source.own_ranges(function):
            for change in operator(source, function, start, end):
                a, b, new = change
                if start <= a <= b <= end and source.text[a:b] != new and not crosses(source, function, a, b):
                    found = result.setdefault(name, [])
                    if change not in found:
                        found.append(change)
    return result


def crosses(source, function, a, b):
    """Whether a change takes in a function of its own or conditional compilation."""
    return "#" in re.sub(r'#*"s*"#*', "", source.code[a:b]) and re.search(r"^\s*#", source.code[a:b], re.M) is not None or any(
        inner.start < b and inner.end > a for inner in source.functions
        if function.start < inner.start and inner.end <= function.end)
