# SPDX-License-Identifier: Apache-2.0
"""The tests that come to each fault's place, from one run of all tests without a fault."""
import collections
import hashlib
import json
import resource
import sys

from .package import COPY
from .runs import Run, parts_of

RECORD, SAVED = COPY / "passed.txt", COPY / "reach.json"


class Reach:
    """The tests by fault ("?" stands for places outside of any), and an estimate of each test's seconds of processor time."""

    def __init__(self, passed, seconds, failing):
        self.passed, self.seconds, self.failing = passed, seconds, failing

    def tests_of(self, fault):
        """The tests that come to a fault, those of its module first, in two lists.

        If its place was passed outside of a test's task, those of the module are all that it has.
        """
        names = set(self.passed.get(fault.identifier, ()))
        if "?" in names:
            names |= {test for test in self.seconds if parts_of(test)[0] == fault.tests}
        usable = sorted(name for name in names if name in self.seconds and name not in self.failing)
        return [[name for name in usable if (parts_of(name)[0] == fault.tests) == own] for own in (True, False)]

    def is_passed(self, fault):
        return bool(self.passed.get(fault.identifier))


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def record(package, faults):
    """Runs all tests of the copy, or reads what was noted when the same copy was run the last time."""
    digest = hashlib.sha256(repr((sorted(package.items()), sorted(fault.identifier for fault in faults))).encode())
    digest.update((COPY / "Package.swift").read_bytes())
    if SAVED.is_file():
        saved = json.loads(SAVED.read_text())
        if saved["digest"] == digest.hexdigest():
            return Reach({int(key): value for key, value in saved["passed"].items()}, saved["seconds"], saved["failing"])
    for _ in range(3):
        RECORD.unlink(missing_ok=True)
        before = processor_time()
        run = Run(["."], limit=7200, record=RECORD, to_the_end=True)
        # Tests begin together, and wait for each other.
        share = min(1, (processor_time() - before) / max(1, sum(run.tests.values())))
        if run.status is not None and run.status >= 0 and not run.unfinished:
            break
        print(f"The run of all tests did not end ({run.status}): {', '.join(run.unfinished)}", file=sys.stderr)
    else:
        sys.exit(f"{run.output[-3000:]}\nThe tests do not run to their end without a fault.")
    passed = collections.defaultdict(list)
    for line in RECORD.read_text().splitlines() if RECORD.is_file() else []:
        fault, _, test = line.partition("\t")
        if fault.isdigit() and test not in passed[int(fault)]:
            passed[int(fault)].append(test)
    seconds = {test: share * time for test, time in run.tests.items()}
    reach = Reach(passed, seconds, sorted(filter(None, run.failed)))
    print(f"recorded {len(run.tests)} tests in {run.time:.0f} s", flush=True)
    SAVED.write_text(json.dumps({
        "digest": digest.hexdigest(), "passed": passed, "seconds": seconds, "failing": reach.failing}))
    return reach
