// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import TestSupport
import Testing

/// The parts of a server's text that may be shown.
@Suite struct ServerTextTests {
  @Test(arguments: [
    // One secret begins another: nothing is left of the longer one.
    (["token", "token-and-more"], "a token-and-more b", "a <redacted> b"),
    (["token-and-more", "token"], "a token-and-more b", "a <redacted> b"),
    (["token", "token-and-more"], "token token-and-more", "<redacted> <redacted>"),
    (["more", "token-and-more", "and"], "token-and-more", "<redacted>"),
    // As a form has it.
    (["a b/c="], "x=a+b%2Fc%3D", "x=<redacted>"), (["s3cret"], "s3crets3cret", "<redacted>"),
    // In lower case, HTML, JSON and Base64, within other credentials, twice encoded, and cut.
    (["a b/c="], "x=a%20b%2fc%3d", "x=<redacted>"), (["a+b/c&d=e"], "a&#43;b&sol;c&amp;d&#x3D;e!", "<redacted>!"),
    (["a+b/c&d=e"], #"a\u002bb\/c\u0026d\x3de!"#, "<redacted>!"),
    (["pässword/1"], #"p\u00e4ssword%2f1 ."#, "<redacted> ."),
    (["s3cret-token?"], "Basic YXBwOnMzY3JldC10b2tlbj8=.", "Basic YXBwO<redacted>=."),
    (["s3cret-token?"], "czNjcmV0LXRva2VuPw==", "<redacted>=="),
    (["s3cret-token?"], "czNjcmV0LXRva2VuPw%3D%3D", "<redacted>%3D%3D"),
    // Hexadecimal, quoted-printable, and the escapes of other languages.
    (["a+b/c&d=e"], "612b622F6326643d65.", "<redacted>."),
    (["a+b/c&d=e"], "x0612b622f6326643d65.", "x0<redacted>."),
    (["a+b/c&d=e"], "a=2Bb=2fc=26d=3De.", "<redacted>."),
    (["a+b/c&d=e"], "a%u002bb%u002Fc%u0026d%u003de.", "<redacted>."),
    (["a+b/c&d=e"], #"a\u{2b}b\057c\046d\u{3D}e."#, "<redacted>."),
    (["a+b/c&d=e"], "a&#43b&#47c&#38d&#61e.", "<redacted>."),
    (["a+b/c+d/e"], "a%252Bb%252fc%252Bd%252Fe.", "<redacted>."), (["0123456789abcdef"], "t=01234567…", "t=<redacted>"),
    (["0123456789abcdef"], "…89abcdef 0123456", "<redacted> 0123456"),
    (["0123456789abcdef"], "…456789ab…", "<redacted>"),
    (["abc"], "abc", "abc"), (["abcd"], "abcd", "<redacted>"), ([], "abcd", "abcd"), ([""], "abcd", "abcd"),
  ])
  func secretsAreHiddenWhole(_ secrets: [String], _ text: String, _ shown: String) {
    #expect(ServerText.shown(text, hiding: secrets) == shown)
  }

  /// Secrets in forms that a server may write them in, drawn at random.
  @Test func secretIsHiddenInEveryForm() {
    var random = SeededNumbers(seed: 39)
    for _ in 0..<SeededNumbers.rounds / 6 {
      let secret = String((0..<Int.random(in: 8...80, using: &random)).map { _ in Written.draw(&random) })
      let written = Written.piece(of: secret, &random)
      let shown = ServerText.shown("x \(written.text) y", hiding: ["other-secret", secret])
      // A space beside a part of the secret can be the next character of the secret.
      #expect(shown.replacing(" ", with: "") == "x<redacted>y", "\(secret) as \(written.forms): \(written.text)")
    }
  }

  @Test func longTextIsSearchedInTime() {
    let secrets = (0..<20).map { "\($0)" + String(repeating: "s3cret+", count: 500) }
    let text = String(repeating: "%252B&amp;\\u0041czNjcmV0 ", count: 50_000)
    #expect(ServerText.shown(text, hiding: secrets, limit: 300).utf8.count <= 300)
  }

  @Test(arguments: [(0, ""), (3, "abc"), (5, "abcde"), (6, "abcde")])
  func textIsCutAtItsLimit(_ limit: Int, _ shown: String) {
    #expect(ServerText.shown("abcde", hiding: [], limit: limit) == shown)
  }
}

/// A part of a secret as a server writes it.
private enum Written {
  static func draw(_ random: inout SeededNumbers) -> Character {
    Character(Unicode.Scalar(UInt8.random(in: 0x20...0x7E, using: &random)))
  }

  /// Returns a secret, perhaps cut at either end to at least eight bytes, in one or two forms.
  static func piece(of secret: String, _ random: inout SeededNumbers) -> (text: String, forms: [String]) {
    var text = secret
    if Bool.random(using: &random) {
      let cut = Int.random(in: 0...secret.utf8.count - 8, using: &random)
      text = String(Bool.random(using: &random) ? secret.dropFirst(cut) : secret.dropLast(cut))
    }
    var names: [String] = []
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      let form = forms[Int.random(in: 0..<forms.count, using: &random)]
      names.append(form.name)
      text = form.write(text, &random)
    }
    return (text, names)
  }

  private typealias Form = (name: String, write: @Sendable (String, inout SeededNumbers) -> String)

  private static let forms: [Form] = [
    ("plain", { text, _ in text }),
    ("percent", { escape($0, always: "%", &$1) { byte, random in "%" + hex(byte, 2, &random) } }),
    (
      "form",
      {
        escape($0, always: "%+ ", &$1) { byte, random in byte == 0x20 ? "+" : "%" + hex(byte, 2, &random) }
      }
    ),
    ("JSON", { escape($0, always: "\\\"", &$1) { byte, random in "\\u" + hex(byte, 4, &random) } }),
    (
      "HTML",
      {
        escape($0, always: "&<>\"", &$1) { byte, random in
          Bool.random(using: &random) ? "&#\(byte);" : "&#x" + hex(byte, 2, &random) + ";"
        }
      }
    ),
    ("Base64", { text, _ in base64(text) }),
    ("base64url", { text, _ in base64(text).replacing("+", with: "-").replacing("/", with: "_") }),
  ]

  private static func base64(_ text: String) -> String {
    Data(text.utf8).base64EncodedString().replacing("=", with: "")
  }

  private static func escape(
    _ text: String, always: String, _ random: inout SeededNumbers,
    _ escaped: (UInt8, inout SeededNumbers) -> String
  ) -> String {
    let share = Double.random(in: 0...1, using: &random)
    var result = ""
    for byte in text.utf8 {
      let isEscaped = always.utf8.contains(byte) || Double.random(in: 0...1, using: &random) < share
      result += isEscaped ? escaped(byte, &random) : String(Unicode.Scalar(byte))
    }
    return result
  }

  private static func hex(_ byte: UInt8, _ digits: Int, _ random: inout SeededNumbers) -> String {
    let text = String(byte, radix: 16, uppercase: Bool.random(using: &random))
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }
}
