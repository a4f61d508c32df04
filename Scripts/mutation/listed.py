# SPDX-License-Identifier: Apache-2.0
"""The deliberate faults of Tests/Faults, which are tried with the tests that each names."""
import os
import sys
import time
import zlib

from . import equivalent
from .package import COPY, ROOT, build, build_switches, read_package, write
from .runs import Run


class Fault:
    def __init__(self, module, number, title, path, tests, script=None):
        self.module, self.number, self.title, self.path = module, number, title, path
        # What the fault is tried with: the filter, and the script that runs the tests with what they need, or None.
        self.tests = tests, script
        # The number in the code does not change when others are added to the list.
        self.identifier = zlib.crc32(f"{module}: {title}".encode())
        self.old, self.new = [], []

    def __str__(self):
        return f"{self.module} {self.number}: {self.title}"

    def change(self, text):
        """The range of the text that is replaced, and its replacement."""
        old, new = "\n".join(self.old), "\n".join(self.new)
        start = text.index(old)
        prefix = len(os.path.commonprefix([old, new]))
        suffix = len(os.path.commonprefix([old[prefix:][::-1], new[prefix:][::-1]]))
        return start + prefix, start + len(old) - suffix, new[prefix:len(new) - suffix]

    def problem(self):
        """Why the fault cannot be put in, or None."""
        path = ROOT / self.path
        if not path.is_file():
            return f"{self.path} does not exist"
        old, new = "\n".join(self.old), "\n".join(self.new)
        if not old or old == new:
            return "the old text is empty or the same as the new one"
        count = path.read_text().count(old)
        return None if count == 1 else f"the old text stands in {self.path} {count} times"


def read_faults():
    faults = []
    for file in sorted((ROOT / "Tests" / "Faults").glob("*.txt")):
        if file == equivalent.FILE:
            continue
        path = tests = script = None
        for line in file.read_text().splitlines():
            key, _, value = line.partition(": ")
            if key == "file":
                path = value
            elif key == "tests":
                tests, script = value, None
            elif key == "with":
                script = value
            elif key == "fault":
                faults.append(Fault(file.stem, sum(f.module == file.stem for f in faults) + 1, value, path, tests, script))
            elif line.startswith("-"):
                faults[-1].old.append(line[2:])
            elif line.startswith("+"):
                faults[-1].new.append(line[2:])
            elif line and not line.startswith("#"):
                sys.exit(f"{file}: this line cannot be read: {line}")
    titles = [(fault.module, fault.title) for fault in faults]
    for twice in {title for title in titles if titles.count(title) > 1}:
        sys.exit(f"{twice[0]} has two faults with the title: {twice[1]}")
    return faults


def chosen(faults, only):
    """The faults that --only names: MODULE, MODULE:NUMBER or MODULE:FIRST-LAST."""
    if not only:
        return faults
    result = []
    for name in only:
        module, _, numbers = name.partition(":")
        first, _, last = numbers.partition("-")
        found = [fault for fault in faults if fault.module == module and (
            not numbers or int(first) <= fault.number <= int(last or first))]
        if not found:
            sys.exit(f"There are no such faults: {name}")
        result += found
    return result


def with_fault(text, fault):
    start, end, new = fault.change(text)
    return text[:start] + new + text[end:]


def test(tests, limit, fault=None):
    """Runs tests with a fault, up to the first that fails, and returns what that test is called, or None if all passed."""
    pattern, script = tests
    run = Run([pattern], fault, limit, script=script)
    if run.passed:
        return f"no test matches {pattern}" if run.ran_nothing else None
    return run.reason


def try_fault(package, fault, limit, is_switched):
    """Returns "noticed", "survived" or "does not compile", and by what it was noticed."""
    if is_switched:
        failure = test(fault.tests, limit, fault)
        return "noticed" if failure else "survived", failure
    switches = (COPY / fault.path).read_bytes()
    try:
        write(fault.path, with_fault(package[fault.path].decode(), fault).encode())
        status, output = build()
        if status != 0:
            print(output[-2000:], file=sys.stderr)
            return "does not compile", None
        failure = test(fault.tests, limit)
        return "noticed" if failure else "survived", failure
    finally:
        write(fault.path, switches)


def check(faults):
    """Ends the program if one of the faults cannot be put in."""
    unusable = [(fault, fault.problem()) for fault in faults if fault.problem()]
    for fault, problem in unusable:
        print(f"{fault}: {problem}", file=sys.stderr)
    if unusable:
        sys.exit(2)


def run_faults(everything, faults, aim):
    """Tries the faults one after the other, prints their outcomes, and returns the exit status."""
    # All faults are built, whichever are chosen, so that the next choice needs no build.
    start = time.monotonic()
    package, usable = read_package(), [fault for fault in everything if not fault.problem()]
    switched = build_switches(package, usable)
    print(f"built in {time.monotonic() - start:.0f} s; faults that need a build of their own: "
          f"{', '.join(str(fault) for fault in usable if fault not in switched) or 'none'}", flush=True)
    outcomes, limits, failing = [], {}, {}
    # Faults that are not switched change the build, so they come last.
    for fault in sorted(faults, key=lambda fault: fault not in switched):
        if fault.tests not in limits:
            start = time.monotonic()
            if failure := test(fault.tests, 900):
                failing[fault.tests] = failure
                print(f"{fault.tests[0]} fails without any fault: {failure}", flush=True)
            limits[fault.tests] = 20 + 4 * (time.monotonic() - start)
        if fault.tests in failing:
            continue
        start = time.monotonic()
        outcome, failure = try_fault(package, fault, limits[fault.tests], fault in switched)
        outcomes.append((fault, outcome))
        by = f" (by {failure.splitlines()[0]})" if failure else ""
        print(f"{outcome:16} {time.monotonic() - start:4.0f} s  {fault}{by}", flush=True)

    broken = [fault for fault, outcome in outcomes if outcome == "does not compile"]
    survivors = [fault for fault, outcome in outcomes if outcome == "survived"]
    print()
    for module in sorted({fault.module for fault in faults}):
        of_module = [outcome for fault, outcome in outcomes if fault.module == module]
        print(f"{module:24} {of_module.count('noticed'):4} of {len(of_module):4}")
    noticed = sum(outcome == "noticed" for _, outcome in outcomes)
    percent = 100 * noticed / max(1, noticed + len(survivors))
    print(f"{noticed} of {noticed + len(survivors)} faults were noticed ({percent:.1f} %).")
    for title, group in (("Survivors:", survivors), ("Faults that do not compile:", broken)):
        if group:
            print(title)
            for fault in group:
                print(f"  {fault} ({fault.path})")
    for (tests, _), failure in failing.items():
        print(f"{tests} fails without any fault, so that its faults were not tried: {failure.splitlines()[0]}")
    return 2 if broken or failing else 1 if percent < aim else 0

