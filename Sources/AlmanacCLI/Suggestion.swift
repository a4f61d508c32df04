// SPDX-License-Identifier: Apache-2.0

extension [String] {
  /// Returns the element with the smallest edit distance to a word, or `nil` if no element is near.
  ///
  /// An element is near if at most two edits separate it from the word, or one if it has at most four characters. An edit inserts,
  /// removes or replaces a character, or exchanges two neighbours. Case is ignored. Among elements at the same distance, the
  /// method prefers the first one with the word's first character.
  func nearest(to word: String) -> String? {
    let word = Array<Character>(word.lowercased())
    let near = compactMap { element -> (element: String, rank: Int)? in
      let limit = element.count <= 4 ? 1 : 2
      guard abs(element.count - word.count) <= limit else { return nil }
      let distance = Array<Character>(element).editDistance(to: word)
      return distance <= limit ? (element, distance * 2 + (element.first == word.first ? 0 : 1)) : nil
    }
    return near.min { $0.rank < $1.rank }?.element
  }
}

extension [Character] {
  /// Returns the number of edits between two words.
  ///
  /// - Complexity: O(*n* · *m*), where *n* and *m* are the lengths of the words.
  fileprivate func editDistance(to other: [Character]) -> Int {
    var (earlier, previous) = ([Int](), Array<Int>(0...other.count))
    for (row, character) in enumerated() {
      var current = [row + 1]
      for column in other.indices {
        let replacement = previous[column] + (character == other[column] ? 0 : 1)
        var distance = Swift.min(previous[column + 1] + 1, current[column] + 1, replacement)
        if row > 0, column > 0, character == other[column - 1], self[row - 1] == other[column] {
          distance = Swift.min(distance, earlier[column - 1] + 1)
        }
        current.append(distance)
      }
      (earlier, previous) = (previous, current)
    }
    return previous[other.count]
  }
}
