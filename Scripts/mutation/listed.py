# SPDX-License-Identifier: Apache-2.0
"""The deliberate faults of Tests/Faults."""
import os
import re
import sys
import zlib

from . import equivalent
from .package import ROOT


class Fault:
    # It is tried only with the tests that the list names.
    takes_others = False

    def __init__(self, module, number, title, path, tests, script=None):
        self.module, self.number, self.title, self.path = module, number, title, path
        # The filter of the tests, and the script that runs them, or None.
        self.tests, self.script = tests, script
        # The number in the code does not depend on other faults of the list.
        self.identifier = zlib.crc32(f"{module}: {title}".encode())
        self.old, self.new = [], []

    def __str__(self):
        return f"{self.module} {self.number}: {self.title}"

    @property
    def place(self):
        return self.path

    def owns(self, test):
        """Returns whether the list names a test."""
        return re.search(self.tests, test) is not None

    def change(self, text):
        """Returns the range of the replaced text, and its replacement."""
        old, new = "\n".join(self.old), "\n".join(self.new)
        start = text.index(old)
        prefix = len(os.path.commonprefix([old, new]))
        suffix = len(os.path.commonprefix([old[prefix:][::-1], new[prefix:][::-1]]))
        return start + prefix, start + len(old) - suffix, new[prefix:len(new) - suffix]

    def problem(self):
        """Returns the reason why the fault cannot be inserted, or None."""
        path = ROOT / self.path
        if not path.is_file():
            return f"{self.path} does not exist"
        old, new = "\n".join(self.old), "\n".join(self.new)
        if not old or old == new:
            return "the old text is empty or the same as the new one"
        count = path.read_text().count(old)
        return None if count == 1 else f"the old text occurs {count} times in {self.path}"


def read_faults():
    faults = []
    for file in sorted((ROOT / "Tests" / "Faults").glob("*.txt")):
        if file == equivalent.FILE:
            continue
        path = tests = script = None
        for line in file.read_text().splitlines():
            key, _, value = line.partition(": ")
            if key == "file":
                path = value
            elif key == "tests":
                tests, script = value, None
            elif key == "with":
                script = value
            elif key == "fault":
                faults.append(Fault(file.stem, sum(f.module == file.stem for f in faults) + 1, value, path, tests, script))
            elif line.startswith("-"):
                faults[-1].old.append(line[2:])
            elif line.startswith("+"):
                faults[-1].new.append(line[2:])
            elif line and not line.startswith("#"):
                sys.exit(f"{file}: this line is invalid: {line}")
    titles = [(fault.module, fault.title) for fault in faults]
    for twice in {title for title in titles if titles.count(title) > 1}:
        sys.exit(f"{twice[0]} has two faults with the title: {twice[1]}")
    return faults


def chosen(faults, only):
    """Returns the faults that --only names: MODULE, MODULE:NUMBER or MODULE:FIRST-LAST."""
    if not only:
        return faults
    result = []
    for name in only:
        module, _, numbers = name.partition(":")
        first, _, last = numbers.partition("-")
        found = [fault for fault in faults if fault.module == module and (
            not numbers or int(first) <= fault.number <= int(last or first))]
        if not found:
            sys.exit(f"No fault matches: {name}")
        result += found
    return result


def check(faults):
    """Ends the program if one of the faults cannot be inserted."""
    unusable = [(fault, fault.problem()) for fault in faults if fault.problem()]
    for fault, problem in unusable:
        print(f"{fault}: {problem}", file=sys.stderr)
    if unusable:
        sys.exit(2)
