# SPDX-License-Identifier: Apache-2.0
import unittest

from prose.rules import MOST_WORDS, PHRASE, SENTENCE, SUMMARY, findings

LONG = "Word " + "word " * MOST_WORDS
MANY = "Word" + " word" * MOST_WORDS
HALF = "word " * 20

# The text of a Swift file, and the line and kind of each finding.
COMMENTS = [
    *((f"let a = 1\n  /// {word} it is.\n  /// More.\n", [(2, SUMMARY)]) for word in ("What", "Where", "How", "Who", "When", "Why", "Which", "Whose")),
    ("/// The value.\n/// What more.\n", []), ("/// Whether it is one.\n", []), ("/// Whatsoever.\n", []), ("// What it is.\n", []),
    ('let a = "/// What"  /// What\n', []), ("///\n/// Who it is.\n", [(2, SUMMARY)]), ("///\n///\n", []),
    ("/// How.\nlet a = 1\n\n/// Why.\nlet b = 2", [(1, SUMMARY), (4, SUMMARY)]),
    (f"/// {MANY}.\n", [(1, SENTENCE)]), (f"// {LONG}\n", []), (f"/// A.\n/// ```swift\n/// {LONG}\n/// ```\n", []),
    (f"/// One.\n///\n/// Two\n/// lines. Three.\n/// {LONG}\n/// and more.\n", [(5, SENTENCE)]),
    (f"/// - Parameter a: {HALF}\n/// - Returns: {HALF}\n", []),
    ("/// A b told apart c.\n", [(1, PHRASE)]), ('let a = "Unless told."\n', [(1, PHRASE)]), ("// It is told\n// apart.\n", [(1, PHRASE)]),
    ("/// Describe items. A fan response.\n", []),
]
# The same of a Markdown page.
PAGES = [
    ("What it is.\n", []), ("Word" + " word" * 34 + ".\n", []), (f"{MANY}.\n", [(1, SENTENCE)]),
    (f"# A\n\nOne.\nTwo `a\nb`\n  c. {LONG}.\n", [(6, SENTENCE)]),
    *((f"Word {word}" + " word" * 33 + ".\n", []) for word in ("`a b c`", "``a ` b``", "[a `b c`](d_(e).md \"f g\")", "[a b][c d]", "![a b](c.png)")),
    *((text, []) for text in (
        f"| {LONG} |\n", f"```swift\n{LONG}\n```\n", f"~~~~\n```\n{LONG}\n~~~~\n", f"<!-- {LONG} -->\n", f"<!--\n{LONG}\n-->\n",
        f"<img alt=\"{LONG}\">\n", f"---\n{LONG}\n---\n", f"- a\n\n  ```\n  {LONG}\n  ```\n")),
    *((f"{text}{LONG}\n", [(text.count("\n") + 1, SENTENCE)]) for text in ("| a |\n", "```\na\n```\n", "<!--\na\n-->\n", "---\na\n---\n")),
    *((text, []) for text in (f"# {HALF}\n{HALF}\n", f"- {HALF}\n- {HALF}\n", f"{HALF}\n\n{HALF}\n", f"{HALF}\n| a |\n{HALF}\n")),
    (f"- {HALF}\n  {HALF}\n", [(1, SENTENCE)]), ("```\ntold apart\n```\ntold apart\n", [(4, PHRASE)]), ("It is told\napart.\n", [(1, PHRASE)]),
]


class RuleTests(unittest.TestCase):
    def test_findings(self):
        for name, rows in (("A.swift", COMMENTS), ("A.md", PAGES)):
            for text, expected in rows:
                self.assertEqual([(finding.line, finding.kind) for finding in findings(name, text)], expected, text)


if __name__ == "__main__":
    unittest.main()
