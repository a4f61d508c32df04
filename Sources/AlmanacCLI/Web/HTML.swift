// SPDX-License-Identifier: Apache-2.0

import Support

/// Markup that is safe to put into a page.
///
/// Text becomes markup by being escaped; what is not escaped stands in the source, and there is no other way in.
package struct HTML: ExpressibleByStringInterpolation, CustomStringConvertible {
  package private(set) var description: String

  package init(stringLiteral value: StaticString) { description = value.description }

  package init(stringInterpolation: Interpolation) { description = stringInterpolation.markup }

  /// Text with everything escaped that could end a text or an attribute.
  package init(text: String) { description = text.escapedForHTML }

  /// Pieces one after the other.
  package init(_ pieces: some Sequence<HTML>) { description = pieces.map(\.description).joined() }

  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    package init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity * 2) }

    package mutating func appendLiteral(_ literal: StaticString) { markup += literal.description }

    package mutating func appendInterpolation(_ html: HTML) { markup += html.description }

    package mutating func appendInterpolation(_ text: String) { markup += HTML(text: text).description }

    package mutating func appendInterpolation(_ number: Int) { markup += String(number) }
  }
}
