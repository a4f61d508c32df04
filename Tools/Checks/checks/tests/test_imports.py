# SPDX-License-Identifier: Apache-2.0
import unittest

from checks.imports import imports_on_any_platform, imports_on_linux

# A file, and the modules that it imports on Linux.
FILES = [
    ("import A\n\n@preconcurrency import Foundation\nimport struct Foundation.Date\n", ["A", "Foundation", "Foundation"]),
    ("#if canImport(FoundationEssentials)\n  public import FoundationEssentials\n#else\n  public import Foundation\n#endif\n", ["FoundationEssentials"]),
    ("#if canImport(UIKit) && !os(watchOS)\nimport Foundation\n#endif\n", []), ("#if os(macOS) || os(iOS)\nimport Foundation\n#endif\n", []),
    ("#if canImport(Darwin)\nimport Darwin\n#elseif canImport(Glibc)\nimport Glibc\n#else\nimport Foundation\n#endif\n", ["Glibc"]),
    # A branch for another C library, or with a condition that is unknown, may be compiled.
    ("#if canImport(Musl)\nimport A\n#elseif os(Linux)\nimport B\n#else\nimport C\n#endif\n", ["A", "B"]),
    ("#if !canImport(FoundationEssentials)\n#if os(Linux)\nimport Foundation\n#endif\n#endif\n", []),
    ("#if DEBUG\nimport A\n#else\nimport B\n#endif\n", ["A", "B"]),
    ("#if !(os(macOS) || os(iOS)) && canImport(Glibc)  // a remark\nimport A\n#endif\n", ["A"]),
]


class ImportsTests(unittest.TestCase):
    def test_imports_on_linux_are_those_of_the_compiled_branches(self):
        for text, modules in FILES:
            self.assertEqual([module for _, module in imports_on_linux(text)], modules, text)

    def test_every_platform_has_the_imports_of_all_branches(self):
        text = "public import A\n#if canImport(UIKit)\n  import UIKit\n#else\n  @testable import struct B.C\n#endif\n// import D\n"
        self.assertEqual(imports_on_any_platform(text), {"A", "UIKit", "B"})
