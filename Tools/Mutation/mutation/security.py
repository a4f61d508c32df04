# SPDX-License-Identifier: Apache-2.0
"""The faults of security.toml."""
import os
import pathlib
import sys
import tomllib

from .fault import Fault

LIST = pathlib.Path(__file__).parent.parent / "security.toml"


def faults(package):
    """Returns the faults of the list, and ends the program if one of them does not fit the sources."""
    result, problems = [], []
    for path, changes in tomllib.loads(LIST.read_text()).items():
        source = package.get(path, b"").decode()
        for title, (old, new) in changes.items():
            if source.count(old) != 1:
                problems.append(f"{path}: {title}: the old text occurs {source.count(old)} times")
                continue
            prefix = len(os.path.commonprefix([old, new]))
            suffix = len(os.path.commonprefix([old[prefix:][::-1], new[prefix:][::-1]]))
            start = source.index(old)
            result.append(Fault(path, source, (start + prefix, start + len(old) - suffix, new[prefix:len(new) - suffix]), title))
    if problems:
        sys.exit("\n".join(problems) + f"\nCorrect {LIST.name}.")
    return result
