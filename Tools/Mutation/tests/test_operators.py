# SPDX-License-Identifier: Apache-2.0
"""Run them with: python3 -m unittest discover -s Tools/Mutation"""
import unittest

from mutation.operators import changes
from mutation.source import Source

# Per operator: the body of a function, and what the changes make of it.
CASES = [
    ("boundary", "return a < b && (0..<4).contains(c)", [
        "return a <= b && (0..<4).contains(c)", "return a < b && (0...4).contains(c)"]),
    ("boundary", '// a < b\nprint("a < \\(b < c)")', []),
    ("comparison", "let a: Array<Int> = g()", []),
    ("negation", "guard let a, a.isEmpty, !b else { return }", [
        "guard let a, !(a.isEmpty), !b else { return }", "guard let a, a.isEmpty, b else { return }"]),
    ("negation", "g(1, a == b ? 2 : 3)", ["g(1, !(a == b) ? 2 : 3)"]),
    ("number", "a1.0 + 0x0F + 1_000", [
        "a1.0 + 0x10 + 1_000", "a1.0 + 0xe + 1_000", "a1.0 + 0x0F + 1001", "a1.0 + 0x0F + 999"]),
    ("removal", "let a = 1\nb = try g(\na)\nlist\n.append(a)\nreturn h()", [
        "let a = 1\n\nlist\n.append(a)\nreturn h()", "let a = 1\nb = try g(\na)\n\nreturn h()"]),
    ("removal", 'a = "x"\ng()', ["\ng()", 'a = "x"\n']),
    ("early exit", "if a { return }\ng()\nguard c else { return }", ["\ng()\nguard c else { return }", "if a { return }\ng()\n"]),
    ("nil", "return g()", ["return nil"]),
    ("swapped arguments", "g(a, to: b, 1)", ["g(b, to: a, 1)"]),
    ("neighbouring case", "switch a {\ncase .b: 1\ndefault: 2\n}", [
        "switch a {\ncase .b: 2\ndefault: 2\n}", "switch a {\ncase .b: 1\ndefault: 1\n}"]),
    ("number", "#if os(Windows)\ng(1)\n#endif", []),
]


class OperatorTests(unittest.TestCase):
    def test_an_operator_changes_its_places_alone(self):
        for operator, body, expected in CASES:
            text = f"func f() -> Int? {{\n{body}\n}}"
            source = Source(text)
            [function] = source.functions
            found = changes(source, function).get(operator, [])
            self.assertEqual(["\n".join((text[:a] + new + text[b:]).split("\n")[1:-1]) for a, b, new in found], expected, (operator, body))


if __name__ == "__main__":
    unittest.main()
