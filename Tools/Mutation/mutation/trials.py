# SPDX-License-Identifier: Apache-2.0
"""Tries random faults with the tests that reach them, several concurrently.

Each fault is first tried alone with its cheap tests, which detect most faults. The survivors are then active together, many in one
process, for the other tests. A fault that a failed test reaches is tried alone with that test, and so is a fault that another one kept
a test from reaching.
"""
import concurrent.futures
import pathlib
import tempfile
import threading

from .processes import Watch
from .reach import read_passed
from .runs import Run, filter_of

DETECTED, SURVIVED = "detected", "survived"
# The seconds of processor time of the tests with which a fault is tried alone, in steps.
STEPS = (0.4, 3)
# The number of faults that are active together, and the number of failed tests after which such a run ends.
TOGETHER, FAILURES = 24, 20


class Trials:
    def __init__(self, copy, reach):
        self.copy, self.reach = copy, reach
        self.clean, self.passing, self.lock = {}, set(), threading.Lock()

    def outcomes(self, faults, jobs, report):
        """Returns the outcome of each fault and its reason, and reports each as it arrives."""
        result, left = {}, {}

        def finish(outcomes):
            for fault, (outcome, reason) in outcomes.items():
                result[fault] = outcome, reason
                report(fault, outcome, reason)

        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            alone = {pool.submit(self.alone, fault): fault for fault in faults}
            for done in concurrent.futures.as_completed(alone):
                outcome, tests = done.result()
                if outcome:
                    finish({alone[done]: outcome})
                else:
                    left[alone[done]] = tests
            for done in concurrent.futures.as_completed(pool.submit(self.together, group) for group in groups(left)):
                finish(done.result())
        return {fault: result[fault] for fault in faults}

    def alone(self, fault):
        """Returns the outcome after the cheap tests, or None and the remaining tests."""
        if not self.reach.is_passed(fault):
            return (SURVIVED, "no test comes to it"), []
        tests = self.reach.tests_of(fault)
        for step in STEPS:
            chosen, cost = [], 0
            while tests and cost + self.reach.cost(tests[:1]) <= step:
                cost += self.reach.cost(tests[:1])
                chosen.append(tests.pop(0))
            if chosen and (reason := self.detected(fault, chosen)):
                return (DETECTED, reason), []
        return (None, tests) if tests else (self.survived(fault), [])

    def together(self, group):
        """Returns the outcomes of faults that are active together, each with its remaining tests."""
        if len(group) == 1:
            [(fault, tests)] = group.items()
            reason = self.detected(fault, tests)
            return {fault: (DETECTED, reason) if reason else self.survived(fault)}

        tests = set().union(*group.values())
        with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
            record = pathlib.Path(folder, "passed.txt")
            run = self.run(tests, list(group), record=record, failures=FAILURES)
            passed = read_passed(record)
        suspects = tests.intersection(run.failed if run.is_complete else run.failed + run.unfinished)
        outcomes, rest = {}, {}
        for fault, own in group.items():
            reason = self.detected(fault, [test for test in own if test in suspects])
            if not reason and run.is_complete:
                missed = self.reach.recorded(fault) - passed[fault.identifier] - suspects
                reason = self.detected(fault, [test for test in own if test in missed])
            if reason or run.is_complete:
                outcomes[fault] = (DETECTED, reason) if reason else self.survived(fault)
            else:
                rest[fault] = own
        # The results of tests after an early end are unknown.
        parts = [rest] if outcomes else [dict(list(rest.items())[at::2]) for at in (0, 1)]
        for part in filter(None, parts if rest else []):
            outcomes.update(self.together(part))
        return outcomes

    def survived(self, fault):
        return SURVIVED, f"{len(self.reach.tests_of(fault))} tests reach it"

    def detected(self, fault, tests):
        """Returns the reason of a detection, or None. Tests must fail with the fault twice, and pass without it."""
        if not tests:
            return None
        run = self.run(tests, [fault])
        if run.passed:
            return None
        if run.was_ended:
            clean = self.without(tests)
            if clean.passed and 4 * clean.watch.used > run.watch.processor:
                run = self.run(tests, [fault], 10 + 4 * clean.watch.used)
            return run.reason if clean.passed and not run.passed else None
        failed = [test for test in run.failed if test in tests] or run.unfinished
        if failed and self.pass_without(failed) and not self.run(failed, [fault]).passed:
            return run.reason
        return run.reason if self.without(tests).passed and not self.run(tests, [fault]).passed else None

    def pass_without(self, tests):
        """Returns whether tests pass without a fault, now or in an earlier run."""
        unknown = set(tests) - self.passing
        if unknown and self.without(unknown).passed:
            with self.lock:
                self.passing |= unknown
        return self.passing.issuperset(tests)

    def without(self, tests):
        """Runs the tests without a fault."""
        key = frozenset(tests)
        if key not in self.clean:
            run = self.run(tests, processor=600)
            with self.lock:
                self.clean[key] = run
        return self.clean[key]

    def run(self, tests, faults=(), processor=None, **arguments):
        # The estimate is too low for few tests, but not for many.
        cost = self.reach.cost(tests)
        processor = processor or 6 + 2 * cost + min(2 * cost, 40)
        watch = Watch(processor, self.reach.wait(tests))
        # On a busy machine, the tests get a small share of the processor.
        run = Run(self.copy, [filter_of(tests, self.reach.seconds)], faults, 300 + 10 * processor, watch, **arguments)
        if run.passed and (missing := set(tests) - set(run.tests)):
            raise RuntimeError(f"These tests did not run: {', '.join(sorted(missing))}")
        return run


def groups(left):
    """Returns groups of faults to try together: adjacent faults, but at most one per function, because they exclude each other."""
    result = []
    for fault in sorted(left, key=lambda fault: (fault.path, str(fault))):
        group = next((group for group in result if fault.place not in group and len(group) < TOGETHER), None)
        if group is None:
            result.append(group := {})
        group[fault.place] = fault
    return [{fault: left[fault] for fault in group.values()} for group in result]
