# SPDX-License-Identifier: Apache-2.0
"""The imports of a Swift file."""
import re

# The modules that `canImport` finds on Linux, of those that conditions name. Musl depends on the SDK.
LINUX = {"FoundationEssentials", "FoundationNetworking", "Glibc"}

IMPORT = re.compile(r"\s*(?:@\w+ )*(?:\w+ )?import (?:(?:struct|enum|class|protocol|func|let|var|typealias) )?(\w+)")


def imports_on_any_platform(text):
    """Returns the modules that a file imports, on whatever platform."""
    return {found[1] for found in map(IMPORT.match, text.splitlines()) if found}


def holds(condition):
    """Returns whether a condition of `#if` is true on Linux, or None if that depends on more than the platform."""
    values = {"canImport": lambda name: name in LINUX, "os": lambda name: name == "Linux"}
    text = re.sub(
        r"(canImport|os)\((?!Musl\b)(\w+)\)", lambda found: str(values[found[1]](found[2])), condition.split("//")[0])
    text = text.replace("&&", " and ").replace("||", " or ").replace("!", " not ")
    if re.sub(r"\b(True|False|and|or|not)\b|[\s()]", "", text):
        return None
    return eval(text.strip(), {"__builtins__": {}})


def imports_on_linux(text):
    """Returns the line number and module of each import that may be compiled on Linux."""
    found = []
    # For each open `#if`: whether the current branch may be compiled, and whether a later one may be.
    branches = []
    for number, line in enumerate(text.splitlines(), 1):
        directive = re.match(r"\s*#(if|elseif|else|endif)\b(.*)", line)
        if directive:
            word, condition = directive[1], holds(directive[2]) if directive[1] in ("if", "elseif") else True
            open_ = True if word == "if" else branches.pop()[1]
            if word != "endif":
                branches.append((open_ and condition is not False, open_ and condition is not True))
        elif all(compiled for compiled, _ in branches):
            module = IMPORT.match(line)
            if module:
                found.append((number, module[1]))
    return found
