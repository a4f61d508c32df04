# SPDX-License-Identifier: Apache-2.0
"""Runs of tests with one fault, or none, and what became of each test."""
import json
import os
import re
import tempfile
import time

from . import processes
from .package import COPY, test_command


class Run:
    """One run, which ends with the first test that fails."""

    def __init__(self, filters, fault=None, limit=900, processor=None, record=None, to_the_end=False, script=None):
        self.failed, self.started, self.seconds, self.position = [], {}, {}, 0
        self.watch = processes.Watch(processor) if processor else None
        variables = {"ALMANAC_FAULT": str(fault.identifier if fault else 0)}
        if record:
            variables["ALMANAC_FAULTS_PASSED"] = str(record)
        begin = time.monotonic()
        handle, self.events = tempfile.mkstemp(prefix="mutate-events-")
        os.close(handle)
        try:
            end = None if to_the_end else lambda: self.read() or self.failed
            self.status, self.output = processes.run(
                test_command(filters, self.events, script), COPY, limit, end, variables, self.watch)
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
                if line.startswith(b'{"kind":"event"') and b'"kind":"testCase' not in line:
                    self.take(json.loads(line)["payload"])

    def take(self, event):
        test, kind = event.get("testID"), event["kind"]
        if kind == "issueRecorded":
            issue = event.get("issue", {})
            if not issue.get("isKnown") and issue.get("severity", "error") == "error" and test not in self.failed:
                self.failed.append(test)
        elif kind == "testStarted":
            self.started[test] = event["instant"]["absolute"]
        elif kind in ("testEnded", "testSkipped") and test in self.started:
            self.seconds[test] = event["instant"]["absolute"] - self.started[test]

    @property
    def tests(self):
        """The tests that have ended, without suites, with the seconds since each began, the wait for others included."""
        return {test: seconds for test, seconds in self.seconds.items() if is_function(test)}

    @property
    def unfinished(self):
        return [test for test in self.started if test not in self.seconds and is_function(test)]

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
