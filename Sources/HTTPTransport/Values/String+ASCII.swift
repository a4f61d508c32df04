// SPDX-License-Identifier: Apache-2.0

extension StringProtocol {
  /// The text with the letters A to Z in lower case and every other character unchanged.
  ///
  /// Protocol elements compare without regard to the case of ASCII letters only. `lowercased()` turns some other characters
  /// into ASCII letters too: the Kelvin sign (U+212A) into `k`.
  package var lowercasedASCII: String {
    String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}

extension Substring {
  /// Returns the parts of the text between the occurrences of an ASCII character, as `split(separator:)` does.
  ///
  /// Protocols separate by bytes. `split(separator:)` compares characters, which takes several times as long. It does
  /// not find a separator followed by a combining mark, or a line feed in CRLF.
  package func split(
    ascii separator: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
  ) -> [Substring] {
    let separator = UInt8(truncatingIfNeeded: separator.value)
    var parts: [Substring] = []
    var start = startIndex
    while parts.count < maxSplits, let end = utf8[start...].firstIndex(of: separator) {
      if start < end || !omittingEmptySubsequences { parts.append(self[start..<end]) }
      start = utf8.index(after: end)
    }
    if start < endIndex || !omittingEmptySubsequences { parts.append(self[start...]) }
    return parts
  }
}

extension String {
  /// Returns the parts of the text between the occurrences of an ASCII character.
  ///
  /// See `Substring`'s method.
  package func split(
    ascii separator: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
  ) -> [Substring] {
    self[...].split(ascii: separator, maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences)
  }
}
