# SPDX-License-Identifier: Apache-2.0
"""The faults of security.txt.

  file: Sources/OAuthJOSE/Keys/JWK.swift
  fault: a public JWK keeps d
  - ["d", "p", "q", "dp",
  + ["p", "q", "dp",

"file:" applies until the next one. The lines after "-" are the old text, which must occur in the file exactly once; those after "+"
replace it. An empty "+" removes it. Lines that begin with "#" are comments.
"""
import os
import pathlib
import sys

from .fault import Fault

LIST = pathlib.Path(__file__).parent.parent / "security.txt"


def faults(package, text=None):
    """Returns the faults of the list, and ends the program if one of them does not fit the sources."""
    result, problems = [], []
    for path, title, old, new in entries(LIST.read_text() if text is None else text):
        source = package.get(path, b"").decode()
        if not old or source.count(old) != 1:
            problems.append(f"{path}: {title}: the old text occurs {source.count(old) if old else 0} times")
            continue
        prefix = len(os.path.commonprefix([old, new]))
        suffix = len(os.path.commonprefix([old[prefix:][::-1], new[prefix:][::-1]]))
        start = source.index(old)
        change = start + prefix, start + len(old) - suffix, new[prefix:len(new) - suffix]
        result.append(Fault(path, source, change, title))
    if problems:
        sys.exit("\n".join(problems) + f"\nCorrect {LIST.name}.")
    return result


def entries(text):
    """Returns the path, the title, the old and the new text of each fault."""
    result, path = [], None
    for line in text.splitlines():
        key, _, value = line.partition(": ")
        if key == "file":
            path = value
        elif key == "fault":
            result.append((path, value, [], []))
        elif line[:1] in ("-", "+"):
            result[-1][2 if line[0] == "-" else 3].append(line[2:])
        elif line and not line.startswith("#"):
            sys.exit(f"{LIST.name}: this line is invalid: {line}")
    return [(path, title, "\n".join(old), "\n".join(new)) for path, title, old, new in result]
