# SPDX-License-Identifier: Apache-2.0
"""The copy of the package that faults are put into, and its build."""
import pathlib
import re
import subprocess
import sys

from . import processes
from .switches import faults_of_errors, with_switches

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COPY = ROOT / ".build" / "mutate"
# One more module, which all others import, in place of the benchmarks.
MANIFEST = """
let switchable = package.targets.filter { ![.system, .test].contains($0.type) && !$0.name.hasSuffix("Benchmarks") }
for target in switchable where target.name != "CAllocationCounter" { target.dependencies.append("ActiveFault") }
package.products.removeAll { $0.name != "almanac" }
package.targets.removeAll { $0.path?.hasPrefix("Examples/") == true }
package.targets.removeAll { $0.name.hasSuffix("Benchmarks") || $0.name == "CAllocationCounter" }
package.targets.append(.target(name: "ActiveFault", path: "ActiveFault"))
"""
# Tests of one module need no other's to be built.
ONLY = """
let picked: Set<String> = %s
package.targets.removeAll { $0.type == .test && !picked.contains($0.name) }
"""


def read_package():
    """The files of the package as they are now, so that they may be edited while the tests run."""
    names = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z", "API", "Examples", "Sources", "Tests", "Package.swift"],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return {name: (ROOT / name).read_bytes() for name in names if name and (ROOT / name).is_file()}


def write(name, content):
    """Writes a file of the copy; one that does not change keeps its time, so that it is not compiled again."""
    path = COPY / name
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def copy_package(package, faults, tests=None):
    """Brings the copy up to date, with the switches of the faults, and returns those that have one.

    With `tests`, the copy has these test targets only.
    """
    switched = []
    manifest = MANIFEST + (ONLY % ("[" + ", ".join(f'"{name}"' for name in sorted(tests)) + "]") if tests else "")
    for name, content in package.items():
        of_file = [fault for fault in faults if fault.path == name]
        if of_file:
            text, those = with_switches(content.decode(), of_file)
            content = text.encode()
            switched += those
        write(name, content + manifest.encode() if name == "Package.swift" else content)
    for folder in ("API", "Examples", "Sources", "Tests"):
        for copy in (COPY / folder).rglob("*"):
            if copy.is_file() and str(copy.relative_to(COPY)) not in package:
                copy.unlink()
    write("ActiveFault/ActiveFault.swift", pathlib.Path(__file__).with_name("ActiveFault.swift").read_bytes())
    return switched


def build():
    """Returns the exit status and the output."""
    return processes.run(["swift", "build", "--build-tests", "-Xswiftc", "-gnone"], COPY, 7200)


def build_switches(package, faults, tests=None):
    """Builds the copy with as many faults as can be built together, and returns those."""
    beside = faults
    while True:
        beside = copy_package(package, beside, tests)
        status, output = build()
        if status == 0:
            return beside
        broken = faults_of_errors(output, beside, COPY)
        print("\n".join(re.findall(r"^/\S+ error: .*", output, re.M)), file=sys.stderr)
        if not broken:
            sys.exit(f"{output[-6000:]}\nThe copy does not build.")
        beside = [fault for fault in beside if fault not in broken]


def test_command(filters, events=None, script=None):
    """The command that runs the tests that match one of the filters, by a script of the package if they need one."""
    prefix = [str(ROOT / "Scripts" / script), "--run"] if script else []
    arguments = [argument for pattern in filters for argument in ("--filter", pattern)]
    if events:
        arguments += ["--event-stream-output-path", str(events), "--event-stream-version", "0"]
    if sys.platform == "linux":
        # The same without planning a build, which takes longer than most tests.
        bundle = next(COPY.glob(".build/*-linux-*/debug/*PackageTests.xctest"))
        return [*prefix, str(bundle), "--testing-library", "swift-testing", *arguments]
    # A script may change the folder.
    return [*prefix, "swift", "test", "--package-path", str(COPY), "--skip-build", "--disable-xctest", "-Xswiftc", "-gnone",
            *arguments]
