# SPDX-License-Identifier: Apache-2.0
"""Runs checks, at most two at a time, repeats what failed, and prints a summary and the failures."""
import contextlib
import itertools
import os
import signal
import subprocess
import sys
import threading
import time

from . import failures
from .manifest import ROOT
from .results import Result, clock, fault_of, script, summary
from .session import end_session
from .table import ALONE, BESIDE, IN_TURN, QUICK

LOGS = ROOT / ".build" / "checks"
# The most repetitions that may succeed in one run.
FLAKY = 3


class Runner:
    """Runs checks. The output of a check goes to a file, because processes that outlive the check could keep a pipe open."""

    def __init__(self, keep_going=False, logs=LOGS, output=sys.stdout):
        self.keep_going, self.logs, self.output = keep_going, logs, output
        self.lock, self.is_stopped, self.processes, self.results = threading.Lock(), False, set(), {}

    def run(self, checks):
        """Runs the quick checks, then the others, and returns the results. After a failure, no more checks start unless `keep_going` is set."""
        self.logs.mkdir(parents=True, exist_ok=True)
        failures.EVENTS.unlink(missing_ok=True)
        try:
            for _, group in itertools.groupby(checks, lambda check: (check.kind == QUICK, check.runs == ALONE)):
                waiting = list(group)
                lanes = [threading.Thread(target=self.run_lane, args=(waiting, kinds), daemon=True) for kinds in ((ALONE, IN_TURN, BESIDE), (BESIDE,))]
                for lane in lanes:
                    lane.start()
                for lane in lanes:
                    lane.join()
        finally:
            self.stop()
        return [self.results.get(check.name, Result(check)) for check in checks]

    def stop(self):
        """Ends the running checks and all processes that they started, with time to remove temporary files."""
        with self.lock:
            self.is_stopped, processes = True, list(self.processes)
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            deadline = time.monotonic() + 10
            while process in self.processes and time.monotonic() < deadline:
                time.sleep(0.05)
            end_session(process.pid)

    def run_lane(self, waiting, kinds):
        """Runs the waiting checks of some kinds, one after another, those of the first kind first."""
        while True:
            with self.lock:
                found = min((check for check in waiting if check.runs in kinds), key=lambda check: kinds.index(check.runs), default=None)
                if self.is_stopped or not found:
                    return
                waiting.remove(found)
            self.run_check(found)

    def run_check(self, check):
        self.say(f"\n== {check.name}: {check.proves}")
        result = self.attempt(check, check.command, check.name)
        parts = failures.repeatable(result, FLAKY) if result.fault and not self.is_stopped else []
        for number, (_, command) in enumerate(parts, 1):
            self.say(f"-- {check.name} failed: once more, {command}")
            second = self.attempt(check, command, f"{check.name} again {number}")
            result.seconds += second.seconds
            result.processor += second.processor
            if failures.has_failed_again(second):
                break
        if parts and not failures.has_failed_again(second):
            # The output of the first attempt can have another fault, such as a warning.
            result.fault, result.flaky = fault_of(check, 0, result.log), tuple(name for name, _ in parts)
        self.results[check.name] = result
        again = "".join(f", flaky: {name}" for name in result.flaky)
        self.say(f"-- {check.name} took {clock(result.seconds)}{again}{f', FAILED: {result.fault}' if result.fault else ''}")
        self.is_stopped |= bool(result.fault) and not self.keep_going

    def attempt(self, check, command, name):
        """Runs a command of a check, prints its output at its end, and returns the result."""
        began, log = time.monotonic(), self.logs / f"{name.replace(' ', '-')}.log"
        # Under the lock, so that `stop` ends each process that was started.
        with log.open("wb") as output, self.lock:
            if self.is_stopped:
                return Result(check, "it was stopped", 0)
            process = subprocess.Popen(
                ["bash", "-euo", "pipefail", "-c", script(check, command)], cwd=ROOT, env=os.environ | {"PYTHONUNBUFFERED": "1"},
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
            self.processes.add(process)
        _, status, usage = os.wait4(process.pid, 0)
        # Popen must not wait for the process again.
        process.returncode = status = os.waitstatus_to_exitcode(status)
        self.processes.discard(process)
        text = log.read_text(errors="replace")
        self.say(f"\n== {name}:\n{text}")
        return Result(check, fault_of(check, status, text), time.monotonic() - began, log=text, processor=usage.ru_utime + usage.ru_stime)

    def say(self, text):
        with self.lock:
            print(text, file=self.output, flush=True)


def main(checks, keep_going=False):
    """Runs checks, prints the summary and then the failures, and returns the exit status."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    runner, began = Runner(keep_going), time.monotonic()
    results = runner.run(checks)
    runner.say(f"\n== summary; the output of each check is in {LOGS.relative_to(ROOT)}\n{summary(results, time.monotonic() - began)}")
    flaky = [name for result in results for name in result.flaky]
    if len(flaky) > FLAKY:
        runner.say(f"FAILED: {len(flaky)} failures did not recur, and at most {FLAKY} may.")
    for text in failures.texts(results):
        runner.say(text)
    return 1 if len(flaky) > FLAKY or any(result.fault for result in results) else 0
