// SPDX-License-Identifier: Apache-2.0

extension StringProtocol {
  /// The text with the letters A to Z in lower case and every other character as it is.
  ///
  /// Protocol elements compare without regard to the case of ASCII letters only. `lowercased()` turns some other characters
  /// into ASCII letters too: the Kelvin sign (U+212A) into `k`.
  package var lowercasedASCII: String {
    String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
