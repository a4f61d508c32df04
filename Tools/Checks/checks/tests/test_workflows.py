# SPDX-License-Identifier: Apache-2.0
import re
import unittest

from checks.manifest import ROOT


class WorkflowTests(unittest.TestCase):
    def test_actions_are_pinned_and_only_jobs_without_the_builds_programs_have_write_access(self):
        for path in (ROOT / ".github/workflows").glob("*.yml"):
            head, jobs = path.read_text().split("\njobs:\n")
            self.assertNotRegex(head, "pull_request_target|: write|write-all", path)
            self.assertEqual(re.findall(r"uses: (?!\S+@[0-9a-f]{40} # v)\S+", jobs), [], path)
            for job in re.split(r"\n(?=  \w+:\n)", jobs):
                if re.search(": write|write-all", job):
                    self.assertNotRegex(job, r"actions/checkout|container:|run: (?!gh )", path)


if __name__ == "__main__":
    unittest.main()
