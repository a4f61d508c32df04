# SPDX-License-Identifier: Apache-2.0
"""Runs of tests with or without faults, and the result of each test."""
import collections
import json
import os
import re
import tempfile
import time

from . import processes


class Run:
    """A run, which ends early after a number of failed tests, unless `failures` is None.

    `record` is a file for pairs of a fault and a test that reaches it, for all faults or the active ones.
    """

    def __init__(self, copy, filters, faults=(), limit=900, watch=None, record=None, failures=1):
        self.failed, self.started, self.position = [], {}, 0
        # The end times of the tests, and the seconds of the cases of tests with arguments.
        self.ends, self.cases = {}, collections.Counter()
        self.watch, self.is_recorded = watch, record is not None
        variables = {"ALMANAC_FAULTS": ",".join(str(fault.identifier) for fault in faults)}
        if record:
            variables["ALMANAC_FAULTS_PASSED"] = str(record)
        begin = time.monotonic()
        handle, self.events = tempfile.mkstemp(prefix="mutate-events-")
        os.close(handle)
        try:
            end = None if failures is None else lambda: self.read() or len(self.failed) >= failures
            self.status, self.output = processes.run(
                copy.test_command(filters, self.events), copy.folder, limit, end, variables, self.watch)
            self.read()
        finally:
            os.unlink(self.events)
        self.time = time.monotonic() - begin

    def read(self):
        """Reads new events."""
        with open(self.events, "rb") as file:
            file.seek(self.position)
            while (line := file.readline()).endswith(b"\n"):
                self.position += len(line)
                # Only a recorded run needs the times of the many cases.
                if line.startswith(b'{"kind":"event"') and (self.is_recorded or b'"kind":"testCase' not in line):
                    self.take(json.loads(line)["payload"])

    def take(self, event):
        test, kind = event.get("testID"), event["kind"]
        if kind == "issueRecorded":
            issue = event.get("issue", {})
            if not issue.get("isKnown") and issue.get("severity", "error") == "error" and test not in self.failed:
                self.failed.append(test)
        elif kind == "testStarted":
            self.started[test] = event["instant"]["absolute"]
        elif kind == "testCaseStarted":
            self.cases[test] -= event["instant"]["absolute"]
        elif kind == "testCaseEnded":
            self.cases[test] += event["instant"]["absolute"]
        elif kind in ("testEnded", "testSkipped") and test in self.started:
            self.ends[test] = event["instant"]["absolute"]

    @property
    def tests(self):
        """The ended tests, without suites."""
        return [test for test in self.started if test in self.ends and is_function(test)]

    @property
    def unfinished(self):
        return [test for test in self.started if test not in self.ends and is_function(test)]

    @property
    def is_complete(self):
        """Whether every test has ended."""
        return self.status is not None and self.status >= 0 and not self.unfinished

    @property
    def was_ended(self):
        """Whether the run looped, waited or grew, without a failed test."""
        return self.status is None and not self.failed

    @property
    def passed(self):
        return self.status == 0 and not self.failed

    @property
    def reason(self):
        """The test or the event that detected the fault."""
        if self.failed:
            return name_of(self.failed[0]) if self.failed[0] else "an issue outside of a test"
        return "ended: it looped, waited or grew" if self.status is None else f"the end of the process ({self.status})"


def is_function(test):
    return bool(test) and re.search(r"/[^/]+\.swift:\d+:\d+$", test) is not None


def parts_of(test):
    """The target, the suite and the function of a test's identifier, such as "T.S/f()/F.swift:1:2"."""
    target, _, rest = test.rpartition("/")[0].partition(".")
    suite, _, function = rest.rpartition("/")
    return target, suite, function


def name_of(test):
    return "/".join(filter(None, parts_of(test))) if is_function(test) else test


def filter_of(tests, everything):
    """Returns a pattern for tests, grouped by target and suite, so each level is matched only if the previous one matches."""
    chosen, all_of = {}, {}
    for test, result in [(test, chosen) for test in tests] + [(test, all_of) for test in everything]:
        target, suite, function = parts_of(test)
        result.setdefault(target, {}).setdefault(suite, set()).add(function)
    targets = []
    for target, suites in sorted(chosen.items()):
        if suites == all_of.get(target):
            targets.append(rf"{re.escape(target)}\.")
            continue
        patterns = []
        for suite, functions in sorted(suites.items()):
            prefix = escaped(suite) + "/" if suite else ""
            if suite and functions == all_of.get(target, {}).get(suite):
                patterns.append(f"{prefix}[^/]+/[^/]+$")
            else:
                patterns.append(rf"{prefix}(?:{'|'.join(escaped(name) for name in sorted(functions))})/")
        targets.append(rf"{re.escape(target)}\.(?:{'|'.join(patterns)})")
    return rf"^(?:{'|'.join(targets)})"


def escaped(name):
    # Swift's patterns reject a backslash before a character without a special meaning.
    return re.sub(r"([.^$*+?()\[\]{}|\\/])", r"\\\1", name)
