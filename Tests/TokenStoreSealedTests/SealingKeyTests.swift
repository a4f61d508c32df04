// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import TokenStore
import TokenStoreSealed

@Suite struct SealingKeyTests {
  /// The bytes 0 to 31, in both alphabets, with and without padding; and bytes whose alphabets differ.
  private static let text = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
  private static let high = [
    "-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_s", "+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/s=",
  ]

  private func invalid(
    _ text: String, at location: SourceLocation = #_sourceLocation
  ) throws -> TokenStorageError {
    let error = try #require(throws: TokenStorageError.self, sourceLocation: location) {
      try SealingKeyRing(text: Secret(text))
    }
    #expect(error.code == .invalidKeys, sourceLocation: location)
    return error
  }

  @Test func generatedKeysDifferAndAreReadAgain() throws {
    var texts: Set<String> = []
    for _ in 1...100 {
      let key = try SealingKey.generate("2026-11")
      #expect(key.identifier == "2026-11")
      #expect(try SealingKeyRing(text: Secret(key.reveal())).identifiers == ["2026-11"])
      #expect(key.reveal().wholeMatch(of: /2026-11:[A-Za-z0-9_-]{43}/) != nil)
      texts.insert(key.reveal())
    }
    #expect(texts.count == 100)
    #expect(try SealingKey(identifier: "k", bytes: Array(0..<32)).reveal() == "k:\(Self.text)")
    let longest = "azAZ09-_" + String(repeating: "a", count: 56)
    #expect(try SealingKey.generate(longest).identifier == longest)
  }

  @Test(arguments: ["", "a b", "a.b", "a:b", "ä", "a\n", String(repeating: "a", count: 65)])
  func identifierIsChecked(_ identifier: String) throws {
    let error = try #require(throws: TokenStorageError.self) { try SealingKey.generate(identifier) }
    #expect(error.code == .invalidKeys)
    #expect(throws: TokenStorageError.self) { try SealingKey(identifier: identifier, bytes: Array(0..<32)) }
  }

  @Test func noDescriptionShowsAKey() throws {
    let key = try SealingKey(identifier: "k", bytes: Array(0..<32))
    let ring = try SealingKeyRing([key])
    let storage = SealedTokenStorage(wrapping: InMemoryTokenStorage(), keys: ring, store: "s")
    #expect("\(key)" == "SealingKey(k, <redacted>)")
    #expect("\(ring)" == "SealingKeyRing(k)")
    #expect("\(storage)" == "SealedTokenStorage")
    for value in [key, ring, storage] as [Any] {
      var text = "\(value) \(String(reflecting: value))"
      dump(value, to: &text)
      #expect(!text.contains("AAECAw") && !text.contains("- 31") && !text.contains("2, 3"))
    }
  }

  @Test(arguments: [
    "a:\(text) b:\(high[0])", "a:\(text)=,b:\(high[1])",
    "\n# a comment\n\n\ta:\(text) # the first\r\n b:\(high[0])\n#c:x",
    "a:\(text),\nb:\(high[1]),", "a:\(text)#b:x\nb:\(high[0])",
  ])
  func textHasKeysInOrder(_ text: String) async throws {
    let ring = try SealingKeyRing(text: Secret(text))
    #expect(ring.identifiers == ["a", "b"])
    let base = InMemoryTokenStorage()
    try await sealed(base, ring).write(full)
    let same = try SealingKeyRing([SealingKey(identifier: "a", bytes: Array(0..<32))])
    #expect(try await sealed(base, same).read() == full)
    let second = try SealingKeyRing([key("b", 0xFB)])
    try await sealed(base, second).write(token("b"), for: "b")
    #expect(try await sealed(base, ring).read("b") == token("b"))
  }

  @Test(arguments: [
    "a", "a:", ":\(text)", "a:\(text.dropLast())", "a:\(text)A", "a:\(text)==", "a:\(text)=A", "a:=", "a b:\(text)",
    "a:\(text):", "a.b:\(text)", "a=\(text)", text,
  ])
  func textOfNoKeyIsRefusedWithoutShowingIt(_ text: String) throws {
    let error = try invalid(text)
    #expect(error.message.hasPrefix("Sealing key 1 is not valid. Write IDENTIFIER:KEY"))
    #expect(!error.message.contains("AAEC"))
    #expect(try invalid("k:\(Self.text)\n# b\n\(text)").message.hasPrefix("Sealing key 2 "), "its position is named")
  }

  @Test(arguments: ["", " \n", "# a:\(text)", ","]) func textWithoutKeysIsRefused(_ text: String) throws {
    #expect(try invalid(text).message.hasPrefix("There is no sealing key."))
  }

  @Test func identifierIsUniqueInARing() throws {
    let error = try invalid("a:\(Self.text) b:\(Self.text) a:\(Self.high[0])")
    #expect(error.message.contains("the identifier a."))
    let none = try #require(throws: TokenStorageError.self) { try SealingKeyRing([]) }
    #expect(none.code == .invalidKeys)
  }

  @Test func environmentVariableHasKeys() throws {
    #expect(try SealingKeyRing(environment: "KEYS", of: ["KEYS": "a:\(Self.text)"]).identifiers == ["a"])
    let unset = try #require(throws: TokenStorageError.self) { try SealingKeyRing(environment: "ALMANAC_NO_SUCH_KEYS") }
    #expect(unset.code == .invalidKeys)
    #expect(unset.message.contains("ALMANAC_NO_SUCH_KEYS is not set"))
    let wrong = try #require(throws: TokenStorageError.self) {
      try SealingKeyRing(environment: "KEYS", of: ["KEYS": "a"])
    }
    #expect(wrong.message.hasPrefix("The environment variable KEYS: Sealing key 1 is not valid."))
  }
}

@Suite(.takesTurns) struct SealingKeyFileTests {
  private let home: TemporaryDirectory
  private let keys: String

  init() throws {
    home = try TemporaryDirectory()
    keys = try SealingKey.generate("a").reveal() + "\n" + SealingKey.generate("b").reveal() + "\n"
  }

  private func refusal(
    _ file: URL, _ code: TokenStorageError.Code, at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let error = try #require(throws: TokenStorageError.self, sourceLocation: location) {
      try SealingKeyRing(file: file)
    }
    #expect(error.code == code, sourceLocation: location)
    #expect(!error.message.contains(keys.prefix(20)), sourceLocation: location)
    return error.message
  }

  @Test(arguments: [0o600, 0o400, 0o700]) func privateFileIsRead(_ permissions: Int) throws {
    for mark in ["", "\u{FEFF}"] {
      let file = try home.file("keys\(mark.utf8.count)", mark + keys, permissions: permissions)
      #expect(try SealingKeyRing(file: file).identifiers == ["a", "b"])
    }
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o610, 0o601, 0o644, 0o777])
  func fileThatOthersCanUseIsRefused(_ permissions: Int) throws {
    let message = try refusal(try home.file("keys", keys, permissions: permissions), .insecure)
    #expect(message.contains("other users have access to it") && message.contains("chmod 600"))
  }

  @Test func whatIsNoFileOfItsOwnIsRefused() throws {
    let file = try home.file("keys", keys)
    func url(_ name: String) -> URL { home.url.appending(path: name) }
    try FileManager.default.createSymbolicLink(at: url("link"), withDestinationURL: file)
    #expect(try refusal(url("link"), .insecure).contains("it is a symbolic link. "))
    #expect(try refusal(home.url, .insecure).contains("it is not a plain file"))
    #expect(try refusal(url("none"), .unavailable).contains("There is no file \(url("none").path)"))
    try FileManager.default.linkItem(at: file, to: url("second"))
    #expect(try refusal(url("second"), .insecure).contains("it has a second name"))
  }

  @Test func contentIsChecked() throws {
    #expect(try refusal(try home.file("empty"), .invalidKeys).contains("empty: There is no sealing key."))
    #expect(try refusal(try home.file("text", "text"), .invalidKeys).contains("text: Sealing key 1 is not valid."))
    let long = String(repeating: "#", count: 65_537)
    #expect(try refusal(try home.file("long", long), .invalidKeys).contains("larger than 64 KiB"))
    let limit = keys + String(repeating: "#", count: 65_536 - keys.utf8.count)
    #expect(try SealingKeyRing(file: try home.file("limit", limit)).identifiers == ["a", "b"])
  }
}
