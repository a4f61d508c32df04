# SPDX-License-Identifier: Apache-2.0
import pathlib
import tempfile
import unittest
from types import SimpleNamespace

from mutation.random_faults import draw
from mutation.reach import Reach, read_passed, seconds_of

OWN, OTHER, THIRD = "MTests.S/f()/F.swift:1:2", "NTests.S/f()/F.swift:1:2", "MTests.S/g()/F.swift:4:2"
SWIFT = {"Sources/M/A.swift": b"func f(a: Int) -> Int {\n  guard a > 1 else { return 0 }\n  return g(a + 2)\n}\n"}


class ReachTests(unittest.TestCase):
    def setUp(self):
        [self.drawn] = draw(SWIFT, 1, "1")

    def order(self, fault, passed, seconds, failing=()):
        return Reach({fault.identifier: passed}, seconds, 0.5, failing).tests_of(fault)

    def test_cheap_tests_come_first_and_those_of_other_modules_later(self):
        self.assertEqual(self.order(self.drawn, [OWN, OTHER, THIRD], {OWN: 2, OTHER: 1, THIRD: 4}), [OWN, OTHER, THIRD])
        self.assertEqual(self.order(self.drawn, [OWN, OTHER], {OWN: 9, OTHER: 1}), [OTHER, OWN])

    def test_all_own_tests_may_come_to_a_place_outside_of_tests(self):
        self.assertEqual(self.order(self.drawn, ["?"], {OWN: 1, OTHER: 1, THIRD: 2}), [OWN, THIRD])

    def test_tests_that_fail_without_a_fault_are_not_used(self):
        self.assertEqual(self.order(self.drawn, [OWN, THIRD], {OWN: 1, THIRD: 1}, [OWN]), [THIRD])


class RecordTests(unittest.TestCase):
    def test_notes_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "passed.txt")
            path.write_text(f"begin 10.5\t{OWN}\n7\t{OWN}\n7\t?\n8\t{THIRD}\n")
            self.assertEqual(read_passed(path), {7: {OWN, "?"}, 8: {THIRD}})
            run = SimpleNamespace(tests=[OWN, OTHER, THIRD], ends={OWN: 12.0, OTHER: 30.0, THIRD: 20.0}, cases={THIRD: 0.25})
            seconds = seconds_of(run, path)
        # The wait for others does not count: by the first note, or by the cases.
        self.assertEqual((seconds[OWN], seconds[THIRD]), (1.5, 0.25))


if __name__ == "__main__":
    unittest.main()
