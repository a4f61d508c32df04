// SPDX-License-Identifier: Apache-2.0

/// Splits a command into words as a POSIX shell quotes them, without anything else that a shell does
/// ([Shell Command Language § 2.2](https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02)).
enum CommandWords {
  private enum Quote { case none, single, double }

  /// Returns the words; `nil` if a quotation does not end.
  static func split(_ command: String) -> [String]? {
    var words: [String] = []
    var word: String.UnicodeScalarView?
    var quote = Quote.none
    var scalars = command.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      switch (quote, scalar) {
      case (.none, "'"), (.none, "\""):
        quote = scalar == "'" ? .single : .double
        word = word ?? .init()
      case (.single, "'"), (.double, "\""): quote = .none
      case (.none, "\\"), (.double, "\\"):
        guard let next = scalars.next() else { return nil }
        // Between double quotation marks a backslash stands for itself before most characters.
        if quote == .double, next != "\"", next != "\\" { word?.append(scalar) }
        word = word ?? .init()
        word?.append(next)
      case (.none, _) where scalar.properties.isWhitespace:
        if let word { words.append(String(word)) }
        word = nil
      default:
        word = word ?? .init()
        word?.append(scalar)
      }
    }
    guard quote == .none else { return nil }
    if let word { words.append(String(word)) }
    return words
  }
}
