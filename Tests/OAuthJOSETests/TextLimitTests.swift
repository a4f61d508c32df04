// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
import Testing

/// The size of each text that is read, up to its limit and one byte beyond it.
@Suite struct TextLimitTests {
  @Test(arguments: [(262_144, true), (262_145, false)]) func compactJWS(length: Int, isRead: Bool) {
    // Each part has a length that Base64URL has.
    let (start, end) = ("\(Vectors.RFC7515A2.header).", isRead ? ".AA" : ".AAA")
    let text = start + String(repeating: "A", count: length - start.utf8.count - end.utf8.count) + end
    #expect((code { _ = try JWS(compact: text) } == nil) == isRead)
  }

  @Test(arguments: [(65_536, true), (65_537, false)]) func pem(length: Int, isRead: Bool) {
    let text = KeyForms.spki + String(repeating: "\n", count: length - KeyForms.spki.utf8.count)
    #expect((code { _ = try VerificationKey(pem: text) } == nil) == isRead)
  }

  @Test(arguments: [(65_536, true), (65_537, false)]) func jwk(length: Int, isRead: Bool) {
    #expect((code { _ = try JWK(json: padded(#"{"kty":"EC"}"#, to: length)) } == nil) == isRead)
  }

  @Test(arguments: [(1_048_576, true), (1_048_577, false)]) func jwkSet(length: Int, isRead: Bool) {
    #expect((code { _ = try JWKSet(json: padded(#"{"keys":[]}"#, to: length)) } == nil) == isRead)
  }

  private func padded(_ json: String, to length: Int) -> [UInt8] {
    Array(json.utf8) + [UInt8](repeating: 0x20, count: length - json.utf8.count)
  }
}
