# SPDX-License-Identifier: Apache-2.0
import re
import unittest

import generator
from generator import sandbox
from generator.swift import LONGEST_FILE, Part, source, source_files
from generator.table import Table

TABLE = Table()
FILES = generator.files(TABLE)


class FileTests(unittest.TestCase):
    def test_every_schema_of_the_api_has_a_file(self):
        for name in TABLE.swift_names.values():
            self.assertIn(f"public struct {name}: CalendarSchema", FILES[f"Schemas/{name}.swift"])

    def test_every_resource_has_a_file(self):
        declared = [name for name in FILES if name.startswith("Resources/") and "+" not in name]
        self.assertEqual(len(declared), len(TABLE.resources))

    def test_an_enumeration_is_in_the_file_of_its_owner_or_in_one_of_its_own(self):
        for name in TABLE.enumerations:
            owner, _, last = name.rpartition(".")
            declaring = [path for path, text in FILES.items() if re.search(rf"^ *public struct {last}: OpenEnumeration", text, re.M)]
            subject = owner.split(".")[0] if owner else name
            self.assertTrue([path for path in declaring if re.search(rf"/{subject}(\+\w+)?\.swift$", path)], f"{name}: {declaring}")

    def test_only_shared_enumerations_have_a_folder(self):
        shared = [path for path in FILES if path.startswith("Enumerations/")]
        self.assertEqual(sorted(shared), [f"Enumerations/{name}.swift" for name in sorted(TABLE.enumerations) if "." not in name])

    def test_a_patch_stands_with_its_schema(self):
        for path, text in FILES.items():
            for name in re.findall(r"^extension ([\w.]+)\.Patch: ObjectPatch", text, re.M):
                self.assertRegex(path, rf"^Schemas/{name.split('.')[0]}(\+\w+)?\.swift$")

    def test_every_schema_of_the_sandbox_is_declared_once(self):
        declared = [name for text in sandbox.files(TABLE).values() for name in re.findall(r"^  static let (\w+) = ResourceSchema", text, re.M)]
        self.assertEqual(sorted(declared), sorted(sandbox.lower_camel(TABLE.google_name(name)) for name in TABLE.schemas))


class SourceTests(unittest.TestCase):
    def test_a_module_is_imported_once_and_publicly_if_any_part_needs_it_so(self):
        parts = [Part("a\n", modules=frozenset("MN")), Part("b\n", public_modules=frozenset("M"))]
        self.assertTrue(source(parts).endswith("\n\npublic import M\nimport N\n\na\n\nb\n"))

    def test_a_long_file_is_split_by_its_groups(self):
        long, short = Part("a\n" * LONGEST_FILE), Part("b\n")
        self.assertEqual([name for name, _ in source_files("T", {"": [short], "+Patch": [short]})], ["T.swift"])
        self.assertEqual(
            [name for name, _ in source_files("T", {"": [long], "+Patch": [short], "+Objects": []})], ["T.swift", "T+Patch.swift"])
