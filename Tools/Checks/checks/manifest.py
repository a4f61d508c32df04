# SPDX-License-Identifier: Apache-2.0
"""The manifest of the package: its products, its targets and their dependencies."""
import json
import pathlib
import platform
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
SYSTEM = {"Darwin": "macos"}.get(platform.system(), platform.system().lower())


class Manifest:
    """A manifest for one platform, from `swift package dump-package`."""

    def __init__(self, description, system=SYSTEM):
        self.products, self.system = description["products"], system
        self.targets = {target["name"]: target for target in description["targets"]}

    @property
    def libraries(self):
        """The names of the libraries among the products."""
        return {product["name"] for product in self.products if "library" in product["type"]}

    @classmethod
    def read(cls, folder=ROOT):
        """Returns the manifest of the package in a folder."""
        command = ["swift", "package", "--package-path", str(folder), "dump-package"]
        return cls(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout))

    def declared(self, name):
        """Yields the dependencies of a target on any platform, each with its platforms, or None for all."""
        for dependency in self.targets[name]["dependencies"]:
            other, condition = (dependency.get("byName") or dependency["target"])[:2]
            yield other, (condition or {}).get("platformNames") or None

    def dependencies(self, name):
        """Returns the direct dependencies of a target on this platform."""
        return [other for other, platforms in self.declared(name) if platforms is None or self.system in platforms]

    def closure(self, names):
        """Returns the targets with these names, and all their direct and indirect dependencies."""
        found, left = set(), list(names)
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += self.dependencies(name)
        return found

    def above(self, names):
        """Returns the targets with these names, and all targets that depend on them, directly or indirectly."""
        wanted = set(names)
        return {name for name in self.targets if wanted & self.closure([name])}

    def folder(self, name):
        """Returns the folder of a target, relative to the package."""
        target = self.targets[name]
        return pathlib.PurePosixPath(target.get("path") or ("Tests/" if target["type"] == "test" else "Sources/") + name)

    def target_of(self, path):
        """Returns the name of the target whose folder contains a file, or None. For nested folders, it is the innermost."""
        parents = pathlib.PurePosixPath(path).parents
        names = [name for name in self.targets if self.folder(name) in parents]
        return max(names, key=lambda name: len(self.folder(name).parts), default=None)

    def tests(self, names):
        """Returns the test targets among these targets, in alphabetical order."""
        return sorted(name for name in names if self.targets[name]["type"] == "test")

    def sources(self, name):
        """Returns the Swift files of a target, with their paths."""
        folder = ROOT / self.folder(name)
        excluded = [folder / path for path in self.targets[name].get("exclude", [])]
        return sorted(file for file in folder.rglob("*.swift") if not any(file.is_relative_to(path) for path in excluded))
