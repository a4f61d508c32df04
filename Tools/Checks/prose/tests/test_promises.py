# SPDX-License-Identifier: Apache-2.0
import unittest

from prose.promises import unproven

TEST = '[test](Tests/A/B.swift "c")'


def found(column, cell):
    return unproven(f"| A | {column} |\n|---|---|\n| threat | {cell} |\n\n| A | Version |\n|---|---|\n| b | 1 |\n")


class PromiseTests(unittest.TestCase):
    def test_each_promise_names_its_test(self):
        self.assertEqual(found("Protection", f"a {TEST}; b"), ["threat: b"])
        self.assertEqual(found("Protection", f"a {TEST}; b [checked](Tools/C)"), [])
        self.assertEqual(found("Protection", "a [test](Tests/A/B.swift)"), ["threat: a [test](Tests/A/B.swift)"])

    def test_only_what_almanac_supports_has_a_test(self):
        for cell, promises in (("yes", 1), ("no", 0), ("no: not yet", 0), ("none", 1), (TEST.replace("(T", "(../T"), 0)):
            self.assertEqual(len(found("Almanac", cell)), promises, cell)
