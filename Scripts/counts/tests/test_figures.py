# SPDX-License-Identifier: Apache-2.0
import pathlib
import tempfile
import unittest

from checks.manifest import Manifest
from counts.figures import Tree, figures, table

FILES = {
    "Sources/A/A.swift": "/// What it is.\npublic struct Authorization {\n}\n",
    "Sources/A/Generated/B.swift": "/// It is.\nfinal class B: @unchecked Sendable {\n}\n",
    "Sources/AlmanacSandbox/Sandbox+C.swift": "extension Sandbox {\n  func c() {\n    d()\n  }\n}\n" + "\n" * 30,
    "Sources/AlmanacSandbox/D.swift": "// extension Sandbox {\nextension Sandbox.D {}\n" + "\n" * 50,
    "Sources/A/Notes.md": "Word" + " word" * 35 + ". Word" + " word" * 34 + ".\n",
    "Tests/ATests/A.swift": "@testable import A\n// @testable import A\nlet pattern = /\"/\n",
    "Tests/Servers/notes.md": "Word" + " word" * 40 + "\n",
    "Examples/App/Tests/A.swift": "\n\n",
    "Examples/App/Model/A.swift": "\n\n\n",
}
MANIFEST = Manifest({"products": [{}], "targets": [
    {"name": "A", "type": "regular", "dependencies": []}, {"name": "ATests", "type": "test", "dependencies": []}]})


class FigureTests(unittest.TestCase):
    def test_the_figures_of_a_small_package(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for path, text in FILES.items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(text)
            found = figures(Tree(folder, FILES), MANIFEST)
        self.assertEqual(found, {
            "source files": "4", "source files, hand-written": "3", "source files, generated": "1",
            "lines of sources": "93", "lines of sources, hand-written": "90", "lines of sources, generated": "3",
            "hand-written files of at most 25 lines": "1", "hand-written files of at most 40 lines": "2",
            "lines of the longest hand-written file": "52 (`D.swift`)",
            "lines of the longest hand-written function": "3 (`c` in `Sandbox+C.swift`)",
            "public symbols": "1", "public initialisers with more than 7 parameters": "0",
            "other initialisers with more than 7 parameters": "0", "types": "2", "types whose name contains “Authoriz”": "1",
            "files that extend `Sandbox`": "1", "`@unchecked Sendable`": "1",
            "products": "1", "targets": "2", "targets, tests": "1",
            "documentation comments": "2", "documentation comments that begin with a question word": "1",
            "Markdown pages": "1", "sentences of more than 35 words in Markdown pages": "1",
            "lines of tests": "5", "`@testable import` in tests": "1"})

    def test_the_table_has_a_column_for_each_tree(self):
        self.assertEqual(
            table({"abc": {"files": "1", "gone": "2"}, "now": {"files": "3", "new": "4"}}),
            "| Figure | abc | now |\n|---|--:|--:|\n| files | 1 | 3 |\n| gone | 2 |  |\n| new |  | 4 |")


if __name__ == "__main__":
    unittest.main()
