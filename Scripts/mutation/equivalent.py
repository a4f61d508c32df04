# SPDX-License-Identifier: Apache-2.0
"""The faults without an observable effect, by a reader's judgement, each with the reason.

Tests/Faults/Equivalent.txt identifies them by their text, not by the line, so other changes do not affect them:

  file: Sources/HexColor/HexDigits.swift
  function: trim
  - while start < end, isWhitespace(text[start]) { start += 1 }
  + while start <= end, isWhitespace(text[start]) { start += 1 }
  reason: the byte after the last one is never whitespace

"-" and "+" mark the lines without and with the fault. "nth: 2" names the second place with the same lines in the function.
"""
import sys

from .package import ROOT

FILE = ROOT / "Tests" / "Faults" / "Equivalent.txt"


def read(text):
    """Returns the reason of each fault, by its key."""
    result, entry = {}, {}
    for line in text.splitlines():
        name, _, value = line.partition(": ")
        if name == "file":
            entry = {"file": value}
        elif name == "function":
            entry = {"file": entry.get("file"), "function": value}
        elif name == "nth":
            entry["nth"] = int(value)
        elif name == "reason":
            key = [without_indentation("\n".join(entry.get(sign, []))) for sign in "-+"]
            result[entry.get("file"), entry.get("function"), *key, entry.get("nth", 1)] = value
            entry = {"file": entry.get("file"), "function": entry.get("function")}
        elif line[:1] in ("-", "+"):
            entry.setdefault(line[0], []).append(line[1:])
        elif line and not line.startswith("#"):
            sys.exit(f"{FILE}: this line is invalid: {line}")
    return result


def reasons(faults):
    """Returns the reason of each listed fault."""
    listed = read(FILE.read_text()) if FILE.is_file() else {}
    return {fault: listed[key] for fault in faults if (key := normal(fault)) in listed}


def outdated():
    """Returns the keys of the file whose lines are no longer in the sources."""
    result = []
    for key in read(FILE.read_text()) if FILE.is_file() else ():
        path = ROOT / key[0]
        if not path.is_file() or key[2] not in without_indentation(path.read_text()):
            result.append(key)
    return result


def without_indentation(text):
    return "\n".join(line.strip() for line in text.split("\n")).strip()


def normal(fault):
    path, function, before, after, nth = fault.key
    return path, function, without_indentation(before), without_indentation(after), nth


def entry(fault):
    """Returns a fault in the format of the file, without the reason."""
    path, function, before, after, nth = fault.key
    lines = [f"file: {path}", f"function: {function}"]
    lines += [f"- {line.strip()}" for line in before.split("\n")] + [f"+ {line.strip()}" for line in after.split("\n")]
    return "\n".join(lines + ([f"nth: {nth}"] if nth > 1 else []))
