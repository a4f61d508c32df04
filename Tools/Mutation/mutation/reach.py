# SPDX-License-Identifier: Apache-2.0
"""The tests that reach each fault's place, from one run of all tests without a fault."""
import collections
import hashlib
import json
import sys

from .processes import processor_time
from .runs import Run

# The assumed seconds of a test that reaches no fault's place, because it starts programs or its subject has no code.
UNKNOWN = 2


class Reach:
    """The tests by fault ("?" stands for code outside any test), and the seconds of each test.

    The estimated processor time of a test is its seconds times `share`.
    """

    def __init__(self, passed, seconds, share, failing):
        self.passed, self.seconds, self.share, self.failing = passed, seconds, share, failing

    def tests_of(self, fault):
        """Returns the tests that reach a fault in the order of the trials: cheap tests first, tests of other modules later.

        If its place was also reached outside a test's task, all of its own tests are included.
        """
        names = set(self.passed.get(fault.identifier, ()))
        if "?" in names:
            names |= set(filter(fault.owns, self.seconds))
        usable = [name for name in names if name in self.seconds and name not in self.failing]
        return sorted(usable, key=lambda name: (self.cost([name]) * (1 if fault.owns(name) else 3), name))

    def recorded(self, fault):
        """Returns the tests that reach a fault in their own tasks, which is always recorded."""
        return {name for name in self.passed.get(fault.identifier, ()) if name in self.seconds}

    def is_passed(self, fault):
        return bool(self.passed.get(fault.identifier))

    def cost(self, tests):
        """Returns an estimate of the seconds of processor time."""
        return self.share * sum(self.seconds[test] for test in tests)

    def wait(self, tests):
        """Returns the seconds that one of the tests may wait without using the processor."""
        return max((self.seconds[test] for test in tests), default=0)


def read_passed(path):
    """Returns the recorded tests of each fault."""
    passed = collections.defaultdict(set)
    for note, test in lines_of(path):
        if note.isdigit():
            passed[int(note)].add(test)
    return passed


def lines_of(path):
    lines = path.read_text().splitlines() if path.is_file() else []
    return [(note, test) for note, _, test in (line.partition("\t") for line in lines)]


def seconds_of(run, path):
    """Returns the seconds of each test, without its wait for others.

    Tests start together, and wait for their turn. A test without arguments counts from its first arrival at the place of any fault.
    """
    result = dict.fromkeys(run.tests, UNKNOWN)
    for note, test in lines_of(path):
        if note.startswith("begin ") and test in result:
            result[test] = run.ends[test] - float(note.split()[1])
    return result | {test: seconds for test, seconds in run.cases.items() if test in result}


def record(copy, faults):
    """Runs all tests of a copy, or reads the record of the last run of the same copy."""
    noted, saved_file = copy.folder / "passed.txt", copy.folder / "reach.json"
    digest = hashlib.sha256(repr((sorted(copy.package.items()), sorted(fault.identifier for fault in faults))).encode())
    digest.update((copy.folder / "Package.swift").read_bytes())
    if saved_file.is_file():
        saved = json.loads(saved_file.read_text())
        if saved["digest"] == digest.hexdigest():
            passed = {int(key): value for key, value in saved["passed"].items()}
            return Reach(passed, saved["seconds"], saved["share"], saved["failing"])
    for _ in range(3):
        noted.unlink(missing_ok=True)
        before = processor_time()
        run = Run(copy, ["."], limit=7200, record=noted, failures=None)
        used = processor_time() - before
        if run.is_complete:
            break
        print(f"{run.output[-1000:]}\nThe run of all tests did not finish ({run.status}): {', '.join(run.unfinished)}",
              file=sys.stderr)
    else:
        sys.exit("The tests do not finish without a fault. Fix them first.")
    passed = {fault: sorted(tests) for fault, tests in read_passed(noted).items()}
    seconds = seconds_of(run, noted)
    # Tests run concurrently, and wait.
    share = min(1, used / max(1, sum(seconds.values())))
    reach = Reach(passed, seconds, share, sorted(filter(None, run.failed)))
    saved_file.write_text(json.dumps({
        "digest": digest.hexdigest(), "passed": passed, "seconds": seconds, "share": share, "failing": reach.failing}))
    return reach
