# SPDX-License-Identifier: Apache-2.0
import unittest

from checks.api import breaks, fault

# Lines of the package manager for planted breaks, and the declaration that each names.
LINES = [
    ("func XAES256GCM.open(_:) has parameter 0 type change from Swift.Int to Swift.String", "XAES256GCM.open(_:)"),
    ("accessor Message.size.Set() has been removed", "Message.size"),
    ("func Storage.write() has been added as a protocol requirement", "Storage.write()"),
    ("enumelement Kind.three has been added as a new enum case", "Kind.three"),
    ("struct Inner has removed conformance to Equatable", "Inner"),
    ("func encode(_:) has been removed", "encode(_:)"),
    ("func ==(_:_:) has been removed", "==(_:_:)"),
]
OUTPUT = "Build complete!\n\n7 breaking changes detected in Core:\n" + "".join(f"  💔 API breakage: {line}\n" for line, _ in LINES)
MIGRATION = "### Migration\n" + "".join(f"- `{name}`: …\n" for _, name in LINES)


class APITests(unittest.TestCase):
    def test_each_break_names_its_declaration(self):
        self.assertEqual(breaks(OUTPUT), LINES)

    def test_breaks_need_a_new_minor_version_before_1_0_or_a_new_major_one(self):
        for old, new, passes in [
            ("0.1.0", "0.1.1", False), ("0.1.0", "0.1.0-dev", False), ("0.1.3", "0.2.0-dev", True), ("0.9.0", "1.0.0", True),
            ("1.0.0", "1.1.0", False), ("1.4.0", "2.0.0", True)]:
            changelog = f"# Changelog\n\n## {new}\n\n{MIGRATION}\n## {old}\n"
            self.assertEqual(fault(breaks(OUTPUT), old, new, changelog) is None, passes, (old, new))
            self.assertIsNone(fault([], old, new, f"# Changelog\n\n## {new}\n"))

    def test_the_changelog_has_each_break_in_its_newest_section(self):
        one = "### Migration\n- `Kind.one`\n"
        both = f"{one}- `Kind.two`\n"
        for newest, older, missing in [(one, "", ["`Kind.two`"]), ("", both, ["`Kind.one`", "`Kind.two`"])]:
            changelog = f"# Changelog\n\n## 0.2.0\n\n{newest}\n## 0.1.0\n\n{older}"
            found = fault([("", "Kind.one"), ("", "Kind.two")], "0.1.0", "0.2.0", changelog)
            self.assertTrue(found.endswith(f"instead of {', '.join(missing)}."), found)


if __name__ == "__main__":
    unittest.main()
