# SPDX-License-Identifier: Apache-2.0
import unittest

from checks.build import COMMAND
from checks.changes import changed_targets, default_base, test_command
from checks.manifest import Manifest


def target(name, *dependencies, type="regular", **others):
    return {"name": name, "type": type, "dependencies": [{"byName": [other, None]} for other in dependencies], **others}


MANIFEST = Manifest({"products": [], "targets": [
    target("Low"), target("High", "Low"), target("Tool", type="executable", path="Benchmarks"),
    target("Inner", path="Benchmarks/Inner"), target("LowTests", "Low", type="test"), target("HighTests", "High", type="test"),
    target("AppTests", type="test", path="Examples/App")]}, "linux")


class ChangeTests(unittest.TestCase):
    def test_a_file_belongs_to_the_innermost_target_with_its_folder(self):
        for path, name in [
            ("Sources/Low/A/B.swift", "Low"), ("Tests/LowTests/data.json", "LowTests"), ("Examples/App/A.swift", "AppTests"),
            ("Benchmarks/main.swift", "Tool"), ("Benchmarks/Inner/inner.c", "Inner"), ("Sources/Lower/A.swift", None)]:
            self.assertEqual(MANIFEST.target_of(path), name, path)

    def test_the_tests_of_modules_that_changed_and_of_those_above_run(self):
        for paths, command in [
            (["Sources/High/A.swift", "README.md"], r"./Scripts/test --filter '^(HighTests)\.'"),
            (["Sources/Low/A.swift"], r"./Scripts/test --filter '^(HighTests|LowTests)\.'"),
            (["Sources/Low/A.swift", "Examples/App/A.swift"], "./Scripts/test"),
            (["Benchmarks/main.swift"], COMMAND), (["README.md", "Tools/Servers/run.py"], None)]:
            self.assertEqual(test_command(paths, MANIFEST), command, paths)

    def test_a_target_changes_with_its_entry_in_the_manifest(self):
        others = [entry for name, entry in MANIFEST.targets.items() if name != "High"]
        before = Manifest({"products": [], "targets": [target("High"), target("Gone"), *others]}, "linux")
        self.assertEqual(changed_targets(["Package.swift"], MANIFEST, before), {"High"})

    def test_the_base_is_where_the_branch_left_main_or_the_commit_before(self):
        for merge_base, base in (("older", "older"), ("head", "HEAD~1"), ("", "HEAD~1")):
            git = lambda *arguments, check=True: merge_base if arguments[0] == "merge-base" else "head"
            self.assertEqual(default_base(git), base)


if __name__ == "__main__":
    unittest.main()
