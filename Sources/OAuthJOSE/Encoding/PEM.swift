// SPDX-License-Identifier: Apache-2.0

import Support

/// The textual encoding of keys and certificates ([RFC 7468](https://www.rfc-editor.org/rfc/rfc7468.html)).
package enum PEM {
  private static let sizeLimit = 65_536

  /// Returns the content of each block of `text` with a label, in their order, or `nil` if there is none, or one is cut
  /// off or damaged.
  package static func contents(of text: String, label: String) -> [[UInt8]]? {
    var blocks = Blocks(text)
    var contents: [[UInt8]] = []
    while let block = blocks.next() {
      guard block.label == label else { continue }
      guard let content = decodeBase64(block.body), !content.isEmpty else { return nil }
      contents.append(content)
    }
    return contents.isEmpty || blocks.isCutOff ? nil : contents
  }

  /// Returns the content of the first block of `text` with one of these labels.
  ///
  /// - Throws: `JOSEError` with code `malformed` if there is no complete block or the text is longer than 64 KiB, or with code
  ///   `unsuitableKey` if there are only other blocks or the block is encrypted.
  static func decode(_ text: String, labels: Set<String>) throws(JOSEError) -> (label: String, content: [UInt8]) {
    guard text.utf8.count <= sizeLimit else { throw JOSEError(.malformed, "The PEM text is longer than 64 KiB.") }
    var hasOthers = false
    var blocks = Blocks(text)
    while let (label, body) = blocks.next() {
      guard labels.contains(label) else {
        hasOthers = true
        continue
      }
      if body.contains(where: { $0.hasPrefix("Proc-Type:") && $0.hasSuffix("ENCRYPTED") }) {
        throw JOSEError(.unsuitableKey, "The PEM block is encrypted. Decrypt the key first.")
      }
      guard let content = decodeBase64(body) else { break }
      return (label, content)
    }
    guard !hasOthers else { throw JOSEError(.unsuitableKey, "The PEM text contains no key of the expected kind.") }
    throw JOSEError(.malformed, "The key is not PEM text. Provide the whole block, from BEGIN to END.")
  }

  /// The blocks of a text, up to one without an end.
  private struct Blocks: IteratorProtocol {
    private var lines: ArraySlice<Substring>
    /// Whether the last block has no end.
    private(set) var isCutOff = false

    init(_ text: String) {
      let text = Substring(ByteOrderMark.dropped(from: text.utf8))
      lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingSuffixWhitespace }[...]
    }

    mutating func next() -> (label: String, body: ArraySlice<Substring>)? {
      while let line = lines.popFirst() {
        guard line.hasPrefix("-----BEGIN "), line.hasSuffix("-----") else { continue }
        let label = String(line.dropFirst("-----BEGIN ".count).dropLast("-----".count))
        guard let end = lines.firstIndex(of: "-----END \(label)-----") else {
          isCutOff = true
          return nil
        }
        defer { lines = lines[(end + 1)...] }
        return (label, lines[..<end])
      }
      return nil
    }
  }

  static func encode(_ bytes: [UInt8], label: String) -> String {
    var text: [UInt8] = Array("-----BEGIN \(label)-----\n".utf8)
    defer { text.wipe() }
    text.reserveCapacity(bytes.count * 3 / 2 + 128)
    for start in stride(from: 0, to: bytes.count, by: 48) {
      let line = bytes[start..<min(start + 48, bytes.count)]
      for character in Base64URL.encode(Array(line)).utf8 {
        switch character {
        case UInt8(ascii: "-"): text.append(UInt8(ascii: "+"))
        case UInt8(ascii: "_"): text.append(UInt8(ascii: "/"))
        default: text.append(character)
        }
      }
      text += [UInt8](repeating: UInt8(ascii: "="), count: (3 - line.count % 3) % 3)
      text.append(UInt8(ascii: "\n"))
    }
    text += Array("-----END \(label)-----\n".utf8)
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes Base64 with its padding, or returns `nil`.
  ///
  /// Foundation's decoder would leave copies of a secret in memory.
  private static func decodeBase64(_ lines: ArraySlice<Substring>) -> [UInt8]? {
    var characters: [UInt8] = []
    defer { characters.wipe() }
    characters.reserveCapacity(lines.reduce(0) { $0 + $1.utf8.count })
    for character in lines.lazy.map(\.utf8).joined() where character != UInt8(ascii: " ") && character != 0x09 {
      switch character {
      case UInt8(ascii: "+"): characters.append(UInt8(ascii: "-"))
      case UInt8(ascii: "/"): characters.append(UInt8(ascii: "_"))
      case UInt8(ascii: "-"), UInt8(ascii: "_"): return nil
      default: characters.append(character)
      }
    }
    guard characters.count.isMultiple(of: 4) else { return nil }
    for _ in 0..<2 where characters.last == UInt8(ascii: "=") { characters.removeLast() }
    return Base64URL.decode(characters[...])
  }
}

extension Substring {
  fileprivate var trimmingSuffixWhitespace: Substring {
    guard let last = lastIndex(where: { !$0.isWhitespace }) else { return prefix(0) }
    return self[...last]
  }
}
