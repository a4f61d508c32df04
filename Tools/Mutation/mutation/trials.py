# SPDX-License-Identifier: Apache-2.0
"""Tries each fault with the test targets that reach it, several faults concurrently."""
import concurrent.futures
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
from xml.etree import ElementTree

from checks.session import end_session

DETECTED, SURVIVED = "detected", "survived"
# Fewer random repetitions in the tests: a fault that only some random inputs reveal does not count as detected.
SETTINGS = {
    "SWIFT_BACKTRACE": "enable=no", "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "8", "ALMANAC_KILLS": "40", "ORACLE_ROUNDS": "2000",
    # A test that hangs because of a fault ends, and the others continue.
    "ALMANAC_IDLE_SECONDS": "15"}


class Trials:
    """One run of each test target without a fault records the faults that it reaches, its failures and its duration."""

    def __init__(self, copy, jobs):
        self.copy, self.jobs = copy, jobs
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            targets = copy.test_targets()
            self.clean = dict(zip(targets, pool.map(lambda target: Run(copy, target), targets)))
        unusable = [target for target, run in self.clean.items() if run.was_ended]
        if unusable:
            sys.exit(f"These tests do not finish without a fault. Fix them first: {', '.join(unusable)}")

    def outcomes(self, faults):
        """Yields each fault with its outcome and the reason, in the order of their ends."""
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            running = {pool.submit(self.outcome, fault): fault for fault in faults}
            for done in concurrent.futures.as_completed(running):
                yield running[done], *done.result()

    def outcome(self, fault):
        targets = [target for target, run in self.clean.items() if fault.identifier in run.reached]
        # The tests of the fault's module detect most faults.
        for target in sorted(targets, key=lambda target: (target != f"{fault.module}Tests", self.clean[target].seconds)):
            clean = self.clean[target]
            failed = Run(self.copy, target, fault, 30 + 3 * clean.seconds).failed - clean.failed
            if failed and (failed := failed & Run(self.copy, target, fault, 30 + 3 * clean.seconds).failed):
                return DETECTED, f"{target}: {min(failed)}"
        return SURVIVED, f"reached by {', '.join(targets)}" if targets else "no test reaches it"


class Run:
    """A run of a test target: the failed tests, its duration, and without a fault the identifiers of the faults that it reached."""

    def __init__(self, copy, target, fault=None, limit=1800):
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="mutate-", ignore_cleanup_errors=True) as name:
            folder = pathlib.Path(name)
            # The temporary files of ended tests are removed with the folder.
            variables = SETTINGS | os.environ | {"TMPDIR": name}
            if fault:
                variables["ALMANAC_FAULT"] = str(fault.identifier)
            else:
                variables["ALMANAC_FAULTS_REACHED"] = str(folder / "reached.txt")
            # The shell leads the session: a leader that opens a terminal, as tests do, ends with it.
            process = subprocess.Popen(
                ["sh", "-c", '"$@"; exit $?', "sh", *copy.test_command(target, folder / "results.xml")], cwd=copy.folder, env=variables,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=bound)
            try:
                status = process.wait(limit)
            except subprocess.TimeoutExpired:
                status = None
            finally:
                end_session(process.pid)
                process.wait()
            self.seconds = time.monotonic() - start
            self.failed = failed_tests(folder.glob("results*.xml"))
            # It was killed, looped or waited. Failed tests give the status 1.
            self.was_ended = status not in (0, 1) or (status == 1 and not self.failed)
            if self.was_ended:
                self.failed.add("the time limit" if status is None else "the end of the process")
            file = folder / "reached.txt"
            self.reached = set(map(int, file.read_text().split())) if file.exists() else set()


def failed_tests(files):
    failed = set()
    for file in files:
        try:
            cases = ElementTree.parse(file).iter("testcase")
        except ElementTree.ParseError:
            continue  # The process ended before it wrote the file.
        failed |= {f"{case.get('classname')}.{case.get('name')}" for case in cases if case.find("failure") is not None}
    return failed


def bound():
    """Limits the resources of a process that grows without an end."""
    for limit, value in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 1 << 30), (resource.RLIMIT_DATA, 6 << 30)):
        resource.setrlimit(limit, (value, value))
