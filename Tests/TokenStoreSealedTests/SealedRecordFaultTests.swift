// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
import Testing
import TokenStore
import TokenStoreSealed

/// Records that cannot be opened: each fault has its code, and none is replaced.
@Suite struct SealedRecordFaultTests {
  private let base = InMemoryTokenStorage()
  private let storage: SealedTokenStorage

  init() throws { storage = sealed(base, try ring()) }

  private func put(_ text: String, _ account: String = "account") async throws {
    try await base.write(StoredToken(sealed: text), for: account)
  }

  /// Returns the text of a record of the token, short enough to be changed everywhere.
  private func record() async throws -> String {
    try await storage.write(full)
    return try await base.sealedText()
  }

  private func code() async throws -> TokenStorageError.Code {
    try await #require(throws: TokenStorageError.self) { try await storage.token(for: "account") }.code
  }

  @Test func recordOfAnotherAccountDoesNotOpen() async throws {
    try await storage.write(token("one"), for: "account")
    try await storage.write(token("two"), for: "other")
    let (one, two) = (try await base.sealedText("account"), try await base.sealedText("other"))
    try await put(two, "account")
    try await put(one, "other")
    try await expectRefusal(.tampered, of: storage, over: base)
    try await put(one, "account")
    try await put(two, "other")
    #expect(try await storage.read() == token("one"))
    #expect(try await storage.read("other") == token("two"))
  }

  /// The fields of the associated data have their lengths, so that no byte can move from one to the next.
  @Test func storeAndAccountAreSeparate() async throws {
    try await sealed(base, try ring(), store: "ab").write(full, for: "c")
    try await put(try await base.sealedText("c"), "bc")
    for (store, account) in [("a", "bc"), ("ab", "bc"), ("", "bc"), ("abc", "c"), ("a", "c"), ("AB", "c")] {
      let error = try await #require(throws: TokenStorageError.self) {
        try await sealed(base, try ring(), store: store).token(for: account)
      }
      #expect(error.code == .tampered)
    }
    #expect(try await sealed(base, try ring(), store: "ab").token(for: "c") == full)
  }

  @Test func accountsThatDifferInTheirBytesAreSeparate() async throws {
    try await storage.write(full, for: "\u{E9}")
    try await put(try await base.sealedText("\u{E9}"), "e\u{301}")
    let error = try await #require(throws: TokenStorageError.self) { try await storage.token(for: "e\u{301}") }
    #expect(error.code == .tampered)
  }

  @Test func truncatedRecordIsDamagedAtEachLength() async throws {
    let text = try await record()
    for length in 0..<text.utf8.count {
      try await put(String(decoding: text.utf8.prefix(length), as: UTF8.self))
      let code = try await code()
      #expect(code == .damagedSeal, "\(length) bytes")
    }
    try await expectRefusal(.damagedSeal, of: storage, over: base)
  }

  @Test func flippedBitIsNoticedAtEachPlace() async throws {
    let bytes = Array(try await record().utf8)
    for index in bytes.indices {
      for bit in 0..<7 {
        var changed = bytes
        changed[index] ^= 1 << bit
        try await put(String(decoding: changed, as: UTF8.self))
        let code = try await code()
        #expect(code == .damagedSeal, "bit \(bit) of byte \(index)")
      }
    }
  }

  /// With a checksum that fits, as an attacker would make it.
  @Test func forgedBitIsNoticedAtEachPlace() async throws {
    let parts = try SealedParts(try await record())
    for index in parts.content.indices {
      for bit in 0..<8 {
        var changed = parts
        changed.content[index] ^= 1 << bit
        try await put(changed.text)
        let code = try await code()
        #expect(code == (index < 8 ? .wrongKey : .tampered), "bit \(bit) of byte \(index)")
      }
    }
    try await expectRefusal(.tampered, of: storage, over: base)
  }

  @Test func forgedLengthIsNoticed() async throws {
    let parts = try SealedParts(try await record())
    for count in 1..<parts.content.count {
      var changed = parts
      changed.content.removeLast(count)
      try await put(changed.text)
      let code = try await code()
      // It has a fingerprint, a nonce and a tag at least.
      #expect(code == (changed.content.count < 48 ? .damagedSeal : .tampered), "without \(count) bytes")
    }
  }

  @Test func keyThatIsNotInTheRingIsNamed() async throws {
    try await sealed(base, try oldRing()).write(full)
    let withoutOld = sealed(base, try newRing())
    try await expectRefusal(.unknownKey, of: withoutOld, over: base)
    let error = try await #require(throws: TokenStorageError.self) { try await withoutOld.token(for: "account") }
    #expect(error.message.contains("\"account\"") && error.message.contains("the key old,"))
    #expect(try await storage.read() == full)
  }

  @Test func anotherKeyWithTheSameIdentifierIsDistinguishedFromTampering() async throws {
    try await sealed(base, try oldRing()).write(full)
    let wrong = sealed(base, try SealingKeyRing([key("old", 7)]))
    try await expectRefusal(.wrongKey, of: wrong, over: base)
  }

  /// One key under two names: the name is authenticated too.
  @Test func identifierCannotBeExchanged() async throws {
    let twice = sealed(base, try SealingKeyRing([key("one", 1), key("two", 1)]))
    try await twice.write(full)
    var parts = try SealedParts(try await base.sealedText())
    parts.identifier = "two"
    try await put(parts.text)
    try await expectRefusal(.tampered, of: twice, over: base)
  }

  @Test(arguments: ["", ".", "new", "new.", ".AAAA", "new.A", "new.=", "new AAAA", "neü.AAAA", "new.\u{301}AAAA"])
  func textOfNoRecordIsDamaged(_ text: String) async throws {
    try await put(text)
    try await expectRefusal(.damagedSeal, of: storage, over: base)
  }

  /// The authentic record of a program that seals something else.
  @Test func sealedMessageThatIsNoRecordIsDamaged() async throws {
    let bytes = [UInt8](repeating: 2, count: 32)
    let cipher = try XAES256GCM(key: bytes)
    func field(_ bytes: [UInt8]) -> [UInt8] { [0, 0, 0, 0, 0, 0, 0, UInt8(bytes.count)] + bytes }
    let texts = ["almanac sealed record", "\u{3}", "new", "store", "account"]
    let data = texts.flatMap { field(Array($0.utf8)) }
    func put(_ plaintext: String) async throws {
      let nonce = [UInt8](repeating: 9, count: 24)
      let message = try cipher.seal(Array(plaintext.utf8), nonce: nonce, authenticating: data)
      var parts = try SealedParts(try await record())
      parts.content = MessageDigest.sha256(bytes)[..<8] + nonce + message
      try await self.put(parts.text)
    }
    // The documented form, made without the module's own code.
    try await put(
      #"{"accessToken":"a","scopes":[],"serverClockOffset":{"attoseconds":0,"seconds":0},"tokenType":"Bearer","version":1}"#
    )
    #expect(try await storage.read() == token("a"))
    for text in ["", "{}", "visible-text"] {
      try await put(text)
      let code = try await code()
      #expect(code == .damagedSeal)
      try await base.write(nil)
    }
    try await put(#"{"version":9}"#)
    let code = try await code()
    #expect(code == .newerFormat)
    try await base.write(nil)
  }
}
