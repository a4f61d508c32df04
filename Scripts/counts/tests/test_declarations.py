# SPDX-License-Identifier: Apache-2.0
import unittest

from counts.declarations import SwiftFile

TYPES = '''
import struct Foundation.URL
public struct Address<Host: Equatable>: Sendable {
  /// Which of them.
  /// More.
  enum Kind { case one }
  typealias Text = String
}
extension Address.Kind: Sendable {}
extension Sandbox: Sendable where
  A: B
{
  class func make() {}
  actor Worker {}
  let text = "struct Nothing {"  // class Nobody {
}
'''
PUBLIC = '''
public import Foundation
public final class A {
  public private(set) var a = 1
  public static func b() {}
  public class func c() {}
  public nonisolated(unsafe) static let d = 1
  @inlinable public init() {}
  package init(x: Int) {}
  func hidden() {}
  public subscript(index: Int) -> Int { index }
}
public protocol P: Sendable {
  associatedtype Value
  var value: Value { get }
  func read(_ block: (Int) -> Void) throws
  init()
}
public enum E: Sendable {
  case one, two(Int, Int)
  indirect case three(E)
  case four,
    five
  case six = "a, b"
  public var name: String {
    switch self {
    case .one: "one"
    default: "other"
    }
  }
}
enum Hidden { case one }
#if os(Windows)
  public typealias Text = String
#endif
'''


class TypeTests(unittest.TestCase):
    def test_types_have_their_kinds_and_names(self):
        self.assertEqual(
            [(type.kind, type.name, type.is_public) for type in SwiftFile(TYPES).types],
            [("struct", "Address", True), ("enum", "Kind", False), ("extension", "Address.Kind", False),
             ("extension", "Sandbox", False), ("actor", "Worker", False)])

    def test_a_type_alias_has_a_name_too(self):
        self.assertEqual(SwiftFile(TYPES).type_names, ["Address", "Kind", "Worker", "Text"])

    def test_the_first_lines_of_documentation_are_the_summaries(self):
        text = "/// Which one.\n/// What more.\nlet a = 1  /// no comment of its own\n  /// The other.\n\n/// The last.\n// none"
        self.assertEqual(list(SwiftFile(text).summaries), ["Which one.", "The other.", "The last."])


class PublicSymbolTests(unittest.TestCase):
    def test_declarations_requirements_and_cases_count(self):
        # A and its seven members but two, P and its four requirements, E with six cases and one property, and the type alias.
        self.assertEqual(SwiftFile(PUBLIC).public_symbols, 7 + 5 + 8 + 1)

    def test_an_import_and_an_extension_are_no_symbols(self):
        self.assertEqual(SwiftFile("public import struct A.B\npublic extension C {\n}\n").public_symbols, 0)


class InitialiserTests(unittest.TestCase):
    def counts(self, text):
        return list(SwiftFile(text).initialisers)

    def test_parameters_are_counted_outside_of_brackets(self):
        self.assertEqual(self.counts("public init(a: Int, b: (Int, Int) = (1, 2), c: [Int: Int] = [:]) {}"), [(True, 3)])
        self.assertEqual(self.counts('init?<T>(a: Int, b: String = "x, y") {}'), [(False, 2)])
        self.assertEqual(self.counts("public init() {}\ninit(\n  a: Int,\n  b: Int,\n) {}"), [(True, 0), (False, 2)])

    def test_a_call_is_no_declaration(self):
        self.assertEqual(self.counts("self.init(a, b)\nlet a = Int.init(1)\nlet b: Int = .init(2)\n`init`(3)"), [])


class FunctionTests(unittest.TestCase):
    def test_a_function_has_the_lines_of_its_signature(self):
        self.assertEqual(SwiftFile("func f(\n  a: Int\n) -> Int {\n  a\n}\nfunc g() {\n  f()\n}\n").longest_function, (5, "f"))

    def test_a_closure_of_a_constant_has_its_own_lines_only(self):
        text = "static let a = Command(\n  1,\n  2,\n  3\n) { context in\n  f()\n}\n"
        self.assertEqual(SwiftFile(text).longest_function, (3, "a"))

    def test_a_function_for_another_platform_counts(self):
        self.assertEqual(SwiftFile("#if os(Windows)\n  func f() {\n    g()\n  }\n#endif\n").longest_function, (3, "f"))

    def test_a_file_may_have_none(self):
        self.assertEqual(SwiftFile("let a = 1\n").longest_function, (0, ""))


if __name__ == "__main__":
    unittest.main()
