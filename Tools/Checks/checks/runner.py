# SPDX-License-Identifier: Apache-2.0
"""Runs checks in their order, at most two at a time, repeats what failed, and prints a summary and the failures."""
import contextlib
import itertools
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass

from . import failures
from .manifest import ROOT
from .session import end_session
from .table import ALONE, BESIDE, IN_TURN

LOGS = ROOT / ".build" / "checks"
# The most repetitions that may succeed in one run.
FLAKY = 3


@dataclass
class Result:
    """The result of a check. Without `seconds`, the check was not run."""

    check: object
    fault: str = None
    seconds: float = None
    processor: float = 0
    # The names of the failures that did not recur.
    flaky: tuple = ()
    log: str = ""


def script(check, command):
    """Returns the commands for bash: the installation of the check's packages, then a command."""
    named = ((program, package or program) for program, _, package in (entry.partition("=") for entry in check.packages))
    install = " && ".join(f"need_package {shlex.quote(program)} {shlex.quote(package)}" for program, package in named)
    return f"(. Scripts/common.sh && {install})\n{command}" if install else command


def fault_of(check, status, output):
    """Returns the fault of a check that ended with a status and an output, or None."""
    if status:
        return f"exit status {status}"
    refused = re.search(check.refuses, output, re.MULTILINE) if check.refuses else None
    if refused:
        return f"the output has: {output[refused.start():].partition(chr(10))[0]}"
    missing = [text for text in check.prints if text not in output]
    return f"the output lacks: {missing[0]}" if missing else None


class Runner:
    """Runs checks. The output of a check goes to a file, because processes that outlive the check could keep a pipe open."""

    def __init__(self, keep_going=False, logs=LOGS, output=sys.stdout):
        self.keep_going, self.logs, self.output = keep_going, logs, output
        self.began, self.lock = time.monotonic(), threading.Lock()
        self.is_stopped, self.processes, self.results = False, set(), {}

    def run(self, checks):
        """Runs the checks, and returns their results. After a failure, no more checks start unless `keep_going` is set."""
        self.logs.mkdir(parents=True, exist_ok=True)
        # Those of an earlier run.
        failures.EVENTS.unlink(missing_ok=True)
        try:
            for is_alone, group in itertools.groupby(checks, lambda check: check.runs == ALONE):
                waiting = list(group)
                lanes = [(ALONE,)] if is_alone else [(IN_TURN, BESIDE), (BESIDE,)]
                threads = [threading.Thread(target=self.run_lane, args=(waiting, kinds), daemon=True) for kinds in lanes]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
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
                found = sorted((check for check in waiting if check.runs in kinds), key=lambda check: kinds.index(check.runs))
                if self.is_stopped or not found:
                    return
                waiting.remove(found[0])
            self.run_check(found[0])

    def run_check(self, check):
        self.say(f"\n== {self.clock()} {check.name}: {check.proves}\n")
        result = self.attempt(check, check.command, check.name)
        if result.fault and not self.is_stopped:
            self.repeat(result)
        self.results[check.name] = result
        again = "".join(f", flaky: {name}" for name in result.flaky)
        self.say(f"-- {self.clock()} {check.name} took {clock(result.seconds)}{again}{f', FAILED: {result.fault}' if result.fault else ''}\n")
        self.is_stopped |= bool(result.fault) and not self.keep_going

    def repeat(self, result):
        """Runs the failed parts of a check once more, and clears the fault if they succeed."""
        parts = failures.repeatable(result, FLAKY)
        for number, (name, command) in enumerate(parts, 1):
            self.say(f"-- {self.clock()} {result.check.name} failed: once more, {command}\n")
            second = self.attempt(result.check, command, f"{result.check.name} again {number}")
            result.seconds, result.processor = result.seconds + second.seconds, result.processor + second.processor
            if failures.has_failed_again(second):
                return
        if parts:
            # The output of the first attempt can have another fault, such as a warning.
            result.fault, result.flaky = fault_of(result.check, 0, result.log), tuple(name for name, _ in parts)

    def attempt(self, check, command, name):
        """Runs a command of a check, and returns the result. The output of a check that runs alone is printed as it arrives."""
        began, log = time.monotonic(), self.logs / f"{name.replace(' ', '-')}.log"
        # Under the lock, so that `stop` ends each process that was started.
        with log.open("wb") as output, self.lock:
            if self.is_stopped:
                return Result(check, "it was stopped", 0)
            process = subprocess.Popen(
                ["bash", "-euo", "pipefail", "-c", script(check, command)], cwd=ROOT, env=os.environ | {"PYTHONUNBUFFERED": "1"},
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
            self.processes.add(process)
        shown, ended = 0, 0
        while not ended:
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
            if not ended:
                time.sleep(0.05)
            if check.runs == ALONE or ended:
                with log.open("rb") as file:
                    file.seek(shown)
                    output = file.read()
                shown += len(output)
                self.write(output if check.runs == ALONE else f"\n== {name}:\n".encode() + output)
        self.processes.discard(process)
        process.returncode = os.waitstatus_to_exitcode(status)
        text = log.read_text(errors="replace")
        fault = fault_of(check, process.returncode, text)
        return Result(check, fault, time.monotonic() - began, usage.ru_utime + usage.ru_stime, log=text)

    def clock(self):
        return clock(time.monotonic() - self.began)

    def say(self, text):
        self.write(text.encode())

    def write(self, output):
        with self.lock:
            self.output.buffer.write(output)
            self.output.flush()


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def summary(results, seconds):
    """Returns the results as text: the time and the processor time of each check, and a line with the totals."""
    lines = ["  time  processor  check"]
    for result in results:
        if result.seconds is None:
            lines.append(f"{'-':>6}  {'-':>9}  {result.check.name} was not run")
        else:
            fault = f" FAILED: {result.fault}" if result.fault else ""
            lines.append(f"{clock(result.seconds):>6}  {clock(result.processor):>9}  {result.check.name}{fault}")
            lines += [f"{'':>17}  flaky: {name}" for name in result.flaky]
    ran, failed = sum(result.seconds is not None for result in results), sum(bool(result.fault) for result in results)
    lines.append(f"{clock(seconds):>6}  {clock(sum(r.processor for r in results)):>9}  {ran} of {len(results)} checks ran, {failed or 'none'} failed")
    return "\n".join(lines)


def main(checks, keep_going=False):
    """Runs checks, prints the summary and then the failures, and returns the exit status."""
    # Ends the running checks too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    runner = Runner(keep_going)
    try:
        results = runner.run(checks)
    except KeyboardInterrupt:
        return 130
    runner.say(f"\n== summary; the output of each check is in {LOGS.relative_to(ROOT)}\n")
    runner.say(summary(results, time.monotonic() - runner.began) + "\n")
    flaky = [name for result in results for name in result.flaky]
    if len(flaky) > FLAKY:
        runner.say(f"FAILED: {len(flaky)} failures did not recur, and at most {FLAKY} may.\n")
    for text in failures.texts(results):
        runner.say(text)
    return 1 if len(flaky) > FLAKY or any(result.fault for result in results) else 0
