# SPDX-License-Identifier: Apache-2.0
import json
import pathlib
import tempfile
import unittest
from unittest import mock

from checks import failures
from checks.results import Result
from checks.table import Check


def event(kind, **payload):
    return json.dumps({"kind": "event", "version": 0, "payload": {"kind": kind, **payload}})


def issue(test, **members):
    return event(
        "issueRecorded", testID=f"CoreTests.SuiteTests/{test}/SuiteTests.swift:6:3",
        issue={"isKnown": False, "sourceLocation": {"_filePath": "/a/SuiteTests.swift", "line": 7}, **members},
        messages=[{"symbol": "fail", "text": "Expectation failed"}, {"symbol": "difference", "text": "1 is not 2"}])


READ = failures.Tests.read
BEGAN, ENDED = event("runStarted"), event("runEnded")
REPEATED = ("CoreTests.SuiteTests/works(_:)", r"./test --filter '^CoreTests\.SuiteTests/works\(_:\)(/|$)'")
# The events of a run, and what is repeated.
RUNS = [
    ([BEGAN, issue("works(_:)"), issue("works(_:)"), ENDED], [REPEATED]),
    ([BEGAN, *(issue(f"test{number}()") for number in range(4)), ENDED], []),
    ([BEGAN, issue("a()", isKnown=True), issue("b()", _severity="warning"), ENDED], []),
    ([BEGAN, issue("ends()"), '{"kind": "ev'], [("the process of the tests", "./test")]),
    ([BEGAN, event("issueRecorded", issue={}, messages=[]), ENDED], []),
    ([], []),
]


class FailureTests(unittest.TestCase):
    def result(self, events, log=""):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = pathlib.Path(folder.name, "tests.jsonl")
        file.write_text("\n".join(events))
        patch = mock.patch.object(failures.Tests, "read", lambda: READ(file))
        patch.start()
        self.addCleanup(patch.stop)
        return Result(Check("tests", "./test", "They pass.", again="./test --filter {}"), "exit status 1", log=log)

    def test_only_a_few_failed_tests_are_repeated_each_alone(self):
        for events, expected in RUNS:
            self.assertEqual(failures.repeatable(self.result(events), 3), expected)

    def test_a_repetition_without_tests_has_failed(self):
        for count, failed in ((0, True), (10, False)):
            self.assertEqual(bool(failures.has_failed_again(Result(None, None, log=f"Test run with {count} tests"))), failed)

    def test_the_text_has_the_messages_of_the_failed_tests_or_the_errors(self):
        self.assertEqual(list(failures.texts([self.result([BEGAN, issue("ends()"), ENDED])])), [
            "\nFAILED: tests: exit status 1\nAlone: ./test\n"
            "  CoreTests.SuiteTests/ends() at SuiteTests.swift:7: Expectation failed 1 is not 2\n"])
        text = next(failures.texts([self.result([], "done\n" + "\n".join(f"error: {number}" for number in range(90)))]))
        self.assertIn("… 65 more", text)
        self.assertNotIn("done", text)


if __name__ == "__main__":
    unittest.main()
