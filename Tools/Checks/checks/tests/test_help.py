# SPDX-License-Identifier: Apache-2.0
"""Tests of the scripts' help."""
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]


class HelpTests(unittest.TestCase):
    def test_scripts_print_the_comment_at_their_beginning(self):
        scripts = [file for pattern in ("Scripts/*", "Tools/*/*", "Benchmarks/*/*") for file in ROOT.glob(pattern) if file.is_file() and b"/common.sh\"" in file.read_bytes()]
        self.assertGreater(len(scripts), 10)
        for script in scripts:
            with self.subTest(script.name):
                run = subprocess.run([script, "--help"], capture_output=True, text=True, timeout=10)
                self.assertEqual((run.returncode, run.stderr), (0, ""))
                self.assertEqual(run.stdout.split("\n")[0], script.read_text().split("\n")[2].removeprefix("# "))
                self.assertNotIn("set -", run.stdout)


if __name__ == "__main__":
    unittest.main()
