# SPDX-License-Identifier: Apache-2.0
import json
import pathlib
import tempfile
import unittest
from unittest import mock

from checks import failures
from checks.runner import Result
from checks.table import Check


def event(kind, **payload):
    return json.dumps({"kind": "event", "version": 0, "payload": {"kind": kind, **payload}})


def issue(test, line=7, **issue):
    return event(
        "issueRecorded", testID=f"CoreTests.SuiteTests/{test}/SuiteTests.swift:{line - 1}:3",
        issue={"isKnown": False, "sourceLocation": {"_filePath": "/a/SuiteTests.swift", "line": line}, **issue},
        messages=[{"symbol": "fail", "text": "Expectation failed"}, {"symbol": "difference", "text": "1 is not 2"}])


class FailureTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.events = pathlib.Path(folder.name, "tests.jsonl")
        read = failures.Tests.read
        patch = mock.patch.object(failures.Tests, "read", lambda: read(self.events))
        patch.start()
        self.addCleanup(patch.stop)

    def result(self, *events, fault="exit status 1", again="./test --filter {}", log=""):
        self.events.write_text("\n".join(events))
        return Result(Check("tests", "./test", "They pass.", again=again), fault, log=log)

    def test_a_failed_test_is_repeated_alone(self):
        result = self.result(event("runStarted"), issue("works(_:)"), issue("works(_:)"), issue("ends()"), event("runEnded"))
        self.assertEqual(failures.repeatable(result, 3), [
            ("CoreTests.SuiteTests/works(_:)", r"./test --filter '^CoreTests\.SuiteTests/works\(_:\)(/|$)'"),
            ("CoreTests.SuiteTests/ends()", r"./test --filter '^CoreTests\.SuiteTests/ends\(\)(/|$)'")])

    def test_more_failures_than_may_be_flaky_are_not_repeated(self):
        result = self.result(event("runStarted"), *(issue(f"test{number}()") for number in range(4)), event("runEnded"))
        self.assertEqual(failures.repeatable(result, 3), [])

    def test_warnings_and_known_issues_are_no_failures(self):
        result = self.result(
            event("runStarted"), issue("a()", isKnown=True), issue("b()", _severity="warning"), event("runEnded"))
        self.assertEqual(failures.repeatable(result, 3), [])

    def test_a_process_that_did_not_end_is_repeated_whole(self):
        result = self.result(event("runStarted"), issue("ends()"), '{"kind": "ev')
        self.assertEqual(failures.repeatable(result, 3), [("the process of the tests", "./test")])

    def test_a_failure_outside_of_tests_is_not_repeated(self):
        outside = event("issueRecorded", issue={}, messages=[])
        self.assertEqual(failures.repeatable(self.result(event("runStarted"), outside, event("runEnded")), 3), [])

    def test_a_repetition_without_tests_has_failed(self):
        self.assertTrue(failures.has_failed_again(Result(None, None, log="Test run with 0 tests in 0 suites passed")))
        self.assertFalse(failures.has_failed_again(Result(None, None, log="Test run with 10 tests in 1 suite passed")))

    def test_a_build_that_failed_is_not_repeated(self):
        self.assertEqual(failures.repeatable(self.result(log="error: no"), 3), [])

    def test_a_check_with_servers_is_repeated_whole(self):
        self.assertEqual(failures.repeatable(self.result(again="./test"), 3), [("tests", "./test")])
        self.assertEqual(failures.repeatable(self.result(again=""), 3), [])

    def test_the_text_has_the_messages_of_the_failed_tests(self):
        result = self.result(event("runStarted"), issue("ends()"), event("runEnded"), log="other output")
        self.assertEqual(list(failures.texts([result])), [
            "\nFAILED: tests: exit status 1\nAlone: ./test\n"
            "  CoreTests.SuiteTests/ends() at SuiteTests.swift:7: Expectation failed 1 is not 2\n"])

    def test_the_text_of_another_check_has_its_errors(self):
        result = self.result(again="", log="[1/2] Compiling\nA.swift:3:1: error: no such name\ndone\n")
        self.assertIn("  A.swift:3:1: error: no such name\n", next(failures.texts([result])))
        self.assertNotIn("done", next(failures.texts([result])))
        silent = self.result(again="", log="\n".join(map(str, range(40))))
        self.assertIn("  39\n", next(failures.texts([silent])))

    def test_the_text_has_at_most_thirty_lines(self):
        result = self.result(again="", log="\n".join(f"error: {number}" for number in range(90)))
        text = next(failures.texts([result]))
        self.assertLessEqual(len(text.splitlines()), 30)
        self.assertIn("… 65 more", text)


if __name__ == "__main__":
    unittest.main()
