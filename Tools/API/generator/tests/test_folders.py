# SPDX-License-Identifier: Apache-2.0
import pathlib
import tempfile
import unittest

from generator.folders import GeneratedFolders

WANTED = {"Generated/A.swift": "a\n", "Generated/Schemas/B.swift": "b\n"}


class GeneratedFoldersTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.folders = GeneratedFolders(self.root, ["Generated"], WANTED)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def files(self):
        return {path.relative_to(self.root).as_posix(): path.read_text() for path in self.root.rglob("*") if path.is_file()}

    def test_files_are_written_once(self):
        self.assertEqual(self.folders.update(), 2)
        self.assertEqual(self.files(), WANTED)
        self.assertEqual(self.folders.differences(), {})
        self.assertEqual(self.folders.update(), 0)

    def test_every_kind_of_difference_is_reported(self):
        self.write("Generated/A.swift", "another\n")
        self.write("Generated/Patches/Old.swift", "old\n")
        self.assertEqual(self.folders.differences(), {
            "Generated/A.swift": "differs from Tools/API/calendar_v3.json",
            "Generated/Patches/Old.swift": "is left over: it is no longer generated",
            "Generated/Schemas/B.swift": "is missing",
        })

    def test_a_leftover_of_any_name_is_reported(self):
        self.folders.update()
        self.write("Generated/Schemas/B.swift.orig", "b\n")
        self.assertEqual(list(self.folders.differences()), ["Generated/Schemas/B.swift.orig"])

    def test_leftovers_are_removed_with_their_folders(self):
        self.write("Generated/Patches/Inner/Old.swift", "old\n")
        self.write("Other/Kept.swift", "kept\n")
        self.folders.update()
        self.assertEqual(self.files(), WANTED | {"Other/Kept.swift": "kept\n"})
        self.assertFalse((self.root / "Generated/Patches").exists())
