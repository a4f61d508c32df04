// SPDX-License-Identifier: Apache-2.0

// Folding of text with escape sequences at a terminal's width.
extension String {
  /// Returns the text with each line that exceeds the width folded at spaces.
  ///
  /// A line with two columns, such as an option with its description, continues at its second column. An item of a list
  /// continues below its text. A word longer than a line, such as a URL, is kept whole: users can then copy it.
  ///
  /// - Parameter width: The number of columns, or `nil` to keep all lines.
  package func folded(to width: Int?) -> String {
    guard let width else { return self }
    return split(separator: "\n", omittingEmptySubsequences: false)
      .map { FoldedLine($0, width: max(width, 8)).text }.joined(separator: "\n")
  }

  /// Returns the text with the lines of each paragraph joined, for folding at another width.
  ///
  /// Indented lines, and lines before or after them, are kept.
  package var unfolded: String {
    var lines: [Substring] = []
    var text: [String] = []
    func flush() {
      if !lines.isEmpty { text.append(lines.joined(separator: " ")) }
      lines = []
    }
    for line in split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty || line.first == " " {
        flush()
        text.append(String(line))
      } else {
        lines.append(line)
        if line.hasSuffix(":") { flush() }
      }
    }
    flush()
    return text.joined(separator: "\n")
  }
}

/// A line, folded at a width.
private struct FoldedLine {
  private struct Word {
    /// The spaces and escape sequences before the word.
    var lead = ""
    /// The number of spaces before the word.
    var spaces = 0
    var text = ""
    var columns = 0
  }

  let text: String

  init(_ line: Substring, width: Int) {
    let words = Self.words(line)
    let total = words.reduce(0) { $0 + $1.spaces + $1.columns }
    guard total > width, words.count > 1 else {
      self.text = String(line)
      return
    }
    let indent = words[0].spaces
    let isItem = words[0].text == "-"
    // The second column begins after the first gap of two spaces or more.
    let second = isItem ? nil : words.indices.dropFirst().first { words[$0].spaces > 1 }
    let column = second.map { words[..<$0].reduce(0) { $0 + $1.spaces + $1.columns } + words[$0].spaces }
    let isNarrow = column.map { $0 > width / 2 } ?? false
    let hang = isNarrow ? indent + 4 : column ?? (isItem ? indent + 2 : indent)
    var (text, used) = ("", 0)
    for (index, word) in words.enumerated() {
      let breaks = used + word.spaces + word.columns > width || isNarrow && index == second
      if index > 0, breaks {
        let start = max(0, min(hang, width - word.columns))
        text += "\n" + String(repeating: " ", count: start) + word.lead.filter { $0 != " " } + word.text
        used = start + word.columns
      } else {
        text += word.lead + word.text
        used += word.spaces + word.columns
      }
    }
    self.text = text
  }

  private static func words(_ line: Substring) -> [Word] {
    var (words, word) = ([Word](), Word())
    var isEscape = false
    for character in line {
      if isEscape || character == "\u{1B}" {
        // An escape sequence ends with a letter, to which a combining character may be attached.
        let scalar = character.unicodeScalars.first ?? " "
        isEscape = !(scalar.isASCII && scalar.properties.isAlphabetic)
        if word.columns == 0 { word.lead.append(character) } else { word.text.append(character) }
      } else if character == " " {
        if word.columns > 0 {
          words.append(word)
          word = Word()
        }
        word.lead.append(" ")
        word.spaces += 1
      } else {
        word.text.append(character)
        word.columns += String(character).displayWidth
      }
    }
    // A last word without columns is kept for its escape sequences.
    return word.columns > 0 || word.lead.contains("\u{1B}") ? words + [word] : words
  }
}
