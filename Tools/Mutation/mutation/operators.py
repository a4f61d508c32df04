# SPDX-License-Identifier: Apache-2.0
"""The operators of random faults, and their changes of a function."""
import re

from . import expression_operators as expression
from . import statement_operators as statement

OPERATORS = {
    "boundary": expression.boundary,
    "comparison": expression.comparison,
    "and or": expression.connective,
    "negation": expression.negation,
    "number": expression.number,
    "true false": expression.boolean,
    "nil": statement.nothing,
    "empty string": expression.string,
    "removal": statement.removal,
    "early exit": statement.leaving,
    "swapped arguments": expression.arguments,
    "neighbouring case": statement.case,
}


def changes(source, function):
    """Returns the possible changes of a function, by the name of their operator."""
    result = {}
    # Equal values need equal hashes, but different values need not differ.
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
    """Returns whether a change contains a nested function or conditional compilation."""
    return re.search(r"^\s*#", source.code[a:b], re.M) is not None or any(
        inner.start < b and inner.end > a for inner in source.functions
        if function.start < inner.start and inner.end <= function.end)
