// SPDX-License-Identifier: Apache-2.0

/// The byte order mark written by some editors and servers before UTF-8 text.
///
/// Readers of documents ignore it, as [RFC 8259 § 8.1](https://www.rfc-editor.org/rfc/rfc8259.html#section-8.1) allows.
package enum ByteOrderMark {
  /// Returns the text without a mark at its beginning.
  package static func dropped<Bytes: Collection<UInt8>>(from text: Bytes) -> Bytes.SubSequence {
    text.dropFirst(text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
  }
}
