# SPDX-License-Identifier: Apache-2.0
"""A fault: a change of one place in a source."""
import difflib
import zlib


class Fault:
    """The path, the change as its start, its end and the new text, and the whole lines without and with it."""

    def __init__(self, path, text, change, title):
        self.path, self.module, self.title = path, path.split("/")[1], title
        self.start, self.end, self.new = change
        first = text.rfind("\n", 0, self.start) + 1
        last = text.find("\n", self.end)
        last = len(text) if last < 0 else last
        self.line = text.count("\n", 0, self.start) + 1
        self.before = text[first:last]
        self.after = text[first:self.start] + self.new + text[self.end:last]
        self.identifier = zlib.crc32(repr((path, change)).encode())

    def __str__(self):
        return f"{self.path}:{self.line} {self.title}"

    def difference(self):
        """Returns the different lines, each with a minus or a plus."""
        before, after = self.before.split("\n"), self.after.split("\n")
        lines = [line for line in difflib.ndiff(before, after) if line[0] in "-+" and line[1:].strip()]
        return lines if len(lines) <= 12 else lines[:11] + [f"  … {len(lines) - 11} more lines"]
