# SPDX-License-Identifier: Apache-2.0
import pathlib
import re
import tempfile
import unittest

from mutation.random_faults import draw
from mutation.switches import faults_of_errors, with_switches

PATH = "Sources/M/A.swift"
TEXT = "func f(a: Int) -> Int {\n  guard a > 1 else { return 0 }\n  return g(a + 2)\n}\n"


class SwitchTests(unittest.TestCase):
    def setUp(self):
        self.faults = draw({PATH: TEXT.encode()}, 20, "1")
        self.text, self.switched = with_switches(TEXT, self.faults)

    def test_every_fault_stands_beside_what_it_replaces(self):
        self.assertEqual(self.switched, self.faults)
        for fault in self.faults:
            without_notes = re.sub(r" notePassed\(\d+\);", "", self.text)
            self.assertIn(TEXT[TEXT.index("{") + 1:fault.start] + fault.new, without_notes)

    def test_a_fault_in_a_block_notes_the_block(self):
        # Where it is active, too: another fault that is active at the same time may keep a test from it.
        self.assertIn("else { notePassed(", self.text)
        self.assertEqual(2 * self.text.count("isActiveInBlock("), self.text.count("notePassed("))

    def test_an_error_names_its_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, PATH)
            path.parent.mkdir(parents=True)
            path.write_text(self.text)
            fault = self.faults[1]
            line = self.text[:self.text.index(f"/*fault {fault.identifier}*/")].count("\n") + 2
            broken = faults_of_errors(f"{path}:{line}:1: error: x\n", self.faults, pathlib.Path(folder))
            self.assertEqual(broken, {fault})
            last = self.text.count("\n")
            broken = faults_of_errors(f"{path}:{last + 9}:1: error: x\n", self.faults, pathlib.Path(folder))
            self.assertEqual(broken, set(self.faults))


if __name__ == "__main__":
    unittest.main()
