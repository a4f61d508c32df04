// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The textual encoding of keys ([RFC 7468](https://www.rfc-editor.org/rfc/rfc7468.html)).
enum PEM {
  /// Returns the label and content of the first block in `text`.
  static func decode(_ text: String) -> (label: String, content: [UInt8])? {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingSuffixWhitespace }
    guard let begin = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN ") && $0.hasSuffix("-----") }) else {
      return nil
    }
    let label = lines[begin].dropFirst("-----BEGIN ".count).dropLast("-----".count)
    guard let end = lines[begin...].firstIndex(of: "-----END \(label)-----"),
      let content = Data(base64Encoded: lines[(begin + 1)..<end].joined())
    else { return nil }
    return (String(label), Array(content))
  }
}

extension Substring {
  fileprivate var trimmingSuffixWhitespace: Substring {
    guard let last = lastIndex(where: { !$0.isWhitespace }) else { return prefix(0) }
    return self[...last]
  }
}
