# SPDX-License-Identifier: Apache-2.0
"""The declarations of a Swift file: types, extensions, public symbols, initialisers and functions."""
import re
from functools import cached_property

from mutation.source import Source

TYPE = re.compile(r"(?<!import )(?<![.\w`])(struct|class|enum|protocol|actor|extension)\s+(`?\w[\w.]*`?)([^{}\n]*(?:\n[^{}]*?)?)\{")
# The words before a declaration's keyword, then the keyword.
PUBLIC = re.compile(
    r"(?<![.\w`])(?:public|open)\s+(?:(?!extension\b|import\b)[a-z]\w*(?:\([^)\n]*\))?\s+)*?"
    r"(struct|class|enum|protocol|actor|func|init|subscript|var|let|typealias|associatedtype|macro)\b(?!\s+(?:func|var|let|subscript)\b)")
REQUIREMENT = re.compile(r"(?<![.\w`])(func|init|subscript|var|associatedtype)\b")
CASE = re.compile(r"^\s*(?:indirect\s+)?case\s+", re.M)
ALIAS = re.compile(r"(?<![.\w`])typealias\s+(\w+)")
INITIALISER = re.compile(r"(?<![.\w`])init\b[?!]?\s*(?:<[^<>()]*>)?\s*\(")
SUMMARY = re.compile(r"^[ \t]*///[ \t]?(.*)$")


class Type:
    """A type or an extension: its kind, its name, whether it is public, and the range of its body."""

    def __init__(self, kind, name, is_public, start, end):
        self.kind, self.name, self.is_public, self.start, self.end = kind, name, is_public, start, end


class SwiftFile(Source):
    """A file with its declarations for all platforms."""

    def inactive_regions(self):
        return []

    @cached_property
    def lines(self):
        return len(self.text.splitlines())

    @property
    def type_names(self):
        """The names of the types and type aliases."""
        return [type.name for type in self.types if type.kind != "extension"] + ALIAS.findall(self.code)

    @cached_property
    def types(self):
        """The types and extensions. `class` before a member's keyword does not declare a type."""
        found = []
        for match in TYPE.finditer(self.code):
            kind, name, _ = match.groups()
            if kind == "class" and name in ("func", "var", "let", "subscript"):
                continue
            brace = match.end() - 1
            end = self.partners.get(brace, len(self.code))
            found.append(Type(kind, name.strip("`"), self.is_public(match.start()), brace + 1, end))
        return found

    def members(self, type):
        """Returns the body of a type, with spaces in place of nested brackets' contents."""
        text, at = list(self.code[type.start:type.end]), type.start
        while at < type.end:
            if self.code[at] in "([{":
                end = min(self.partners.get(at, type.end), type.end)
                for inside in range(at + 1, end):
                    if text[inside - type.start] != "\n":
                        text[inside - type.start] = " "
                at = end
            at += 1
        return "".join(text)

    @property
    def public_symbols(self):
        """The number of public declarations, with the requirements of public protocols and the cases of public enumerations."""
        number = sum(1 for _ in PUBLIC.finditer(self.code))
        for type in self.types:
            if type.is_public and type.kind == "protocol":
                number += sum(1 for _ in REQUIREMENT.finditer(self.members(type)))
            if type.is_public and type.kind == "enum":
                members = self.members(type)
                for match in CASE.finditer(members):
                    number += self.names_of_case(members, match.end())
        return number

    def names_of_case(self, members, at):
        """Returns the number of names of a case, which can continue in the next line after a comma."""
        end = re.compile(r"(?<![,\s])[ \t]*(?:\n|;|$)").search(members, at)
        return members.count(",", at, end.start() if end else len(members)) + 1

    @property
    def initialisers(self):
        """Yields for each initialiser whether it is public, and the number of its parameters."""
        for match in INITIALISER.finditer(self.code):
            start, end = match.end(), self.partners.get(match.end() - 1, match.end())
            # The list can end with a comma.
            parameters = [(a, b) for a, b in self.split(start, end) if a < b]
            yield self.is_public(match.start()), len(parameters)

    def is_public(self, at):
        """Returns whether the declaration at a position is public, by the words before it in its line."""
        return re.search(r"\b(?:public|open)\b", self.code[self.code.rfind("\n", 0, at) + 1:at]) is not None

    @property
    def longest_function(self):
        """The number of lines of the longest function, accessor or closure outside of one, and the name of its declaration."""
        return max(((self.lines_of(function), function.name) for function in self.functions), default=(0, ""))

    def lines_of(self, function):
        """Returns the number of lines of a function with its signature, or of an accessor or a closure from its brace."""
        brace = self.code.rfind("{", 0, function.start)
        # The text between the name and the brace.
        has_signature = re.match(r"[?!]?\s*[(<]", function.head) and not re.search(r"[{}]", function.head)
        first = brace - len(function.head) if has_signature else brace
        return self.line(function.end) - self.line(first) + 1

    @property
    def summaries(self):
        """The first lines of the documentation comments."""
        before = None
        for line in self.text.splitlines():
            comment = SUMMARY.match(line)
            if comment and not before:
                yield comment[1]
            before = comment
