// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
import Testing

@Suite struct Base64URLTests {
  @Test(
    "RFC 4648 § 10 without its padding, and the two characters that differ",
    arguments: [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
      ("foobar", "Zm9vYmFy"), ("\u{3F}\u{3F}\u{3E}\u{7E}", "Pz8-fg"), ("~~?", "fn4_"),
    ])
  func encodesAndDecodes(text: String, encoded: String) {
    #expect(Base64URL.encode(Array(text.utf8)) == encoded)
    #expect(Base64URL.decode(encoded) == Array(text.utf8))
  }

  @Test func everyLengthAndByteComesBack() {
    for count in 0...258 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }
  }

  @Test func everyByteButTheAlphabetIsRefusedAtEveryPlace() {
    let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    for count in 1...9 {
      for place in 0..<count {
        for byte in 0..<0x80 as Range<UInt8> {
          var text = [UInt8](repeating: UInt8(ascii: "A"), count: count)
          text[place] = byte
          let decoded = Base64URL.decode(String(decoding: text, as: UTF8.self))
          let restated = decoded.map { Array(Base64URL.encode($0).utf8) }
          #expect(restated == nil || restated == text)
          #expect(alphabet.contains(byte) || decoded == nil)
        }
      }
    }
    #expect(Base64URL.decode("Zé") == nil)
  }

  @Test func partOfATextIsDecoded() {
    #expect(Base64URL.decode("x.Zm9vYg.y".dropFirst(2).dropLast(2)) == Array("foob".utf8))
  }
}
