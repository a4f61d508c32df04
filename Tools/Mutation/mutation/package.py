# SPDX-License-Identifier: Apache-2.0
"""The copy of the package with the faults, and its build."""
import pathlib
import re
import subprocess
import sys

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


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


class Copy:
    """A copy of the package in a folder of .build, and the files of the package at the time of the copy.

    Random faults and those of security have separate copies.
    """

    def __init__(self, name):
        self.folder = ROOT / ".build" / "mutate" / name
        names = git("ls-files", "-co", "--exclude-standard", "-z", *FOLDERS, "Package.swift").split("\0")
        self.package = {name: (ROOT / name).read_bytes() for name in names if name and (ROOT / name).is_file()}

    def write(self, name, content):
        """Writes a file. An unchanged file keeps its time, so it is not compiled again."""
        path = self.folder / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def update(self, faults):
        """Updates the copy with the switches of the faults, and returns the faults with a switch."""
        switched = []
        for name, content in self.package.items():
            if of_file := [fault for fault in faults if fault.path == name]:
                text, those = with_switches(content.decode(), of_file)
                content = text.encode()
                switched += those
            self.write(name, content + MANIFEST.encode() if name == "Package.swift" else content)
        for folder in FOLDERS:
            for path in (self.folder / folder).rglob("*"):
                if path.is_file() and str(path.relative_to(self.folder)) not in self.package:
                    path.unlink()
        self.write("ActiveFault/ActiveFault.swift", (ROOT / "Tools/Mutation/ActiveFault.swift").read_bytes())
        return switched

    def build(self, faults):
        """Builds the faults that compile together, and returns them."""
        while True:
            faults = self.update(faults)
            built = subprocess.run(
                ["swift", "build", "--build-tests", "-Xswiftc", "-gnone"], cwd=self.folder, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True)
            if built.returncode == 0:
                return faults
            broken = faults_of_errors(built.stdout, faults, self.folder)
            print("\n".join(re.findall(r"^/\S+ error: .*", built.stdout, re.M)), file=sys.stderr)
            if not broken:
                sys.exit(f"{built.stdout[-6000:]}\nThe copy does not build.")
            faults = [fault for fault in faults if fault not in broken]

    def test_targets(self):
        """Returns the names of the test targets."""
        listed = subprocess.run(["swift", "test", "list", "--skip-build"], cwd=self.folder, check=True, capture_output=True, text=True)
        return sorted({line.partition(".")[0] for line in listed.stdout.splitlines() if "." in line})

    def test_command(self, target, results):
        """Returns the command that runs the tests of a target, and writes their results as XML."""
        arguments = ["--filter", rf"^{target}\.", "--xunit-output", str(results)]
        # Without planning a build, which takes longer than most tests.
        bundle = next(self.folder.glob(".build/*-linux-*/debug/*PackageTests.xctest"))
        return [str(bundle), "--testing-library", "swift-testing", *arguments]
