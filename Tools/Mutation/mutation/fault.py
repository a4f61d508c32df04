# SPDX-License-Identifier: Apache-2.0
"""A fault: a change of one place in a source."""
import difflib
import re
import zlib


class Fault:
    """The path, the change as its start, its end and the new text, and the whole lines without and with it.

    `function` is the function of a random fault. Faults with the same `place` exclude each other.
    """

    def __init__(self, path, text, change, title, function=None):
        self.path, self.module, self.title = path, path.split("/")[1], title
        self.place = (path, function.name) if function else path
        self.start, self.end, self.new = change
        first = text.rfind("\n", 0, self.start) + 1
        last = text.find("\n", self.end)
        last = len(text) if last < 0 else last
        self.line = text.count("\n", 0, self.start) + 1
        self.before = text[first:last]
        self.after = text[first:self.start] + self.new + text[self.end:last]
        # The number of the fault among those with the same lines in the function.
        lines = re.compile(rf"^{re.escape(self.before)}$", re.M)
        begin, end = (function.start, function.end) if function else (0, len(text))
        nth = sum(1 for match in lines.finditer(text, begin, end) if match.start() < first) + 1
        # It does not depend on line numbers.
        key = self.place, self.before.strip(), self.after.strip(), nth
        self.identifier = zlib.crc32("\0".join(map(str, key)).encode())

    def __str__(self):
        return f"{self.path}:{self.line} {self.title}"

    def owns(self, test):
        """Returns whether a test belongs to the module."""
        return test.startswith(f"{self.module}Tests.")

    def change(self):
        """Returns the range of the replaced text, and its replacement."""
        return self.start, self.end, self.new

    def difference(self):
        """Returns the different lines, each with a minus or a plus."""
        before, after = self.before.split("\n"), self.after.split("\n")
        lines = [line for line in difflib.ndiff(before, after) if line[0] in "-+" and line[1:].strip()]
        return lines if len(lines) <= 12 else lines[:11] + [f"  … {len(lines) - 11} more lines"]
