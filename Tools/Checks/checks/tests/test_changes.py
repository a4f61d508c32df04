# SPDX-License-Identifier: Apache-2.0
import re
import unittest

from checks.changes import changed_targets, default_base, test_command
from checks.manifest import Manifest


def target(name, *dependencies, type="regular", **others):
    return {"name": name, "type": type, "dependencies": list(dependencies), **others}


def on(*names):
    return [{"byName": [name, None]} for name in names]


def manifest(*more, system="linux"):
    return Manifest({"products": [], "targets": [
        target("Low"), target("Middle", *on("Low")), target("Other"),
        target("High", *on("Middle"), {"target": ["Other", {"platformNames": ["macos"]}]}),
        target("Tool", *on("Other"), type="executable", path="Benchmarks"), target("Inner", path="Benchmarks/Inner"),
        target("LowTests", *on("Low"), type="test"), target("HighTests", *on("High"), type="test"),
        target("OtherTests", *on("Other"), type="test"), target("AppTests", type="test", path="Examples/App"), *more]}, system)


class ManifestTests(unittest.TestCase):
    def test_a_target_is_above_what_it_depends_on_directly_or_not(self):
        self.assertEqual(manifest().above(["Middle"]), {"Middle", "High", "HighTests"})
        self.assertEqual(manifest().above(["Low"]), {"Low", "Middle", "High", "LowTests", "HighTests"})

    def test_a_dependency_counts_on_its_platforms_only(self):
        self.assertNotIn("High", manifest().above(["Other"]))
        self.assertIn("HighTests", manifest(system="macos").above(["Other"]))

    def test_the_closure_has_the_targets_themselves(self):
        self.assertEqual(manifest().closure(["High"]), {"High", "Middle", "Low"})

    def test_a_file_belongs_to_the_target_with_its_folder(self):
        for path, name in [
            ("Sources/Low/A/B.swift", "Low"), ("Tests/LowTests/data.json", "LowTests"), ("Examples/App/Model/A.swift", "AppTests"),
            ("Benchmarks/main.swift", "Tool"), ("Benchmarks/Inner/inner.c", "Inner"),
            ("Sources/Lower/A.swift", None), ("Package.swift", None), ("Documentation/Low/A.md", None),
        ]:
            self.assertEqual(manifest().target_of(path), name, path)


class ChangeTests(unittest.TestCase):
    def chosen(self, paths, before=None):
        command = test_command(paths, manifest(), before)
        pattern = re.fullmatch(r"\./Scripts/test --filter '(.*)'", command)[1]
        return [name for name in ("LowTests", "HighTests", "OtherTests", "AppTests", "MyLowTests")
                if re.search(pattern, f"{name}.Suite/test()/File.swift:1:2")]

    def test_the_tests_of_modules_that_changed_and_of_those_above_run(self):
        self.assertEqual(self.chosen(["Sources/Low/A.swift"]), ["LowTests", "HighTests"])
        self.assertEqual(self.chosen(["Sources/High/A.swift", "README.md"]), ["HighTests"])
        self.assertEqual(self.chosen(["Tests/LowTests/A.swift", "Examples/App/README.md"]), ["LowTests", "AppTests"])

    def test_no_filter_selects_all_tests(self):
        paths = ["Sources/Low/A.swift", "Sources/Other/A.swift", "Examples/App/Model/A.swift"]
        self.assertEqual(test_command(paths, manifest()), "./Scripts/test")

    def test_code_without_tests_is_built(self):
        self.assertEqual(test_command(["Snippets/A.swift"], manifest()), "swift build")
        self.assertEqual(test_command(["Benchmarks/main.swift"], manifest()), "swift build")

    def test_nothing_runs_without_a_change_of_code(self):
        self.assertIsNone(test_command([], manifest()))
        self.assertIsNone(test_command(["README.md", "Tools/Servers/run.py"], manifest()))

    def test_a_target_changes_with_its_entry_in_the_manifest(self):
        before = manifest(target("Gone"))
        before.targets["Middle"] = target("Middle")
        del before.targets["AppTests"]
        self.assertEqual(changed_targets(["Package.swift"], manifest(), before), {"Middle", "AppTests"})
        self.assertEqual(self.chosen(["Package.swift"], before), ["HighTests", "AppTests"])


class BaseTests(unittest.TestCase):
    def base(self, merge_base):
        return default_base(lambda *arguments, check=True: merge_base if arguments[0] == "merge-base" else "head")

    def test_the_base_is_where_the_branch_left_main(self):
        self.assertEqual(self.base("older"), "older")

    def test_the_base_on_main_is_the_commit_before(self):
        self.assertEqual(self.base("head"), "HEAD~1")

    def test_the_base_without_a_remote_is_the_commit_before(self):
        self.assertEqual(self.base(""), "HEAD~1")


if __name__ == "__main__":
    unittest.main()
