# SPDX-License-Identifier: Apache-2.0
"""Runs checks in their order, some of them concurrently, and prints a summary of their durations."""
import itertools
import os
import re
import shlex
import signal
import subprocess
import sys
import time

from mutation.processes import end_session

from .manifest import ROOT
from .table import ALONE, BESIDE, IN_TURN

LOGS = ROOT / ".build" / "checks"


class Job:
    """A started check. Its output goes to a file, because processes that outlive the check could keep a pipe open."""

    def __init__(self, check, logs):
        self.check, self.began, self.shown = check, time.monotonic(), 0
        self.log = logs / f"{check.name.replace(' ', '-')}.log"
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                ["bash", "-euo", "pipefail", "-c", script(check)], cwd=ROOT, env=os.environ | {"PYTHONUNBUFFERED": "1"},
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)

    def new_output(self):
        """Returns the output since the last call."""
        with self.log.open("rb") as file:
            file.seek(self.shown)
            output = file.read()
        self.shown += len(output)
        return output

    def result(self):
        """Returns the result if the check has ended, or None."""
        process, status, usage = os.wait4(self.process.pid, os.WNOHANG)
        if not process:
            return None
        self.process.returncode = os.waitstatus_to_exitcode(status)
        fault = fault_of(self.check, self.process.returncode, self.log.read_text(errors="replace"))
        return Result(self.check, fault, time.monotonic() - self.began, usage.ru_utime + usage.ru_stime)

    def end(self):
        """Ends the check and all processes that it started, with time to remove temporary files."""
        try:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(timeout=10)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            pass
        end_session(self.process.pid)


class Result:
    """The result of a check: its fault or None, its seconds (None if it was not run), and its seconds of processor time."""

    def __init__(self, check, fault=None, seconds=None, processor=None):
        self.check, self.fault, self.seconds, self.processor = check, fault, seconds, processor

    @property
    def has_run(self):
        return self.seconds is not None


def script(check):
    """Returns the commands for bash: the installation of the check's packages, then the check."""
    named = ((program, package or program) for program, _, package in (entry.partition("=") for entry in check.packages))
    install = " && ".join(f"need_package {shlex.quote(program)} {shlex.quote(package)}" for program, package in named)
    return f"(. Scripts/common.sh && {install})\n{check.command}" if install else check.command


def fault_of(check, status, output):
    """Returns the fault of a check that ended with a status and an output, or None."""
    if status:
        return f"exit status {status}"
    refused = re.search(check.refuses, output, re.MULTILINE) if check.refuses else None
    if refused:
        end = output.find("\n", refused.start())
        return f"the output has: {output[refused.start():end if end >= 0 else None]}"
    missing = [text for text in check.prints if text not in output]
    return f"the output lacks: {missing[0]}" if missing else None


def able_to_begin(waiting, running):
    """Returns the waiting checks that can start beside the running ones: at most two checks run, and at most one of them in turn."""
    together = list(itertools.takewhile(lambda check: check.runs != ALONE, waiting))
    if not together:
        # It waits for all checks before it, and all checks after it wait for it.
        return [] if running else waiting[:1]
    active = list(running)
    # Those in turn come first: they are many, and wait for servers at times.
    for check in sorted(together, key=lambda check: check.runs == BESIDE):
        is_excluded = any(other.runs == ALONE or check.runs == other.runs == IN_TURN for other in active)
        if len(active) < 2 and not is_excluded:
            active.append(check)
    return active[len(running):]


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


class Runner:
    """Runs checks, and prints their output.

    The output of a check in turn is printed as it arrives. That of a concurrent check is printed after its end, between two others.
    """

    def __init__(self, keep_going=False, logs=LOGS, output=sys.stdout):
        self.keep_going, self.logs, self.output = keep_going, logs, output
        self.began = time.monotonic()
        self.running, self.results, self.unprinted = [], [], []

    def run(self, checks):
        """Runs the checks, and returns their results. After a failure, no more checks start unless `keep_going` is set."""
        self.logs.mkdir(parents=True, exist_ok=True)
        waiting = list(checks)
        try:
            while self.running or waiting:
                for check in able_to_begin(waiting, [job.check for job in self.running]):
                    waiting.remove(check)
                    self.begin(check)
                time.sleep(0.05)
                self.look()
                if waiting and not self.keep_going and any(result.fault for result in self.results):
                    self.results += [Result(check) for check in waiting]
                    waiting = []
        finally:
            for job in self.running:
                job.end()
        order = {check.name: number for number, check in enumerate(checks)}
        return sorted(self.results, key=lambda result: order[result.check.name])

    def begin(self, check):
        self.say(f"\n== {clock(time.monotonic() - self.began)} {check.name}: {check.proves}\n")
        self.running.append(Job(check, self.logs))

    def look(self):
        """Prints new output, and records the ended checks."""
        for job in list(self.running):
            result = job.result()
            if job.check.runs != BESIDE:
                self.write(job.new_output())
            if result:
                self.running.remove(job)
                self.results.append(result)
                self.unprinted.append((job, result))
        if all(job.check.runs == BESIDE for job in self.running):
            # First the rest of the output that is already partly printed.
            for job, result in sorted(self.unprinted, key=lambda ended: ended[0].check.runs == BESIDE):
                if job.check.runs == BESIDE:
                    self.say(f"\n== {job.check.name}:\n")
                    self.write(job.new_output())
                self.say(f"-- {job.check.name} took {clock(result.seconds)}" + (f", FAILED: {result.fault}\n" if result.fault else "\n"))
            self.unprinted = []

    def say(self, text):
        self.write(text.encode())

    def write(self, output):
        self.output.buffer.write(output)
        self.output.flush()


def summary(results, seconds):
    """Returns the results as text: the time and the processor time of each check, and a line with the totals."""
    lines = ["  time  processor  check"]
    for result in results:
        if result.has_run:
            fault = f" FAILED: {result.fault}" if result.fault else ""
            lines.append(f"{clock(result.seconds):>6}  {clock(result.processor):>9}  {result.check.name}{fault}")
        else:
            lines.append(f"{'-':>6}  {'-':>9}  {result.check.name} was not run")
    ran, failed = sum(result.has_run for result in results), sum(bool(result.fault) for result in results)
    processor = sum(result.processor for result in results if result.has_run)
    lines.append(f"{clock(seconds):>6}  {clock(processor):>9}  {ran} of {len(results)} checks ran, {failed or 'none'} failed")
    return "\n".join(lines)


def main(checks, keep_going=False):
    """Runs checks, prints the summary, and returns the exit status."""
    # Ends the running checks too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    runner = Runner(keep_going)
    try:
        results = runner.run(checks)
    except KeyboardInterrupt:
        return 130
    runner.say(f"\n== summary; the output of each check is in {LOGS.relative_to(ROOT)}\n")
    runner.say(summary(results, time.monotonic() - runner.began) + "\n")
    return 1 if any(result.fault for result in results) else 0
