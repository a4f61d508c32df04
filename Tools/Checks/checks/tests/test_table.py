# SPDX-License-Identifier: Apache-2.0
import os
import re
import subprocess
import unittest

from checks.manifest import ROOT, Manifest
from checks.table import BESIDE, CHECKS, as_text, gate, nightly, selected


class TableTests(unittest.TestCase):
    def test_every_check_is_there_once_and_says_in_one_sentence_what_it_proves(self):
        for values in zip(*((check.name, check.command, check.proves) for check in CHECKS)):
            self.assertEqual(len(values), len(set(values)))
        for check in CHECKS:
            self.assertRegex(check.proves, r"^[A-Z](?!.*\. [A-Z])[^\n]*\.$")

    def test_every_script_exists_and_is_in_the_table(self):
        # Some scripts run others.
        commands = " ".join([check.command for check in CHECKS] + [(ROOT / "Tools" / name).read_text() for name in ("Checks/check-modules", "Site/site")])
        for script in re.findall(r"\./(?:Scripts|Tools)/[\w/-]+", " ".join(check.command for check in CHECKS)):
            self.assertTrue(os.access(ROOT / script, os.X_OK), script)
        for path in (ROOT / "Tools").glob("*/*"):
            if path.is_file() and re.fullmatch(r"(check|run|test|typecheck)-[a-z-]+", path.name):
                self.assertIn(f"./{path.relative_to(ROOT)}", commands)

    def test_the_sets_begin_with_any_shell_and_names_select_checks(self):
        for command, checks in (
            (["sh", ".ci/run"], gate()), (["bash", ".ci/nightly"], nightly()), ([".ci/nightly", "tutorial"], selected(["tutorial"], nightly()))):
            listed = subprocess.run([*command, "--list"], cwd=ROOT, capture_output=True, text=True)
            self.assertEqual((listed.returncode, listed.stdout, listed.stderr), (0, as_text(checks) + "\n", ""), command)
        unknown = subprocess.run([".ci/run", "page"], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual((unknown.returncode, unknown.stderr), (1, "There is no check page: --list prints the names.\n"))

    def test_a_check_that_needs_the_build_is_selected_with_it(self):
        self.assertEqual([check.name for check in selected(["snippets run"], gate())], ["build", "snippets run"])
        self.assertEqual([check.name for check in selected(["API"], gate())], ["API"])

    def test_a_check_beside_others_has_a_build_folder_of_its_own(self):
        for check in CHECKS:
            if check.runs == BESIDE and re.search("swift (build|run|test)", check.command):
                self.assertIn("--scratch-path", check.command)

    def test_scripts_print_the_comment_at_their_beginning(self):
        scripts = [file for pattern in ("Scripts/*", "Tools/*/*", "Benchmarks/*/*") for file in ROOT.glob(pattern) if file.is_file() and b"/common.sh\"" in file.read_bytes()]
        self.assertGreater(len(scripts), 10)
        for script in scripts:
            run = subprocess.run([script, "--help"], capture_output=True, text=True, timeout=10)
            self.assertEqual((run.returncode, run.stderr, "set -" in run.stdout), (0, "", False), script)
            self.assertEqual(run.stdout.split("\n")[0], script.read_text().split("\n")[2].removeprefix("# "))

    def test_every_library_is_documented_in_the_package_index(self):
        listed = re.search(r"documentation_targets: \[(.*)\]", (ROOT / ".spi.yml").read_text())[1].split(", ")
        self.assertEqual(listed, [product["name"] for product in Manifest.read().products if "library" in product["type"]])


if __name__ == "__main__":
    unittest.main()
