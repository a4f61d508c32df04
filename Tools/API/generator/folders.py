# SPDX-License-Identifier: Apache-2.0
"""Compares generated folders with the generated files, and updates them."""

import pathlib


class GeneratedFolders:
    """Folders below `root` in which every file is generated.

    `wanted` has the text of each file by its path from `root`.
    """

    def __init__(self, root: pathlib.Path, folders, wanted: dict[str, str]):
        self.root, self.folders, self.wanted = root, list(folders), wanted

    def differences(self) -> dict[str, str]:
        """Returns the difference of each file that is not up to date, in the order of their paths."""
        present = self._present()
        faults = {name: "is missing" for name in self.wanted.keys() - present}
        faults |= {name: "is left over: it is no longer generated" for name in present - self.wanted.keys()}
        for name in self.wanted.keys() & present:
            if (self.root / name).read_bytes() != self.wanted[name].encode():
                faults[name] = "differs from Tools/API/calendar_v3.json"
        return dict(sorted(faults.items()))

    def update(self) -> int:
        """Writes the files that differ, removes leftover files and empty folders, and returns the number of changed files."""
        changed = self.differences()
        for name in changed:
            path = self.root / name
            if name in self.wanted:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(self.wanted[name].encode())
            else:
                path.unlink()
        for folder in self.folders:
            for path in sorted((self.root / folder).rglob("*"), reverse=True):
                if path.is_dir() and not any(path.iterdir()):
                    path.rmdir()
        return len(changed)

    def _present(self) -> set[str]:
        """The files of any kind that are in the folders."""
        paths = [path for folder in self.folders for path in (self.root / folder).rglob("*") if not path.is_dir()]
        return {path.relative_to(self.root).as_posix() for path in paths}
