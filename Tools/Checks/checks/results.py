# SPDX-License-Identifier: Apache-2.0
"""The result of a check, and the summary of all results."""
import re
import shlex
from dataclasses import dataclass


@dataclass
class Result:
    """The result of a check. Without `seconds`, the check was not run."""

    check: object
    fault: str = None
    seconds: float = None
    # The names of the failures that did not recur.
    flaky: tuple = ()
    log: str = ""
    # The seconds of processor time, with the processes that the command waited for.
    processor: float = 0


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


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def summary(results, seconds):
    """Returns the results as text: the time and the processor time of each check, and a line with the totals."""
    lines = ["  time  processor  check"]
    for result in results:
        fault = " was not run" if result.seconds is None else f" FAILED: {result.fault}" if result.fault else ""
        times = ("-", "-") if result.seconds is None else (clock(result.seconds), clock(result.processor))
        lines.append(f"{times[0]:>6}  {times[1]:>9}  {result.check.name}{fault}")
        lines += [f"{'':>17}  flaky: {name}" for name in result.flaky]
    ran, failed = sum(result.seconds is not None for result in results), sum(bool(result.fault) for result in results)
    lines.append(f"{clock(seconds):>6}  {clock(sum(result.processor for result in results)):>9}  {ran} of {len(results)} checks ran, {failed or 'none'} failed")
    return "\n".join(lines)
