# SPDX-License-Identifier: Apache-2.0
import re
import unittest

from mutation import security
from mutation.random_faults import draw, of_seeds, shares
from mutation.runs import filter_of, name_of

TESTS = ["T.S/f()/F.swift:1:2", "T.S/g(a:)/F.swift:3:2", "T.S/Inner/h()/F.swift:5:2", "T.free()/F.swift:7:2", "U.S/f()/F.swift:1:2"]
SWIFT = {"Sources/M/A.swift": b"func f(a: Int) -> Int {\n  guard a > 1 else { return 0 }\n  return g(a + 2)\n}\n"}


class FilterTests(unittest.TestCase):
    def test_a_filter_selects_its_tests_alone(self):
        for chosen in (TESTS[:1], TESTS[:2], TESTS[1:4], TESTS[4:], TESTS):
            pattern = filter_of(chosen, TESTS)
            self.assertEqual([test for test in TESTS if re.search(pattern, test)], chosen)

    def test_a_test_is_called_by_suite_and_function(self):
        self.assertEqual(name_of(TESTS[2]), "T/S/Inner/h()")


class DrawTests(unittest.TestCase):
    def test_the_same_seed_draws_the_same_faults(self):
        one, other, third = ([fault.identifier for fault in draw(SWIFT, 5, seed)] for seed in ("1", "1", "2"))
        self.assertEqual(one, other)
        self.assertNotEqual(one, third)
        self.assertEqual(len(set(one)), 5)

    def test_only_changed_functions_are_drawn(self):
        self.assertEqual(draw(SWIFT, 5, "1", changed={"Sources/M/B.swift": {1}}), [])
        self.assertTrue(draw(SWIFT, 5, "1", changed={"Sources/M/A.swift": {3}}))

    def test_a_fault_of_two_seeds_is_one(self):
        everything = of_seeds(SWIFT, 5, ["1", "2", "3"])
        self.assertEqual(len(everything), len({fault.identifier for fault in everything}))
        self.assertIn(len(everything), range(5, 15))

    def test_a_large_module_does_not_take_all(self):
        self.assertEqual(shares({"A": 100, "B": 10000}, 20), {"A": 6, "B": 14})


class SecurityTests(unittest.TestCase):
    LIST = "file: Sources/M/A.swift\nfault: nothing is added\n-   return g(a + 2)\n+   return g(a)\n"

    def test_an_entry_is_a_change_of_its_file(self):
        [fault] = security.faults(SWIFT, self.LIST)
        self.assertEqual(fault.difference(), ["-   return g(a + 2)", "+   return g(a)"])
        self.assertEqual((fault.module, fault.line, fault.change()[2]), ("M", 3, ""))

    def test_an_entry_that_fits_no_place_ends_the_program(self):
        for text in (self.LIST.replace("+ 2", "+ 3"), self.LIST.replace("-   return g(a + 2)", "- a")):
            with self.assertRaises(SystemExit):
                security.faults(SWIFT, text)


if __name__ == "__main__":
    unittest.main()
