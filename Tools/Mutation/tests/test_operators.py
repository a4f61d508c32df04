# SPDX-License-Identifier: Apache-2.0
"""Run them with: python3 -m unittest discover -s Tools/Mutation"""
import unittest

from mutation.operators import changes
from mutation.source import Source


def results(text, operator=None):
    """The texts that the changes of one operator, or of all, make of a function."""
    source, result = Source(text), []
    for function in source.functions:
        for name, found in changes(source, function).items():
            if operator in (None, name):
                result += [text[:a] + new + text[b:] for a, b, new in found]
    return result


def bodies(text, operator):
    """The same without the first and the last line."""
    return ["\n".join(line.strip() for line in result.split("\n")[1:-1]) for result in results(text, operator)]


class OperatorTests(unittest.TestCase):
    def test_boundaries_of_comparisons_and_ranges(self):
        text = "func f() -> Bool {\n  return a < b && (0..<4).contains(c)\n}"
        self.assertEqual(bodies(text, "boundary"), [
            "return a <= b && (0..<4).contains(c)", "return a < b && (0...4).contains(c)"])

    def test_brackets_of_generic_arguments_are_not_compared(self):
        self.assertEqual(results("func f() {\n  let a: Array<Int> = g()\n}", "comparison"), [])

    def test_strings_and_comments_hold_no_operators(self):
        self.assertEqual(results('func f() {\n  // a < b\n  print("a < \\(b < c)")\n}', "boundary"), [])

    def test_each_clause_of_a_condition_is_negated_but_no_binding(self):
        text = "func f() {\n  guard let a, a.isEmpty, !b else { return }\n}"
        self.assertEqual(bodies(text, "negation"), [
            "guard let a, !(a.isEmpty), !b else { return }", "guard let a, a.isEmpty, b else { return }"])

    def test_the_condition_of_a_ternary_expression_is_negated(self):
        self.assertEqual(bodies("func f() -> Int {\n  g(1, a == b ? 2 : 3)\n}", "negation"), ["g(1, !(a == b) ? 2 : 3)"])

    def test_numbers_are_one_more_or_less(self):
        self.assertEqual(bodies("func f() -> Int {\n  a1.0 + 0x0F + 1_000\n}", "number"), [
            "a1.0 + 0x10 + 1_000", "a1.0 + 0xe + 1_000", "a1.0 + 0x0F + 1001", "a1.0 + 0x0F + 999"])

    def test_statements_are_left_out_as_a_whole(self):
        text = "func f() {\n  let a = 1\n  b = try g(\n    a)\n  list\n    .append(a)\n  return h()\n}"
        self.assertEqual(bodies(text, "removal"), [
            "let a = 1\n\nlist\n.append(a)\nreturn h()", "let a = 1\nb = try g(\na)\n\nreturn h()"])

    def test_a_string_at_the_end_of_a_line_ends_its_statement(self):
        self.assertEqual(bodies('func f() {\n  a = "x"\n  g()\n}', "removal"), ["\ng()", 'a = "x"\n'])

    def test_a_property_without_a_value_gets_one(self):
        text = "struct S {\n  let a: Int\n  init(a: Int) {\n    self.a = a\n    g()\n  }\n}"
        self.assertEqual(len(results(text, "removal")), 1)

    def test_an_early_exit_is_left_out(self):
        text = "func f() throws {\n  if a { return }\n  guard let b, b > 1 else { throw E() }\n  guard c else { return }\n}"
        self.assertEqual(len(results(text, "early exit")), 3)

    def test_nothing_is_returned_where_that_may_be(self):
        self.assertEqual(bodies("func f() -> Int? {\n  return g()\n}", "nil"), ["return nil"])
        self.assertEqual(bodies("var f: Int? {\n  g()\n}", "nil"), ["nil"])
        self.assertEqual(bodies("func f() -> Int {\n  return g()\n}", "nil"), [])

    def test_arguments_of_one_kind_are_swapped_and_labels_stay(self):
        self.assertEqual(bodies("func f() {\n  g(a, to: b, 1)\n}", "swapped arguments"), ["g(b, to: a, 1)"])

    def test_a_case_does_what_its_neighbour_does(self):
        text = "func f() -> Int {\n  switch a {\n  case .b: 1\n  default: 2\n  }\n}"
        self.assertEqual(bodies(text, "neighbouring case"), [
            "switch a {\ncase .b: 2\ndefault: 2\n}", "switch a {\ncase .b: 1\ndefault: 1\n}"])

    def test_what_another_platform_compiles_is_no_place(self):
        self.assertEqual(results("#if os(Windows)\nfunc f() -> Int {\n  1\n}\n#endif"), [])
        self.assertEqual(results("func f() {\n  #if os(Windows)\n    g(1)\n  #endif\n}"), [])

    def test_a_function_in_a_function_has_its_own_places(self):
        text = "func f() {\n  func g() -> Int {\n    1\n  }\n}"
        self.assertEqual([function.name for function in Source(text).functions if changes(Source(text), function)], ["g"])

    def test_blocks_that_a_statement_can_be_added_to(self):
        for text, found in (
            ("{\n  if a { return X }\n}", True), ("{\n  guard let a else { return X }\n}", True),
            ("{\n  guard\n    let a\n  else { return X }\n}", True), ("{\n  for b in c where d {\n    X\n  }\n}", True),
            ("{\n  do { try a() } catch let b {\n    X\n  }\n}", False), ("{\n  do {\n    X\n  } catch {}\n}", True),
            ("{\n  do {\n    a()\n  } catch let b {\n    X\n  }\n}", True),
            ("{\n  if a { X } else { 2 }\n}", False), ("{\n  if a { 1 } else { X }\n}", False), ("{\n  a.map { X }\n}", False),
            ("{\n  for b in c.sorted(by: { X }) {\n    d()\n  }\n}", False), ("{\n  if a.contains(where: { X }) { b() }\n}", False),
            ("{\n  let b = if a { X } else { 2 }\n}", False), ("{\n  switch a { case b: X }\n}", False),
        ):
            at = text.index("X")
            self.assertEqual(Source(text).block_around(1, at, at + 1) is not None, found, text)


class SourceTests(unittest.TestCase):
    def test_a_string_without_an_end_is_an_error(self):
        with self.assertRaises(ValueError):
            Source('let pattern = /"/\n')


if __name__ == "__main__":
    unittest.main()
