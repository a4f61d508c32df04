// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// The words and addresses of events as lexemes of the database.
///
/// Each lexeme begins with the number of the collection, so the index separates the collections of all accounts. Words
/// follow the number after a colon, with their positions, and addresses after an at sign. The text is given in its
/// final form, so the database's dictionaries and locale do not matter.
enum EventTerms {
  /// The maximum number of bytes of an address, below the database's limit of 2,046 for a lexeme.
  private static let maximumLength = 1_000

  /// Returns the text of a `tsvector`.
  static func vector(of index: EventIndex, in collection: Int64) -> String {
    var positions: [String: [Int]] = [:]
    // The database keeps at most this number of positions of a lexeme.
    for (position, word) in index.words.enumerated() where positions[word, default: []].count < 255 {
      positions[word, default: []].append(position + 1)
    }
    let words = positions.map { word, positions in
      "\(quoted("\(collection):\(word)")):\(positions.map { "\($0)" }.joined(separator: ","))"
    }
    let addresses = index.addresses.compactMap { storable($0).map { quoted("\(collection)@\($0)") } }
    return (words + addresses).joined(separator: " ")
  }

  /// The character in place of the number of the collection in a query.
  ///
  /// No searched word or address contains it.
  static let placeholder = "\u{1}"

  /// Returns the text of a `tsquery` with a ``placeholder``, or `nil` if the query has neither a text nor an address.
  static func query(_ query: EventQuery) -> String? {
    var conditions = query.terms.map { words in
      let phrase = words.map { quoted("\(placeholder):\($0)") }.joined(separator: " <-> ")
      return "(\(phrase):*)"
    }
    if let address = query.address {
      conditions.append(quoted("\(placeholder)@\(storable(address) ?? placeholder)"))
    }
    return conditions.isEmpty ? nil : conditions.joined(separator: " & ")
  }

  /// Returns a storable address, or `nil` for one that no server accepts.
  private static func storable(_ address: String) -> String? {
    address.utf8.count <= maximumLength && !address.utf8.contains { $0 <= 1 } ? address : nil
  }

  private static func quoted(_ lexeme: String) -> String {
    var text = "'"
    for scalar in lexeme.unicodeScalars {
      if scalar == "'" || scalar == "\\" { text.unicodeScalars.append(scalar) }
      text.unicodeScalars.append(scalar)
    }
    return text + "'"
  }
}
