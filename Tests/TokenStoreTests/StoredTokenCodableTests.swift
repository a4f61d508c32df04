// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import Timekeeping
import TokenStore

@Suite struct StoredTokenCodableTests {
  private static let full = StoredToken(
    accessToken: Secret("access"), expiresAt: Timestamp(secondsSince1970: 1_767_225_600, nanoseconds: 5),
    refreshToken: Secret("refresh"), scopes: ["a", "b"], issuer: "https://login.example", clientID: "app"
  ) {
    $0.issuedAt = Timestamp(secondsSince1970: -1, nanoseconds: 999_999_999)
    $0.serverClockOffset = .milliseconds(-1500)
    $0.idToken = Secret("identity")
  }

  /// As it stands in the documentation of the format.
  private static let json = """
    {"accessToken":"access","clientID":"app","expiresAt":{"nanoseconds":5,"seconds":1767225600},"idToken":"identity",\
    "issuedAt":{"nanoseconds":999999999,"seconds":-1},"issuer":"https://login.example","refreshToken":"refresh",\
    "scopes":["a","b"],"serverClockOffset":{"attoseconds":-500000000000000000,"seconds":-1},"tokenType":"Bearer","version":1}
    """

  private func decode(_ json: String) throws -> StoredToken {
    try JSONDecoder().decode(StoredToken.self, from: Data(json.utf8))
  }

  private func encode(_ token: StoredToken) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(token), as: UTF8.self)
  }

  /// A key goes with the tokens in a version that earlier releases refuse.
  @Test func formatIsTheDocumentedOne() throws {
    let bound = StoredToken(accessToken: Secret("a")) {
      $0.tokenType = "DPoP"
      $0.proofKey = ProofKey(algorithm: "ES256", privateKey: Secret("pem"))
    }
    let json = """
      {"accessToken":"a","proofKey":{"algorithm":"ES256","privateKey":"pem"},"scopes":[],\
      "serverClockOffset":{"attoseconds":0,"seconds":0},"tokenType":"DPoP","version":2}
      """
    for (token, json) in [(Self.full, Self.json), (bound, json), (StoredToken(sealed: "key.text"), Self.sealed)] {
      #expect(try encode(token) == json)
      #expect(String(decoding: TokenRecord.encode(token), as: UTF8.self) == json)
      guard json != Self.sealed else { continue }
      #expect(try decode(json) == token)
    }
    #expect(!"\(bound) \(String(reflecting: bound))".contains("pem"))
  }

  /// The seconds of a duration can exceed 64 bits.
  @Test func endlessOffsetIsStoredAsTheLongest() throws {
    let token = StoredToken(accessToken: Secret("a")) { $0.serverClockOffset = .seconds(-1e19) }
    let shortest = Duration(secondsComponent: .min, attosecondsComponent: -999_999_999_999_999_999)
    #expect(try decode(try encode(token)).serverClockOffset == shortest)
  }

  private static let sealed = #"{"sealed":"key.text","version":3}"#

  /// A member that is there alone is written under its own name, and read from it.
  @Test(arguments: members.indices) func everyMemberHasItsOwnName(_ index: Int) throws {
    let (name, version, set) = Self.members[index]
    var token = StoredToken(accessToken: Secret("a"))
    set(&token)
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(try encode(token).utf8)) as? [String: Any])
    let others: Set = ["accessToken", "scopes", "serverClockOffset", "tokenType", "version"]
    #expect(Set(json.keys) == others.union([name]))
    #expect(json["version"] as? Int == version)
    #expect(try decode(try encode(token)) == token)
    #expect(token != StoredToken(accessToken: Secret("a")))
  }

  private static let members: [(name: String, version: Int, set: @Sendable (inout StoredToken) -> Void)] = [
    ("accessToken", 1, { $0.accessToken = Secret("b") }), ("tokenType", 1, { $0.tokenType = "MAC" }),
    ("expiresAt", 1, { $0.expiresAt = Timestamp(secondsSince1970: .min, nanoseconds: 999_999_999) }),
    ("issuedAt", 1, { $0.issuedAt = Timestamp(secondsSince1970: .max, nanoseconds: 0) }),
    ("serverClockOffset", 1, { $0.serverClockOffset = .nanoseconds(-1) }),
    ("refreshToken", 1, { $0.refreshToken = Secret("") }), ("scopes", 1, { $0.scopes = ["b", "a", "b"] }),
    ("requestedScopes", 1, { $0.requestedScopes = [] }), ("idToken", 1, { $0.idToken = Secret("i") }),
    ("issuer", 1, { $0.issuer = "https://login.example" }), ("clientID", 1, { $0.clientID = "app" }),
    ("resources", 1, { $0.resources = ["https://api.example"] }),
    ("authorizationDetails", 1, { $0.authorizationDetails = "[]" }),
    ("proofKey", 2, { $0.proofKey = ProofKey(algorithm: "EdDSA", privateKey: Secret("pem")) }),
  ]

  @Test(arguments: [#""later":{"a":[1,null]},"#, #""sealed":"key.text","#])
  func memberOfALaterReleaseIsIgnored(_ member: String) throws {
    #expect(try decode(Self.json.replacing("{\"accessToken", with: "{\(member)\"accessToken")) == Self.full)
  }

  @Test func recordOfAnEarlierReleaseWithoutTheClientIsRead() throws {
    var expected = Self.full
    expected.clientID = nil
    #expect(try decode(Self.json.replacing(#""clientID":"app","#, with: "")) == expected)
  }

  @Test func anotherEncoderServesToo() throws {
    let data = try PropertyListEncoder().encode(Self.full)
    #expect(try PropertyListDecoder().decode(StoredToken.self, from: data) == Self.full)
  }

  @Test func sealedRecordIsNoToken() throws {
    let record = StoredToken(sealed: "key.text")
    #expect(record.accessToken.isEmpty && record.issuer == nil && record.clientID == nil)
    #expect(record != StoredToken(accessToken: Secret("")))
    #expect(try Self.full.unsealed() == Self.full)
    let mixed = Self.json.replacing(#""version":1"#, with: #""version":3,"sealed":"key.text""#)
    for read in [{ try decode(Self.sealed) }, { try decode(mixed) }, { try record.unsealed() }] {
      let error = try #require(throws: TokenStorageError.self) { try read() }
      #expect(error.code == .sealed && error.sealed == "key.text" && !"\(error)".contains("key.text"))
    }
    #expect(throws: DecodingError.self) { try decode(#"{"version":3}"#) }
    #expect(throws: DecodingError.self) { try decode(#"{"version":3,"sealed":7}"#) }
  }

  @Test(arguments: [#"{"version":4}"#, #"{"version":9223372036854775807,"accessToken":7}"#])
  func recordOfANewerReleaseIsATypedError(_ json: String) throws {
    let error = try #require(throws: TokenStorageError.self) { try decode(json) }
    #expect(error.code == .newerFormat)
    let format = json.firstMatch(of: /[0-9]+/).map { String($0.output) } ?? ""
    #expect(error.message.contains("format \(format)"))
  }

  @Test(arguments: [
    "{}", "[]", #"{"version":0}"#, #"{"version":"1"}"#, json.replacing(#""access""#, with: "7"),
    json.replacing(#""version":1"#, with: #""version":-1"#),
    json.replacing(#""nanoseconds":5"#, with: #""nanoseconds":1000000000"#),
    json.replacing(#""nanoseconds":999999999"#, with: #""nanoseconds":-1"#),
    json.replacing(#""nanoseconds":5"#, with: #""nanoseconds":-1"#),
    json.replacing("-500000000000000000", with: "1000000000000000000"),
    json.replacing("-500000000000000000", with: "-1000000000000000000"), json.replacing("1767225600", with: "1e30"),
    json.replacing(#""seconds":-1},"token"#, with: #""seconds":1e30},"token"#),
    json.replacing(#","version":1"#, with: ""),
  ])
  func damageIsADecodingErrorThatShowsNoSecret(_ json: String) throws {
    let error = try #require(throws: DecodingError.self) { try decode(json) }
    #expect(!"\(error)".contains("refresh\""))
  }
}
