# SPDX-License-Identifier: Apache-2.0
"""The clauses of conditions."""
import re

BINDING = re.compile(r"(?:let|var|case)\b|#")


def clauses(source, at, end):
    """Yields the clauses of an "if", "guard" or "while", and the start of its block."""
    code, here = source.code, at
    while here < end:
        if code[here] == "{" or (code.startswith("else", here) and not code[here - 1].isalnum()):
            return source.split(at, here), here
        # In a condition, a trailing closure such as "contains { $0 > 1 }" needs parentheses.
        here = source.partners.get(here, here) + 1 if code[here] in "([" else here + 1
    return [], end


def conditions(source, start, end):
    for match in re.compile(r"(?<![\w.`#])(if|guard|while)\s+").finditer(source.code, start, end):
        parts, block = clauses(source, match.end(), end)
        for part in parts:
            if part[0] < part[1] and not BINDING.match(source.code, part[0]):
                yield match, parts, part, block
