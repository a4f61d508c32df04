# SPDX-License-Identifier: Apache-2.0
"""The copy of the package with the faults, and its build."""
import pathlib
import re
import subprocess
import sys

from . import processes
from .switches import faults_of_errors, with_switches

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Some tests read the sources of examples and documents.
FOLDERS = ("Documentation", "Examples", "Sources", "Tests", "Tools")
# An additional module, which all others import, instead of the benchmarks.
MANIFEST = """
let switchable = package.targets.filter { ![.system, .test].contains($0.type) && !$0.name.contains("Benchmark") }
for target in switchable where target.name != "CAllocationCounter" { target.dependencies.append("ActiveFault") }
package.products.removeAll { $0.name != "almanac" }
package.targets.removeAll { $0.name.contains("Benchmark") || $0.name == "CAllocationCounter" }
package.targets.append(.target(name: "ActiveFault", path: "ActiveFault"))
"""


def read_package():
    """Returns the current files of the package, which may then be edited while the tests run."""
    names = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z", *FOLDERS, "Package.swift"],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return {name: (ROOT / name).read_bytes() for name in names if name and (ROOT / name).is_file()}


def commit():
    """Returns the commit of the package, and whether there are changes."""
    def git(*arguments):
        return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()

    changed = "with changes" if git("status", "--porcelain", "--", "Sources", "Tests") else ""
    return f"{git('rev-parse', '--short', 'HEAD')} {changed}".strip()


class Copy:
    """A copy of the package in a folder of .build, and the files of the package at the time of the copy.

    Random faults and those of security have separate copies.
    """

    def __init__(self, name):
        self.folder, self.package, self.commit = ROOT / ".build" / "mutate" / name, read_package(), commit()

    def write(self, name, content):
        """Writes a file. An unchanged file keeps its time, so it is not compiled again."""
        path = self.folder / name
        if path.is_file() and path.read_bytes() == content:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def update(self, faults):
        """Updates the copy with the switches of the faults, and returns the faults with a switch."""
        switched = []
        for name, content in self.package.items():
            of_file = [fault for fault in faults if fault.path == name]
            if of_file:
                text, those = with_switches(content.decode(), of_file)
                content = text.encode()
                switched += those
            self.write(name, content + MANIFEST.encode() if name == "Package.swift" else content)
        for folder in FOLDERS:
            for path in (self.folder / folder).rglob("*"):
                if path.is_file() and str(path.relative_to(self.folder)) not in self.package:
                    path.unlink()
        self.write("ActiveFault/ActiveFault.swift", pathlib.Path(__file__).with_name("ActiveFault.swift").read_bytes())
        return switched

    def build(self):
        """Returns the exit status and the output."""
        return processes.run(["swift", "build", "--build-tests", "-Xswiftc", "-gnone"], self.folder, 7200)

    def build_switches(self, faults):
        """Builds the faults that can be built together, and returns them."""
        beside = faults
        while True:
            beside = self.update(beside)
            status, output = self.build()
            if status == 0:
                return beside
            broken = faults_of_errors(output, beside, self.folder)
            print("\n".join(re.findall(r"^/\S+ error: .*", output, re.M)), file=sys.stderr)
            if not broken:
                sys.exit(f"{output[-6000:]}\nThe copy does not build.")
            beside = [fault for fault in beside if fault not in broken]

    def test_command(self, filters, events=None):
        """Returns the command that runs the tests of the filters."""
        arguments = [argument for pattern in filters for argument in ("--filter", pattern)]
        if events:
            arguments += ["--event-stream-output-path", str(events), "--event-stream-version", "0"]
        if sys.platform == "linux":
            # Without planning a build, which takes longer than most tests.
            bundle = next(self.folder.glob(".build/*-linux-*/debug/*PackageTests.xctest"))
            return [str(bundle), "--testing-library", "swift-testing", *arguments]
        return ["swift", "test", "--skip-build", "--disable-xctest", "-Xswiftc", "-gnone", *arguments]
