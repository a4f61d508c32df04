# SPDX-License-Identifier: Apache-2.0
"""Swift source for random faults: functions with their names, statements, brackets and inactive regions."""
import re
from functools import cached_property

from checks.imports import holds

from .bodies import bodies, masked

DECLARATION = re.compile(
    r"(?<![.\w`])(?:func\s+(`?\w+`?|[^\s\w(<]+)|(init)\b(?=[?!]?[(<])|(deinit)\b|(subscript)\b|(?:var|let)\s+(\w+))")
CONDITION = re.compile(r"^[ \t]*#(if|elseif|else|endif)\b(.*)$", re.M)
# The start of a closure, which is not a function even after a name such as "set".
PARAMETERS = re.compile(r"\s*(?:\[[^\]\n]*\] )?\w+(?:, \w+)* in\b")
OPENING, CLOSING = {"(": ")", "[": "]", "{": "}"}, set(")]}")
# A line with such a start or end belongs to the statement of the adjacent line.
CONTINUES = re.compile(r"[.?:&|+*/<>=%^,)\]]|-[^\w]|else\b|catch\b|(?:as|is)\b|where\b|!=")
CONTINUED = re.compile(r"(?:[-.?:&|+*/<>=%^,(\[]|\b(?:return|throw|in|as|is|try|await|unsafe|case|else|throws))$")


class Function:
    """A body: its range, the name of the function or property, and the text of the preceding declaration."""

    def __init__(self, start, end, name, head):
        self.start, self.end, self.name, self.head = start, end, name, head

    @property
    def returns_optional(self):
        type_name = self.head.rpartition("->")[2] if "->" in self.head else self.head.rpartition(":")[2]
        return type_name.strip().endswith("?")

    @property
    def returns_nothing(self):
        return "->" not in self.head and ":" not in self.head.partition(")")[2] and "(" in self.head


class Source:
    def __init__(self, text):
        self.text = text
        # With the same length. A string becomes quotes around letters, which is neither code nor empty.
        self.code = masked(text, lambda piece: f'"{"s" * (len(piece) - 2)}"')

    @cached_property
    def partners(self):
        """The closing bracket of each bracket, by position."""
        result, open_brackets = {}, []
        for at, character in enumerate(self.code):
            if character in OPENING:
                open_brackets.append(at)
            elif character in CLOSING and open_brackets:
                result[open_brackets.pop()] = at
        return result

    @cached_property
    def functions(self):
        inactive, result = self.inactive_regions(), []
        for start, end in sorted(bodies(self.text)):
            if any(a <= start < b for a, b in inactive) or not self.code[start:end].strip():
                continue
            if PARAMETERS.match(self.code, start):
                continue
            heads = list(DECLARATION.finditer(self.code, max(0, start - 3000), start))
            if heads:
                name = next(group for group in heads[-1].groups() if group)
                brace = self.code.rfind("{", 0, start)
                result.append(Function(start, end, name, self.code[heads[-1].end():brace]))
        return result

    def own_ranges(self, function):
        """Returns the ranges of a body without nested functions and inactive conditional compilation."""
        holes = [(inner.start, inner.end) for inner in self.functions
                 if function.start < inner.start and inner.end <= function.end]
        holes += [(a, b) for a, b in self.inactive_regions() if function.start < a and b < function.end]
        result, at = [], function.start
        for a, b in sorted(holes):
            if a > at:
                result.append((at, a))
            at = max(at, b)
        return result + [(at, function.end)]

    def inactive_regions(self):
        """Returns the ranges that Linux does not compile."""
        if "#if" not in self.code:
            return []
        result, stack = [], []
        for match in CONDITION.finditer(self.code):
            word, condition = match.groups()
            if word == "if":
                stack.append([holds(condition), False, match.end()])
            elif stack:
                active, was_active, start = stack.pop()
                if not active or was_active:
                    result.append((start, match.start()))
                if word != "endif":
                    stack.append([holds(condition) if word == "elseif" else True, active or was_active, match.end()])
        return result

    def line(self, at):
        return self.text.count("\n", 0, at) + 1

    def statements(self, start, end):
        """Returns the ranges of the statements that begin at the start of a line or a block, including nested ones."""
        code, at = self.code, start
        while at < end:
            first = re.compile(r"\s*").match(code, at, end).end()
            if first >= end:
                return
            if self.begins_statement(first):
                last = self.end_of_statement(first, end)
                if last > first:
                    yield first, last
            # The next possible start: after a line end or a brace.
            following = re.compile(r"[\n{;]|\{ [^\n{}]*? in\b").search(code, first, end)
            if not following:
                return
            at = following.end()

    def begins_statement(self, at):
        code = self.code
        if CONTINUES.match(code, at) or code[at] in "}#" or re.compile(r"(?:case|default|let|var)\b").match(code, at):
            return False
        before = code[:at].rstrip()
        if before[-1:] in "{;}" or re.search(r"\{ [^\n{}]* in$", before[-200:]):
            return True
        line = before[before.rfind("\n") + 1:].strip()
        if re.match(r"(?:case\b.*|default):$", line):
            return True
        return not CONTINUED.search(line) and self.innermost(at) == "{"

    def innermost(self, at):
        """Returns the bracket around a position."""
        before = [a for a, b in self.partners.items() if a < at <= b]
        return self.code[max(before)] if before else "{"

    def end_of_statement(self, at, end):
        code, here = self.code, at
        while here < end:
            character = code[here]
            if character in OPENING:
                here = self.partners.get(here, end) + 1
                continue
            if character in CLOSING or character == ";":
                break
            if character == "\n":
                following = re.compile(r"\s*").match(code, here).end()
                if not CONTINUED.search(code[at:here].rstrip()) and not CONTINUES.match(code, following):
                    break
            here += 1
        return at + len(code[at:min(here, end)].rstrip())

    def split(self, start, end, separator=","):
        """Returns the ranges between the separators outside brackets."""
        parts, at, first = [], start, start
        while at < end:
            if self.code[at] in OPENING:
                at = self.partners.get(at, end)
            elif self.code[at] == separator:
                parts.append((first, at))
                first = at + 1
            at += 1
        return [self.trimmed(a, b) for a, b in parts + [(first, end)]]

    def trimmed(self, start, end):
        piece = self.code[start:end]
        return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
