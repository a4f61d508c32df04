# SPDX-License-Identifier: Apache-2.0
"""Tries the deliberate faults of Tests/Faults with the tests that each names."""
import sys

from . import scores
from .compile_check import compiling
from .package import Copy
from .reach import record
from .runs import Run
from .stage import Stage
from .trials import DETECTED, SURVIVED, Trials

BROKEN, UNTRIED = "does not compile", "not tried"


def run_faults(everything, faults, aim, jobs, is_written):
    """Tries faults, prints their outcomes, and returns the exit status."""
    # All faults are built, not only the selected ones, so the next selection needs no build.
    stage = Stage()
    copy, usable = Copy("mutate-listed"), [fault for fault in everything if not fault.problem()]
    switched = copy.build_switches(compiling(copy, usable))
    alone = [fault for fault in usable if fault not in switched]
    stage.end(f"built {len(switched)} faults, and {len(alone)} need a separate build:")
    reach = record(copy, switched)
    stage.end(f"{len(reach.seconds)} tests recorded")

    def show(fault, outcome, reason):
        print(f"{outcome:16} {stage.seconds:5.0f} s  {fault} ({reason})", flush=True)

    together = [fault for fault in faults if fault in switched and not fault.script]
    outcomes = Trials(copy, reach).outcomes(together, jobs, show)
    for fault in faults:
        if fault in switched and fault.script:
            outcomes[fault] = try_with_script(copy, fault)
            show(fault, *outcomes[fault])
    # They change the build, so they come last.
    for fault in faults:
        if fault in alone:
            outcomes[fault] = try_alone(copy, reach, fault)
            show(fault, *outcomes[fault])
    stage.end("tried")
    print()
    print(table(outcomes))
    for title, kind in (("Survivors:", SURVIVED), ("Faults that do not compile:", BROKEN), ("Faults that were not tried:", UNTRIED)):
        found = [fault for fault, (outcome, _) in outcomes.items() if outcome == kind]
        if found:
            print(f"\n{title}")
            for fault in found:
                print(f"  {fault} ({fault.path})")
    if reach.failing:
        print("\nNot used, because they failed without a fault:\n" + "\n".join(f"  {test}" for test in reach.failing))
    if is_written:
        scores.write_list(everything, outcomes)
    broken = any(outcome in (BROKEN, UNTRIED) for outcome, _ in outcomes.values())
    return 2 if broken else 1 if scores.percent_of(outcomes) < aim else 0


def try_with_script(copy, fault):
    """Returns the outcome of a fault whose tests need a script, and its reason."""
    if (reason := failure_with_script(copy, fault, [])) is not None:
        return UNTRIED, f"{fault.tests} fails without a fault: {reason}"
    reason = failure_with_script(copy, fault, [fault])
    return (DETECTED, reason) if reason else (SURVIVED, fault.tests)


def failure_with_script(copy, fault, active):
    run = Run(copy, [fault.tests], active, script=fault.script)
    if run.passed:
        return f"no test matches {fault.tests}" if run.ran_nothing else None
    return run.reason


def try_alone(copy, reach, fault):
    """Returns the outcome of a fault in a declaration, and its reason."""
    switches = (copy.folder / fault.path).read_bytes()
    try:
        text = copy.package[fault.path].decode()
        start, end, new = fault.change(text)
        copy.write(fault.path, (text[:start] + new + text[end:]).encode())
        status, output = copy.build()
        if status != 0:
            return BROKEN, output[-2000:]
        tests = [test for test in reach.seconds if fault.owns(test) and test not in reach.failing]
        if fault.script:
            reason = failure_with_script(copy, fault, [])
        else:
            reason = Trials(copy, reach).failure(tests)
        if reason:
            return DETECTED, reason
        return SURVIVED, f"{len(tests)} tests"
    finally:
        copy.write(fault.path, switches)


def table(outcomes):
    lines = []
    for module in sorted({fault.module for fault in outcomes}):
        of_module = [outcome for fault, (outcome, _) in outcomes.items() if fault.module == module]
        lines.append(f"{module:24} {of_module.count(DETECTED):4} of {len(of_module):4}")
    detected = sum(outcome == DETECTED for outcome, _ in outcomes.values())
    return "\n".join(lines + [f"{detected} of {len(outcomes)} faults were detected ({scores.percent_of(outcomes):.1f} %)."])
