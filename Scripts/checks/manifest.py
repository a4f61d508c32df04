# SPDX-License-Identifier: Apache-2.0
"""The manifest of the package: its products and targets, and which target depends on which."""
import json
import pathlib
import platform
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SYSTEM = {"Darwin": "macos"}.get(platform.system(), platform.system().lower())


class Manifest:
    """A manifest as `swift package dump-package` describes it, for one platform."""

    def __init__(self, description, system=SYSTEM):
        self.products, self.system = description["products"], system
        self.targets = {target["name"]: target for target in description["targets"]}

    @classmethod
    def read(cls, folder=ROOT):
        """Returns the manifest of the package in a folder."""
        command = ["swift", "package", "--package-path", str(folder), "dump-package"]
        return cls(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout))

    def declared(self, name):
        """The targets that a target depends on, on any platform, with the platforms of each or None for all."""
        for dependency in self.targets[name]["dependencies"]:
            other, condition = (dependency.get("byName") or dependency["target"])[:2]
            yield other, (condition or {}).get("platformNames") or None

    def dependencies(self, name):
        """The targets that a target depends on directly, on this platform."""
        return [other for other, platforms in self.declared(name) if platforms is None or self.system in platforms]

    def closure(self, names):
        """The targets with these names, and all that they depend on, directly or not."""
        found, left = set(), list(names)
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += self.dependencies(name)
        return found

    def above(self, names):
        """The targets with these names, and all that depend on them, directly or not."""
        wanted = set(names)
        return {name for name in self.targets if wanted & self.closure([name])}

    def folder(self, name):
        """The folder of a target, relative to that of the package."""
        target = self.targets[name]
        return pathlib.PurePosixPath(target.get("path") or ("Tests/" if target["type"] == "test" else "Sources/") + name)

    def target_of(self, path):
        """The name of the target whose folder has a file, or None. Of folders within each other, the inner one counts."""
        parents = pathlib.PurePosixPath(path).parents
        names = [name for name in self.targets if self.folder(name) in parents]
        return max(names, key=lambda name: len(self.folder(name).parts), default=None)

    def tests(self, names):
        """The test targets among these targets, in alphabetical order."""
        return sorted(name for name in names if self.targets[name]["type"] == "test")
