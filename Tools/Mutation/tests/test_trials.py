# SPDX-License-Identifier: Apache-2.0
import pathlib
import unittest
from types import SimpleNamespace

from mutation.reach import Reach
from mutation.trials import DETECTED, SURVIVED, Trials, groups


class Fault:
    """A fault that some tests detect, or that ends their process, or that keeps tests from other faults."""

    def __init__(self, identifier, detected_by=(), crashes=False, hides=(), function=None):
        self.identifier, self.detected_by, self.crashes, self.hides = identifier, set(detected_by), crashes, set(hides)
        self.path, self.place = "Sources/M/A.swift", function or f"f{identifier}()"

    def __str__(self):
        return f"{self.path}:{self.identifier}"

    def owns(self, test):
        return True


def test(name):
    return f"MTests.S/{name}()/F.swift:1:2"


class Simulated(Trials):
    """Trials whose runs are computed instead of run."""

    def __init__(self, faults, costs):
        self.faults, self.runs, self.failing = {fault.identifier: fault for fault in faults}, [], set()
        passed = {fault.identifier: list(costs) for fault in faults}
        super().__init__(None, Reach(passed, costs, 1, []))

    def run(self, tests, faults=(), processor=None, record=None, failures=1):
        self.runs.append((set(tests), list(faults)))
        active = [fault for fault in faults if fault.identifier not in {hidden for other in faults for hidden in other.hides}]
        failed = [name for name in tests if name in self.failing or any(name in fault.detected_by for fault in active)]
        crashed = failed if any(fault.crashes and failed for fault in active) else []
        if record:
            pathlib.Path(record).write_text("".join(f"{fault.identifier}\t{name}\n" for fault in active for name in tests))
        failed = [] if crashed else failed[:failures]
        return SimpleNamespace(
            failed=failed, unfinished=crashed, passed=not failed and not crashed, was_ended=False,
            is_complete=not crashed and len(failed) < (failures or 1), reason=(failed or crashed or [None])[0])


class TrialTests(unittest.TestCase):
    cheap, dear = [test(f"cheap{n}") for n in range(3)], [test(f"dear{n}") for n in range(30)]

    def outcomes(self, faults, failing=()):
        self.trials = Simulated(faults, {name: 0.1 for name in self.cheap} | {name: 5 for name in self.dear})
        self.trials.failing = set(failing)
        return {fault.identifier: outcome for fault, (outcome, _) in
                self.trials.outcomes(faults, 1, lambda *_: None).items()}

    def test_a_cheap_test_spares_the_others(self):
        self.assertEqual(self.outcomes([Fault(1, self.cheap[:1])]), {1: DETECTED})
        self.assertFalse(any(tests.intersection(self.dear) for tests, _ in self.trials.runs))

    def test_survivors_of_cheap_tests_share_a_run(self):
        self.assertEqual(self.outcomes([Fault(n) for n in range(1, 11)]), {n: SURVIVED for n in range(1, 11)})
        self.assertEqual(len([1 for tests, _ in self.trials.runs if tests.intersection(self.dear)]), 1)

    def test_a_failure_of_a_shared_run_is_its_fault_alone(self):
        faults = [Fault(1), Fault(2, self.dear[:1]), Fault(3), Fault(4, self.dear[1:2])]
        self.assertEqual(self.outcomes(faults), {1: SURVIVED, 2: DETECTED, 3: SURVIVED, 4: DETECTED})

    def test_a_fault_that_others_hide_is_tried_alone(self):
        faults = [Fault(1, hides=[2]), Fault(2, self.dear[5:6])]
        self.assertEqual(self.outcomes(faults), {1: SURVIVED, 2: DETECTED})

    def test_a_process_that_ends_early_shows_nothing_of_the_other_faults(self):
        faults = [Fault(1), Fault(2, self.dear[:1], crashes=True), Fault(3, self.dear[4:5]), Fault(4)]
        self.assertEqual(self.outcomes(faults), {1: SURVIVED, 2: DETECTED, 3: DETECTED, 4: SURVIVED})

    def test_a_fault_that_fails_everything_hides_no_other(self):
        faults = [Fault(1, self.dear), Fault(2, self.dear[29:]), Fault(3)]
        self.assertEqual(self.outcomes(faults), {1: DETECTED, 2: DETECTED, 3: SURVIVED})

    def test_a_test_that_fails_without_a_fault_detects_none(self):
        self.assertEqual(self.outcomes([Fault(1), Fault(2)], failing=self.dear[:1] + self.cheap[:1]), {1: SURVIVED, 2: SURVIVED})

    def test_faults_of_one_function_are_never_active_together(self):
        faults = [Fault(1, function="f"), Fault(2, function="f"), Fault(3, function="g")]
        found = groups({fault: [self.dear[0]] for fault in faults})
        self.assertEqual([[fault.identifier for fault in group] for group in found], [[1, 3], [2]])


if __name__ == "__main__":
    unittest.main()
