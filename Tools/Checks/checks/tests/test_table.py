# SPDX-License-Identifier: Apache-2.0
import os
import re
import subprocess
import unittest

from checks.manifest import ROOT
from checks.table import ALONE, BESIDE, CHANGED, CHECKS, GATE, IN_TURN, NIGHTLY, QUICK, as_text, gate, nightly, quick


class TableTests(unittest.TestCase):
    def test_every_check_is_there_once(self):
        for values in ([check.name for check in CHECKS], [check.command for check in CHECKS], [check.proves for check in CHECKS]):
            self.assertEqual(len(values), len(set(values)))

    def test_every_check_says_in_one_sentence_what_it_proves(self):
        for check in CHECKS:
            self.assertRegex(check.proves, r"^[A-Z][^\n]*\.$")
            self.assertNotRegex(check.proves, r"\. [A-Z]")
            self.assertIn(check.kind, (QUICK, GATE, NIGHTLY, CHANGED))
            self.assertIn(check.runs, (IN_TURN, BESIDE, ALONE))

    def test_every_script_exists(self):
        for check in CHECKS:
            for script in re.findall(r"\./(?:Scripts|Tools)/[\w/-]+", check.command):
                self.assertTrue(os.access(ROOT / script, os.X_OK), script)

    def test_every_script_that_checks_is_in_the_table(self):
        # Some scripts run others.
        commands = " ".join([check.command for check in CHECKS] + [(ROOT / "Tools" / name).read_text() for name in ("Checks/check-modules", "Site/site")])
        for path in (ROOT / "Tools").glob("*/*"):
            if path.is_file() and re.fullmatch(r"(check|run|test|typecheck)-[a-z-]+", path.name):
                self.assertIn(f"./{path.relative_to(ROOT)}", commands)

    def test_each_set_contains_the_smaller_one(self):
        self.assertEqual([check for check in quick() if check not in gate()], [check for check in CHECKS if check.kind == CHANGED])
        self.assertEqual([check for check in gate() if check not in nightly()], [])

    def test_the_sets_begin_with_or_without_a_shell(self):
        for command, checks in ((".ci/run", gate()), (".ci/nightly", nightly())):
            for shell in ([], ["sh"], ["bash"]):
                listed = subprocess.run([*shell, command, "--list"], cwd=ROOT, capture_output=True, text=True)
                self.assertEqual((listed.returncode, listed.stdout, listed.stderr), (0, as_text(checks) + "\n", ""), command)

    def test_names_select_checks(self):
        listed = subprocess.run([".ci/nightly", "--list", "fuzz", "page"], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual(listed.stdout, as_text([check for check in CHECKS if check.name in ("fuzz", "page")]) + "\n")
        built = subprocess.run([".ci/nightly", "--list", "tutorial"], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual([line.split()[0] for line in built.stdout.splitlines()[::2]], ["build", "tutorial"])
        unknown = subprocess.run([".ci/run", "page"], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual((unknown.returncode, unknown.stderr), (1, "There is no check page: --list prints the names.\n"))

    def test_what_needs_the_build_comes_after_it(self):
        names = [check.name for check in gate()]
        quick_names = [check.name for check in quick() if check.kind == QUICK]
        self.assertEqual(names[:len(quick_names) + 1], [*quick_names, "tests"])

    def test_a_check_beside_others_has_a_build_folder_of_its_own(self):
        for check in CHECKS:
            if check.runs == BESIDE and re.search("swift (build|run|test)", check.command):
                self.assertIn("--scratch-path", check.command)

    def test_the_text_names_every_check(self):
        text = as_text(CHECKS)
        self.assertEqual(len(text.splitlines()), 2 * len(CHECKS))
        for check in CHECKS:
            self.assertIn(check.command, text)
            self.assertIn(check.proves, text)


if __name__ == "__main__":
    unittest.main()
