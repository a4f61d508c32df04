# SPDX-License-Identifier: Apache-2.0
import unittest

from unittest import mock

from mutation import equivalent, report
from mutation.scores import list_text
from mutation.trials import DETECTED, SURVIVED

OLD = """
| Module | detected | faults | date |
|---|--:|--:|---|
| A | 1 | 3 | 2026-01-01 |
| B | 4 | 5 | 2026-01-01 |
| all | 5 | 8 | 62.5 % |

Not detected:

- `A`: one
- `A`: two
- `B`: other
"""


class Fault:
    def __init__(self, module, title):
        self.module, self.title = module, title


class ListTests(unittest.TestCase):
    everything = [Fault("A", "one"), Fault("A", "two"), Fault("B", "other"), Fault("B", "another")]

    def test_a_module_that_was_tried_as_a_whole_has_a_new_row(self):
        outcomes = {self.everything[0]: (DETECTED, ""), self.everything[1]: (SURVIVED, "")}
        text = list_text(OLD, self.everything, outcomes, "2026-02-02")
        self.assertIn("| A | 1 | 2 | 2026-02-02 |\n| B | 4 | 5 | 2026-01-01 |\n| all | 5 | 7 | 71.4 % |", text)
        self.assertEqual([line for line in text.split("\n") if line.startswith("- ")], ["- `A`: two", "- `B`: other"])

    def test_a_module_that_was_tried_in_part_keeps_its_row(self):
        outcomes = {self.everything[2]: (DETECTED, "")}
        self.assertEqual(list_text(OLD, self.everything, outcomes, "2026-02-02"), OLD.strip())

    def test_a_text_that_was_written_is_read_again(self):
        outcomes = {fault: (SURVIVED, "") for fault in self.everything}
        text = list_text("", self.everything, outcomes, "2026-02-02")
        self.assertEqual(list_text(text, self.everything, {}, "2026-03-03"), text)


class SampleTests(unittest.TestCase):
    def test_each_seed_has_a_score_without_its_equivalent_faults(self):
        one, two, three, four = (Fault("A", str(number)) for number in range(4))
        outcomes = {one: (DETECTED, ""), two: (SURVIVED, ""), three: (SURVIVED, "")}
        with mock.patch.object(equivalent, "reasons", lambda faults: {three: "equal"} if three in faults else {}):
            text = report.summary(outcomes, [four], {"1": [one, three, four], "2": [one, two]}, "abc")
        self.assertIn("seeds 1, 2,", text)
        self.assertIn("- Seed 1: 1 of 1 detected, 100.0 %; 1 equivalent\n- Seed 2: 1 of 2 detected, 50.0 %; 0 equivalent", text)
        self.assertIn("| all | 1 | 1 | 50.0 | 1 | 1 |", text)


if __name__ == "__main__":
    unittest.main()
