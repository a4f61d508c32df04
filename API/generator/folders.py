# SPDX-License-Identifier: Apache-2.0
"""Generated folders: how they differ from what is generated, and how they are brought up to date."""

import pathlib


class GeneratedFolders:
    """Folders below `root` in which every file is generated.

    `wanted` has the text of each file by its path from `root`.
    """

    def __init__(self, root: pathlib.Path, folders, wanted: dict[str, str]):
        self.root, self.folders, self.wanted = root, list(folders), wanted

    def differences(self) -> dict[str, str]:
        """Returns what is wrong with each file that is not as it is generated, in the order of their paths."""
        present = self._present()
        faults = {name: "is missing" for name in self.wanted.keys() - present}
        faults |= {name: "is left over: nothing generates it any more" for name in present - self.wanted.keys()}
        for name in self.wanted.keys() & present:
            if (self.root / name).read_bytes() != self.wanted[name].encode():
                faults[name] = "is not what API/calendar_v3.json says"
        return dict(sorted(faults.items()))

    def update(self) -> int:
        """Writes the files that differ, removes those that are left over and the folders that this empties, and returns their number."""
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
