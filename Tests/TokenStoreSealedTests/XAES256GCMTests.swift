// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TokenStore
import TokenStoreSealed

/// The vectors of the specification, from the table beside.
@Suite struct XAES256GCMTests {
  private static let hashOf500: Substring = "cad29e9f0a913ef58b5f1f3fd4e3749b61ef9c17cd341c20b50254ba701ad4f0"

  private static func lines(_ kind: String) throws -> [[Substring]] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "XAES-256-GCM.txt")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("\(kind) ") }
      .map { Array($0.split(separator: " ").dropFirst()) }
  }

  private func bytes(_ text: Substring) throws -> [UInt8] {
    if text == "-" { return [] }
    return try stride(from: 0, to: text.utf8.count, by: 2).map { index in
      let start = text.utf8.index(text.startIndex, offsetBy: index)
      return try #require(UInt8(text[start..<text.utf8.index(start, offsetBy: 2)], radix: 16))
    }
  }

  @Test func vectorsOfTheSpecification() throws {
    let vectors = try Self.lines("vector")
    #expect(vectors.count == 2)
    for vector in vectors {
      let fields = try vector.map(bytes)
      let (nonce, plaintext, data) = (fields[1], fields[3], fields[4])
      let cipher = try XAES256GCM(key: fields[0])
      #expect(try cipher.seal(plaintext, nonce: nonce, authenticating: data) == fields[5])
      #expect(try cipher.open(fields[5], nonce: nonce, authenticating: data) == plaintext)
    }
  }

  /// The hash of random messages, each of which is opened again.
  ///
  /// `ALMANAC_VECTORS` is their number, 10,000 or 1,000,000 as in the specification. It defaults to 500, whose hash was computed with the
  /// code that computes that of 10,000.
  @Test func accumulatedVectors() throws {
    let count = ProcessInfo.processInfo.environment["ALMANAC_VECTORS"].flatMap { Int($0) } ?? 500
    let lines = try Self.lines("accumulated") + [["500", Self.hashOf500]]
    let line = try #require(lines.first { $0[0] == "\(count)" })
    var (random, hash) = (Shake128(), Shake128())
    for _ in 1...count {
      let (key, nonce) = (random.read(32), random.read(24))
      let plaintext = random.read(Int(random.read(1)[0]))
      let data = random.read(Int(random.read(1)[0]))
      let cipher = try XAES256GCM(key: key)
      let sealed = try cipher.seal(plaintext, nonce: nonce, authenticating: data)
      #expect(try cipher.open(sealed, nonce: nonce, authenticating: data) == plaintext)
      hash.write(sealed)
    }
    #expect(hash.read(32) == (try bytes(line[1])))
  }

  @Test func generatorOfTheAccumulatedVectorsStartsAsTheSpecificationSays() throws {
    var random = Shake128()
    #expect(random.read(16) == (try bytes("7f9c2ba4e88f827d616045507605853e")))
  }

  @Test func everyByteIsAuthenticated() throws {
    let cipher = try XAES256GCM(key: Array(0..<32))
    let (nonce, data) = ([UInt8](100..<124), [UInt8](1...3))
    let sealed = try cipher.seal([7, 8, 9], nonce: nonce, authenticating: data)
    #expect(sealed.count == 19)
    func changes(_ bytes: [UInt8]) -> [[UInt8]] {
      bytes.indices.flatMap { index in
        (0..<8).map { bit in
          var changed = bytes
          changed[index] ^= 1 << bit
          return changed
        }
      }
    }
    for changed in changes(sealed) { #expect(try cipher.open(changed, nonce: nonce, authenticating: data) == nil) }
    for changed in changes(nonce) { #expect(try cipher.open(sealed, nonce: changed, authenticating: data) == nil) }
    for changed in changes(data) { #expect(try cipher.open(sealed, nonce: nonce, authenticating: changed) == nil) }
    for count in 0..<19 {
      #expect(try cipher.open(Array(sealed[..<count]), nonce: nonce, authenticating: data) == nil)
    }
    #expect(try cipher.open(sealed, nonce: nonce, authenticating: []) == nil)
    #expect(try XAES256GCM(key: Array(1...32)).open(sealed, nonce: nonce, authenticating: data) == nil)
  }

  @Test func sizesAreChecked() throws {
    let cipher = try XAES256GCM(key: Array(0..<32))
    for count in [0, 31, 33] {
      let error = try #require(throws: TokenStorageError.self) {
        _ = try XAES256GCM(key: [UInt8](repeating: 0, count: count))
      }
      #expect(error.code == .invalidKeys)
      #expect(
        error.message
          == "A sealing key must have 32 bytes, not \(count). Check where they come from. For a new store, use SealingKey.generate(_:)."
      )
    }
    for count in [0, 12, 23, 25] {
      let nonce = [UInt8](repeating: 0, count: count)
      #expect(throws: TokenStorageError.self) { try cipher.seal([], nonce: nonce, authenticating: []) }
      #expect(throws: TokenStorageError.self) {
        try cipher.open([UInt8](repeating: 0, count: 16), nonce: nonce, authenticating: [])
      }
    }
  }
}
