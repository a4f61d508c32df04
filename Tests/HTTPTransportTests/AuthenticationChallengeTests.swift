// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import TestSupport
import Testing

@Suite struct AuthenticationChallengeTests {
  private func challenges(_ values: String...) -> [AuthenticationChallenge] {
    HTTPFields(values.map { ("WWW-Authenticate", $0) }).authenticationChallenges
  }

  private func challenge(_ scheme: String, _ parameters: KeyValuePairs<String, String> = [:], token68: String? = nil)
    -> AuthenticationChallenge
  {
    AuthenticationChallenge(
      scheme: scheme, token68: token68, parameters: parameters.map { (name: $0.key, value: $0.value) })
  }

  /// RFC 9110 § 11.6.1.
  @Test func severalChallengesInOneField() {
    #expect(
      challenges(#"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#) == [
        challenge("Basic", ["realm": "simple"]),
        challenge("Newauth", ["realm": "apps", "type": "1", "title": #"Login to "apps""#]),
      ])
  }

  @Test(arguments: [
    "Bearer", "bearer realm=x", "Bearer  realm = x ", #"Bearer realm="a, b""#, "Bearer realm=x,", ", ,Bearer realm=x",
    #"Bearer realm="a\,b""#, #"Bearer realm="""#,
  ])
  func oneChallengeIsRead(_ text: String) {
    #expect(challenges(text).count == 1)
    #expect(challenges(text).first?.hasScheme("BEARER") == true)
  }

  @Test func valuesAreUnescaped() {
    #expect(challenges(#"Bearer realm="a\\b\"c, d=\e""#).first?["Realm"] == #"a\b"c, d=e"#)
    #expect(challenges("Bearer realm = x ").first?["realm"] == "x")
    #expect(challenges(#"Bearer error_description="é""#).first?["error_description"] == "é")
  }

  @Test(
    arguments: [
      ("Negotiate YII+/-._~==", "YII+/-._~=="), ("Negotiate a, Basic realm=x", "a"), ("Negotiate abc=", "abc="),
      ("Negotiate", nil), ("Bearer a=b", nil),
    ] as [(String, String?)])
  func dataIsReadWhereItStandsAlone(_ text: String, _ data: String?) {
    #expect(challenges(text).first?.token68 == data)
  }

  @Test func schemesWithoutParametersStandBesideOthers() {
    #expect(
      challenges(#"Negotiate, DPoP algs="ES256 PS256" , Bearer"#) == [
        challenge("Negotiate"), challenge("DPoP", ["algs": "ES256 PS256"]), challenge("Bearer"),
      ])
    #expect(challenges("Negotiate", "Basic realm=x").map(\.scheme) == ["Negotiate", "Basic"])
  }

  @Test(
    arguments: [
      ("", 0), ("   ,, ", 0), (#"Bearer realm="open"#, 0), (#"Bearer realm="open\"#, 0), ("Bearer realm=\"a\" b", 0),
      ("Bearer =x", 0), ("Bearer a=b, =x, Basic realm=y", 1), ("Basic realm=x, Bearer a=[", 1), ("[", 0),
      ("Bearer a=b, c=[", 0), (#"Bearer a=b, c="open"#, 0), ("Bearer a=b;[", 1), (#"Bearer "a""#, 0),
      ("Bearer error=a error_description=not in quotes", 0), ("Bearer a='open b", 0), ("Basic Bearer", 1),
    ])
  func mistakeCostsWhatFollows(_ text: String, _ count: Int) {
    #expect(challenges(text).count == count, "\(challenges(text))")
  }

  /// Deviations of servers whose meaning is unambiguous.
  @Test(arguments: [
    "Bearer error='invalid_token', scope='a b', resource_metadata='https://api.example/x?a=b'",
    #"Bearer error="invalid_token" scope="a b" resource_metadata="https://api.example/x?a=b""#,
    "Bearer error='invalid_token' scope='a b' resource_metadata='https://api.example/x?a=b'",
    #"Bearer error="invalid_token"; scope="a b" ;resource_metadata=https://api.example/x?a=b; Basic realm="x""#,
    #"Bearer error=invalid_token,scope="a b",resource_metadata=https://api.example/x?a=b"#,
    #"Basic realm="x" Bearer error='invalid_token'  scope="a b" , resource_metadata=https://api.example/x?a=b"#,
    "Bearer error='invalid_token' scope='a b' resource_metadata=https://api.example/x?a=b Basic realm='x'",
  ])
  func deviationIsRead(_ text: String) {
    let challenge = challenges(text).first { $0.hasScheme("Bearer") }
    #expect(challenge?["error"] == "invalid_token" && challenge?["scope"] == "a b", "\(challenges(text))")
    #expect(challenge?["resource_metadata"] == "https://api.example/x?a=b")
    #expect(challenges(text).count == (text.contains("Basic") ? 2 : 1))
  }

  @Test(arguments: [
    ("Bearer a='it's the users' own', b=c", "it's the users' own"), ("Bearer a='', b=c", ""), ("Bearer a='b", "'b"),
    ("Bearer a='b'c', d=e", "b'c"), ("Bearer a=\"'b'\"", "'b'"),
  ])
  func singleQuoteEndsAValueBeforeASeparator(_ text: String, _ value: String) {
    #expect(challenges(text).first?["a"] == value)
  }

  @Test func parameterThatIsRepeatedHasNoValue() {
    let challenge = challenges("Bearer scope=a, SCOPE=b, error=c").first
    #expect(challenge?["scope"] == nil && challenge?["error"] == "c" && challenge?["missing"] == nil)
  }

  @Test func noTextEndsTheProcess() {
    var numbers = SeededNumbers(seed: 1)
    for _ in 0..<2_000 {
      _ = challenges(String(decoding: numbers.bytes(upTo: 24, of: #"ab=",'\ ;é[]/+"#), as: UTF8.self))
    }
    for text in ["a=\"", "a='", "a 'b' "] { #expect(challenges(String(repeating: text, count: 100_000)).isEmpty) }
  }

  @Test func everyByteOfDataIsReadWhereItMayStand() {
    let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/".unicodeScalars)
    // A comma ends the challenge.
    for number in UInt8(0x20)..<0x7F where number != UInt8(ascii: ",") {
      let scalar = Unicode.Scalar(number)
      let challenges = HTTPFields([("WWW-Authenticate", "Negotiate a\(scalar)b==")]).authenticationChallenges
      #expect(challenges.first?.token68 == (allowed.contains(scalar) ? "a\(scalar)b==" : nil), "\(scalar)")
    }
  }
}
