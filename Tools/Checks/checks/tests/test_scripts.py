# SPDX-License-Identifier: Apache-2.0
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from checks.manifest import ROOT


class ScriptTests(unittest.TestCase):
    def test_an_installation_writes_to_no_file_that_another_user_chooses(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for program, content in (("apt-get", ""), ("sudo", 'exec "$@"')):
                (folder / program).write_text(f"#!/bin/sh\n{content}\n")
                (folder / program).chmod(0o755)
            (folder / "file").write_text("content")
            # The name of a lock in the shared folder for temporary files.
            (folder / "almanac-packages.lock").symlink_to(folder / "file")
            script = ". Scripts/common.sh; need_package /missing nothing"
            environment = os.environ | {"PATH": f"{name}:{os.environ['PATH']}", "TMPDIR": name}
            run = subprocess.run(["bash", "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True)
            self.assertEqual((run.returncode, (folder / "file").read_text()), (0, "content"), run.stderr)


if __name__ == "__main__":
    unittest.main()
