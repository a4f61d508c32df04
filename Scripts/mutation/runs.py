# SPDX-License-Identifier: Apache-2.0
"""Runs of tests with faults, or without, and what became of each test."""
import collections
import json
import os
import re
import tempfile
import time

from . import processes


class Run:
    """One run, which ends when so many tests have failed, or never before its end if `failures` is None.

    With `record`, a file for the pairs of a fault and a test that comes to it: of all faults, or of those that are active.
    """

    def __init__(self, copy, filters, faults=(), limit=900, watch=None, record=None, failures=1, script=None):
        self.failed, self.started, self.position = [], {}, 0
        # When the tests ended, and the seconds of the cases of those that have arguments.
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
                copy.test_command(filters, self.events, script), copy.folder, limit, end, variables, self.watch)
            self.read()
        finally:
            os.unlink(self.events)
        self.time = time.monotonic() - begin

    def read(self):
        """Reads the events since the last time."""
        with open(self.events, "rb") as file:
            file.seek(self.position)
            while (line := file.readline()).endswith(b"\n"):
                self.position += len(line)
                # There are many cases, and only a recorded run needs their times.
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
        """The tests that have ended, without suites."""
        return [test for test in self.started if test in self.ends and is_function(test)]

    @property
    def unfinished(self):
        return [test for test in self.started if test not in self.ends and is_function(test)]

    @property
    def is_complete(self):
        """Whether every test came to its end."""
        return self.status is not None and self.status >= 0 and not self.unfinished

    @property
    def was_ended(self):
        """Whether the run looped, waited or grew, and no test had failed."""
        return self.status is None and not self.failed

    @property
    def passed(self):
        return self.status == 0 and not self.failed

    @property
    def ran_nothing(self):
        return not self.started

    @property
    def reason(self):
        """By what the fault was noticed."""
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
    """One pattern for tests, by target and suite: each level is tried only where the one before it fits."""
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
    # Swift's patterns refuse a backslash before what has no meaning.
    return re.sub(r"([.^$*+?()\[\]{}|\\/])", r"\\\1", name)
