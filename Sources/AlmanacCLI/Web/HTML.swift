/// Markup that is safe to put into a page. Text becomes markup by being escaped; there is no other way in.
struct HTML: ExpressibleByStringInterpolation, CustomStringConvertible {
  private(set) var description: String

  init(stringLiteral value: String) { description = value }

  init(stringInterpolation: Interpolation) { description = stringInterpolation.markup }

  /// Text with everything escaped that could end a text or an attribute.
  init(text: String) {
    description = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": description += "&amp;"
      case "<": description += "&lt;"
      case ">": description += "&gt;"
      case "\"": description += "&quot;"
      case "'": description += "&#39;"
      default: description.unicodeScalars.append(scalar)
      }
    }
  }

  /// Pieces one after the other.
  init(_ pieces: some Sequence<HTML>) { description = pieces.map(\.description).joined() }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity * 2) }

    mutating func appendLiteral(_ literal: String) { markup += literal }

    mutating func appendInterpolation(_ html: HTML) { markup += html.description }

    mutating func appendInterpolation(_ text: String) { markup += HTML(text: text).description }

    mutating func appendInterpolation(_ number: Int) { markup += String(number) }
  }
}
