# SPDX-License-Identifier: Apache-2.0
"""Tries random faults, several side by side, each with the tests that come to it."""
import concurrent.futures
import threading

from .runs import Run, filter_of

NOTICED, SURVIVED = "noticed", "survived"


class Trials:
    def __init__(self, reach):
        self.reach = reach
        self.clean, self.lock = {}, threading.Lock()

    def outcomes(self, faults, jobs, report):
        """The outcome of each fault and its reason, as they come."""
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            waiting = {pool.submit(self.outcome, fault): fault for fault in faults}
            result = {}
            for done in concurrent.futures.as_completed(waiting):
                result[waiting[done]] = done.result()
                report(waiting[done], *done.result())
            return {fault: result[fault] for fault in faults}

    def outcome(self, fault):
        if not self.reach.is_passed(fault):
            return SURVIVED, "no test comes to it"
        stages = [tests for tests in self.reach.tests_of(fault) if tests]
        for tests in stages:
            run = self.run(tests, fault)
            if not run.passed and self.is_noticed(tests, fault, run):
                return NOTICED, run.reason
        return SURVIVED, f"{sum(map(len, stages))} tests come to it"

    def is_noticed(self, tests, fault, run):
        """Whether the tests fail because of the fault: they pass without it, and fail with it once more."""
        if run.was_ended:
            clean = self.without(tests)
            if clean.passed and 4 * clean.watch.used > run.watch.processor:
                run = self.run(tests, fault, 10 + 4 * clean.watch.used)
            return clean.passed and not run.passed
        failed = [test for test in run.failed if test in tests] or run.unfinished
        if failed and self.without(failed).passed and not self.run(failed, fault).passed:
            return True
        return self.without(tests).passed and not self.run(tests, fault).passed

    def without(self, tests):
        """A run of the tests without a fault."""
        key = frozenset(tests)
        if key not in self.clean:
            run = self.run(tests, processor=600)
            with self.lock:
                self.clean[key] = run
        return self.clean[key]

    def run(self, tests, fault=None, processor=None):
        # The estimate is too low for a few tests.
        processor = processor or 15 + 4 * sum(self.reach.seconds[test] for test in tests)
        # On a busy machine the tests get a small share of the processor.
        run = Run([filter_of(tests, self.reach.seconds)], fault, limit=300 + 10 * processor, processor=processor)
        if run.passed and (missing := set(tests) - set(run.tests)):
            raise RuntimeError(f"These tests were not run: {', '.join(sorted(missing))}")
        return run
