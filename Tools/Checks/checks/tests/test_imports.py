# SPDX-License-Identifier: Apache-2.0
import textwrap
import unittest

from checks.imports import holds, imports_on_any_platform, imports_on_linux


class ImportsTests(unittest.TestCase):
    def modules(self, text):
        return [module for _, module in imports_on_linux(textwrap.dedent(text))]

    def test_every_platform_has_the_imports_of_all_branches(self):
        text = "public import A\n#if canImport(UIKit)\n  import UIKit\n#else\n  @testable import struct B.C\n#endif\n// import D\n"
        self.assertEqual(imports_on_any_platform(text), {"A", "UIKit", "B"})

    def test_the_usual_form_imports_the_essentials(self):
        self.assertEqual(self.modules("""\
            import Support
            #if canImport(FoundationEssentials)
              public import FoundationEssentials
            #else
              public import Foundation
            #endif
            package import Timekeeping
            """), ["Support", "FoundationEssentials", "Timekeeping"])

    def test_an_import_without_a_condition_counts_wherever_it_is(self):
        self.assertEqual(imports_on_linux("import A\n\n@preconcurrency import Foundation\nimport struct Foundation.Date\n"), [
            (1, "A"), (3, "Foundation"), (4, "Foundation")])

    def test_code_for_apple_platforms_does_not_count(self):
        for condition in ("canImport(Darwin)", "canImport(UIKit) && !os(watchOS)", "os(macOS) || os(iOS)", "!os(Linux)"):
            self.assertEqual(self.modules(f"#if {condition}\nimport Foundation\n#endif\n"), [], condition)

    def test_one_branch_alone_counts(self):
        self.assertEqual(self.modules("""\
            #if canImport(Darwin)
              import Darwin
            #elseif canImport(Glibc)
              import Glibc
            #else
              import Foundation
            #endif
            """), ["Glibc"])

    def test_a_branch_for_another_c_library_counts(self):
        self.assertEqual(self.modules("#if canImport(Musl)\nimport A\n#elseif os(Linux)\nimport B\n#else\nimport C\n#endif\n"), ["A", "B"])

    def test_a_branch_within_another_that_is_not_compiled_does_not_count(self):
        self.assertEqual(self.modules("""\
            #if !canImport(FoundationEssentials)
              #if os(Linux)
                import Foundation
              #endif
            #endif
            """), [])

    def test_both_branches_count_where_the_condition_is_unknown(self):
        self.assertEqual(self.modules("#if DEBUG\nimport A\n#else\nimport B\n#endif\n"), ["A", "B"])
        self.assertEqual(self.modules("#if swift(>=6.3)\nimport A\n#endif\n"), ["A"])

    def test_conditions_are_read_as_swift_reads_them(self):
        self.assertTrue(holds(" !(os(macOS) || os(iOS)) && canImport(Glibc)  // a remark"))
        self.assertFalse(holds(" os(Linux) && !canImport(FoundationEssentials)"))
        self.assertIsNone(holds(" DEBUG && os(Linux)"))
