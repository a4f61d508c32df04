# SPDX-License-Identifier: Apache-2.0
import io
import pathlib
import tempfile
import threading
import time
import unittest

from checks.results import Result, fault_of, script, summary
from checks.runner import Runner
from checks.table import ALONE, BESIDE, IN_TURN, QUICK, Check


def check(name, command="true", runs=IN_TURN, **others):
    return Check(name, command, f"{name} holds.", runs=runs, **others)


class FaultTests(unittest.TestCase):
    def test_a_check_that_fails_is_a_fault(self):
        self.assertEqual(fault_of(check("a"), 3, ""), "exit status 3")
        self.assertIsNone(fault_of(check("a"), 0, "anything"))

    def test_a_line_that_is_refused_is_a_fault(self):
        refusing = check("a", refuses="^warning: ")
        self.assertEqual(fault_of(refusing, 0, "good\nwarning: one\nmore"), "the output has: warning: one")
        self.assertEqual(fault_of(refusing, 0, "good\nwarning: one"), "the output has: warning: one")
        self.assertIsNone(fault_of(refusing, 0, "no warning: here"))

    def test_a_text_that_is_missing_is_a_fault(self):
        printing = check("a", prints=("one", "two"))
        self.assertEqual(fault_of(printing, 0, "one"), "the output lacks: two")
        self.assertIsNone(fault_of(printing, 0, "two\none"))

    def test_packages_are_installed_before_the_command(self):
        self.assertEqual(
            script(check("a", packages=("jq", "curl")), "./a"),
            "(. Scripts/common.sh && need_package jq jq && need_package curl curl)\n./a")
        self.assertEqual(
            script(check("a", packages=("pg_ctlcluster=postgresql",)), "./a"),
            "(. Scripts/common.sh && need_package pg_ctlcluster postgresql)\n./a")
        self.assertEqual(script(check("a"), "./a"), "./a")


class RunTests(unittest.TestCase):
    def run_checks(self, *checks, keep_going=False):
        """Returns the results and what was printed."""
        with tempfile.TemporaryDirectory() as folder:
            output = io.TextIOWrapper(io.BytesIO())
            results = Runner(keep_going, pathlib.Path(folder), output).run(checks)
            return results, output.buffer.getvalue().decode()

    def test_checks_run_in_their_order(self):
        results, printed = self.run_checks(check("a", "echo one", ALONE), check("b", "echo two", ALONE))
        self.assertEqual([result.fault for result in results], [None, None])
        self.assertRegex(printed, r"(?s)== a: a holds\.\n.*one\n.*-- a took 0:00\n.*== b: b holds\.\n.*two\n.*-- b took 0:00\n")

    def test_a_check_alone_runs_without_others(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = "[ -z \"$(ls {0})\" ] && touch {0}/x && sleep 0.2 && rm {0}/x".format(folder)
            checks = [check("a", alone), check("b", alone, ALONE), check("c", alone, BESIDE), check("d", alone, ALONE)]
            self.assertEqual([result.fault for result in self.run_checks(*checks)[0]], [None] * 4)

    def test_quick_checks_come_before_the_others(self):
        quick = [check(name, "exit 4", runs, kind=QUICK) for name, runs in (("a", BESIDE), ("b", IN_TURN))]
        results, _ = self.run_checks(*quick, check("c"), check("d", runs=BESIDE))
        self.assertEqual([result.seconds is not None for result in results[2:]], [False, False])

    def test_checks_in_turn_never_overlap(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = "mkdir {0}/x && sleep 0.1 && rmdir {0}/x".format(folder)
            results, _ = self.run_checks(*(check(name, alone) for name in "abcd"), check("e", "sleep 0.3", BESIDE))
            self.assertEqual([result.fault for result in results], [None] * 5)

    def test_no_check_begins_after_one_that_failed(self):
        results, printed = self.run_checks(check("a", "exit 4"), check("b", "echo two"))
        self.assertEqual([(result.fault, result.seconds is not None) for result in results], [("exit status 4", True), (None, False)])
        self.assertIn("a took 0:00, FAILED: exit status 4", printed)
        self.assertNotIn("two", printed)

    def test_a_failure_in_the_middle_of_a_command_is_one(self):
        for command in ("false\ntrue", "false | true", "echo $UNDEFINED_VARIABLE"):
            results, _ = self.run_checks(check("a", command))
            self.assertIsNotNone(results[0].fault, command)

    def test_all_run_if_the_runner_keeps_going(self):
        results, printed = self.run_checks(check("a", "exit 4"), check("b", "echo two"), keep_going=True)
        self.assertEqual([result.fault for result in results], ["exit status 4", None])
        self.assertIn("two", printed)

    def test_a_failure_beside_another_check_is_one(self):
        results, _ = self.run_checks(check("a", "sleep 0.3"), check("b", "exit 4", BESIDE), check("c", runs=ALONE))
        self.assertEqual([(result.fault, result.seconds is not None) for result in results], [(None, True), ("exit status 4", True), (None, False)])

    def test_checks_side_by_side_take_the_time_of_the_longer_one(self):
        # Each waits for the other: in turn, neither would end.
        with tempfile.TemporaryDirectory() as folder:
            wait = "touch {0}/{1}; for i in $(seq 200); do [ ! -e {0}/{2} ] || exit 0; sleep 0.05; done; exit 1"
            results, _ = self.run_checks(check("a", wait.format(folder, "a", "b")), check("b", wait.format(folder, "b", "a"), BESIDE))
        self.assertEqual([result.fault for result in results], [None, None])

    def test_the_output_of_a_check_beside_another_is_in_one_piece(self):
        _, printed = self.run_checks(check("a", "echo one; sleep 0.5; echo two"), check("b", "echo three; sleep 0.3; echo four", BESIDE))
        self.assertIn("\n== a:\none\ntwo\n", printed)
        self.assertIn("\n== b:\nthree\nfour\n", printed)

    def test_a_failure_that_does_not_recur_passes_with_its_name(self):
        with tempfile.TemporaryDirectory() as folder:
            command = f"mkdir {folder}/first && exit 4 || echo again"
            results, printed = self.run_checks(check("a", command, again=command), check("b"))
        self.assertEqual([(result.fault, result.flaky) for result in results], [(None, ("a",)), (None, ())])
        self.assertIn("a took 0:00, flaky: a", printed)

    def test_a_failure_that_recurs_is_one(self):
        results, _ = self.run_checks(check("a", "exit 4", again="exit 5"), check("b"))
        self.assertEqual([(result.fault, result.flaky) for result in results], [("exit status 4", ()), (None, ())])

    def test_a_warning_is_a_fault_even_if_the_failure_does_not_recur(self):
        results, _ = self.run_checks(check("a", "echo 'warning: one'; exit 4", refuses="^warning", again="true"))
        self.assertEqual(results[0].fault, "the output has: warning: one")

    def test_only_an_exit_status_is_repeated(self):
        results, _ = self.run_checks(check("a", "echo 'warning: one'", refuses="^warning", again="true"))
        self.assertEqual(results[0].fault, "the output has: warning: one")

    def test_a_process_that_is_left_behind_does_not_delay_the_end(self):
        began = time.monotonic()
        results, _ = self.run_checks(check("a", "sleep 10 & echo $! >/dev/null"))
        self.assertIsNone(results[0].fault)
        self.assertLess(time.monotonic() - began, 5)

    def test_running_checks_end_with_the_runner(self):
        with tempfile.TemporaryDirectory() as folder:
            runner = Runner(logs=pathlib.Path(folder), output=io.TextIOWrapper(io.BytesIO()))
            command = f"trap 'touch {folder}/ended; exit' TERM; touch {folder}/began; while :; do sleep 0.05; done"
            running = threading.Thread(target=runner.run, args=([check("a", command), check("b")],))
            running.start()
            while not pathlib.Path(folder, "began").exists():
                time.sleep(0.01)
            runner.stop()
            running.join()
            self.assertTrue(pathlib.Path(folder, "ended").exists())
            self.assertNotIn("b", runner.results)


class SummaryTests(unittest.TestCase):
    def test_the_sum_has_a_line_for_each_check(self):
        text = summary(
            [Result(check("a"), None, 61.5, ("x",)), Result(check("b"), "exit status 1", 2), Result(check("c"))], 65)
        self.assertEqual(text.splitlines(), [
            "  time  check",
            "  1:01  a",
            "        flaky: x",
            "  0:02  b FAILED: exit status 1",
            "     -  c was not run",
            "  1:05  2 of 3 checks ran, 1 failed"])

    def test_the_sum_says_if_none_failed(self):
        self.assertIn("1 of 1 checks ran, none failed", summary([Result(check("a"), None, 1)], 1))


if __name__ == "__main__":
    unittest.main()
