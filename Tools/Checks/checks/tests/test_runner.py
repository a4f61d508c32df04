# SPDX-License-Identifier: Apache-2.0
import io
import pathlib
import tempfile
import threading
import time
import unittest

from checks.results import fault_of
from checks.runner import Runner
from checks.table import ALONE, BESIDE, IN_TURN, QUICK, Check

NOT_RUN = "was not run"


def check(name, command="true", runs=IN_TURN, **others):
    return Check(name, command, f"{name} holds.", runs=runs, **others)


class RunTests(unittest.TestCase):
    def faults(self, *checks, keep_going=False):
        """Returns the fault of each check, or that it was not run."""
        with tempfile.TemporaryDirectory() as folder:
            results = Runner(keep_going, pathlib.Path(folder), io.StringIO()).run(checks)
            return [result.fault if result.seconds is not None else NOT_RUN for result in results]

    def test_no_check_begins_after_one_that_failed(self):
        failed = "exit status 4"
        for checks, faults in [
            ([check("a", "exit 4"), check("b")], [failed, NOT_RUN]),
            # The one that fails waits until the other has begun.
            ([check("a", "sleep 1"), check("b", "sleep 0.5; exit 4", BESIDE), check("c", runs=ALONE)], [None, failed, NOT_RUN]),
            ([check("a", "sleep 0.5; exit 4", BESIDE, kind=QUICK), check("b", kind=QUICK), check("c")], [failed, None, NOT_RUN])]:
            self.assertEqual(self.faults(*checks), faults)
        self.assertEqual(self.faults(check("a", "exit 4"), check("b"), keep_going=True), [failed, None])

    def test_a_failure_in_the_middle_of_a_command_is_one(self):
        for command in ("false\ntrue", "false | true", "echo $UNDEFINED_VARIABLE"):
            self.assertNotEqual(self.faults(check("a", command)), [None], command)

    def test_checks_overlap_only_if_one_may_run_beside_others(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = f"mkdir {folder}/x && sleep 0.1 && rmdir {folder}/x"
            self.assertEqual(self.faults(check("a", alone), check("b", alone), check("c", alone, ALONE), check("d", alone, BESIDE)), [None] * 4)
            # Each waits for the other: in turn, neither would end.
            wait = "touch {0}/{1}; for i in $(seq 200); do [ ! -e {0}/{2} ] || exit 0; sleep 0.05; done; exit 1"
            pair = check("a", wait.format(folder, "a", "b")), check("b", wait.format(folder, "b", "a"), BESIDE)
            self.assertEqual(self.faults(*pair), [None, None])

    def test_a_failure_that_recurs_is_one(self):
        with tempfile.TemporaryDirectory() as folder:
            once = f"mkdir {folder}/first && exit 4 || echo again"
            for again, fault in ((check("a", once, again=once), None), (check("a", "exit 4", again="exit 5"), "exit status 4"),
                                 (check("a", "echo 'warning: one'; exit 4", refuses="^warning", again="true"), "the output has: warning: one")):
                self.assertEqual(self.faults(again), [fault])

    def test_processes_that_are_left_behind_end_with_the_runner(self):
        began = time.monotonic()
        self.assertEqual(self.faults(check("a", "sleep 10 & echo $! >/dev/null")), [None])
        self.assertLess(time.monotonic() - began, 5)
        with tempfile.TemporaryDirectory() as folder:
            runner = Runner(logs=pathlib.Path(folder), output=io.StringIO())
            command = f"trap 'touch {folder}/ended; exit' TERM; touch {folder}/began; while :; do sleep 0.05; done"
            running = threading.Thread(target=runner.run, args=([check("a", command), check("b")],))
            running.start()
            while not pathlib.Path(folder, "began").exists():
                time.sleep(0.01)
            runner.stop()
            running.join()
            self.assertTrue(pathlib.Path(folder, "ended").exists())
            self.assertNotIn("b", runner.results)


class ResultTests(unittest.TestCase):
    def test_status_refused_lines_and_missing_texts_are_faults(self):
        both = check("a", refuses="^warning: ", prints=("one",))
        for status, output, fault in [
            (3, "", "exit status 3"), (0, "one\nno warning: here", None), (0, "warning: x\none", "the output has: warning: x"),
            (0, "two", "the output lacks: one")]:
            self.assertEqual(fault_of(both, status, output), fault)


if __name__ == "__main__":
    unittest.main()
