// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
import Testing

@Suite struct JWSTests {
  private let vector = Vectors.RFC7515A2.self

  /// Verifies a message, by default that of the vector, and returns the code of the error.
  private func verify(_ jws: JWS? = nil, with key: JWK) throws -> JOSEError.Code? {
    let jws = try jws ?? JWS(compact: vector.compact)
    return code { _ = try jws.payload(verifiedWith: key, allowing: [.rs256]) }
  }

  private func verify(_ jws: JWS? = nil, with keys: JWKSet) throws -> JOSEError.Code? {
    let jws = try jws ?? JWS(compact: vector.compact)
    return code { _ = try jws.payload(verifiedWith: keys, allowing: [.rs256]) }
  }

  private func header(_ json: String) -> String {
    "\(Base64URL.encode(Array(json.utf8))).\(vector.payload).\(vector.signature)"
  }

  @Test(
    "An algorithm that the caller does not expect is refused, and what is not implemented never verifies",
    arguments: [
      ("none", ["RS256"], JOSEError.Code.algorithmNotAllowed), ("none", ["none"], .unsupportedAlgorithm),
      ("None", ["None"], .unsupportedAlgorithm), ("HS256", ["RS256"], .algorithmNotAllowed),
      ("HS256", ["HS256"], .unsupportedAlgorithm), ("RS256", [], .algorithmNotAllowed),
    ])
  func algorithms(named name: String, allowed: [String], expected: JOSEError.Code) throws {
    let allowed = Set(allowed.map(JWS.Algorithm.init(rawValue:)))
    let key = JWK(keyType: .rsa, parameters: vector.key.parameters)
    for signature in ["", vector.signature] {
      let jws = try JWS(
        compact: "\(Base64URL.encode(Array(#"{"alg":"\#(name)"}"#.utf8))).\(vector.payload).\(signature)")
      #expect(code { _ = try jws.payload(verifiedWith: key, allowing: allowed) } == expected)
      #expect(
        code { _ = try jws.payload(verifiedWith: JWKSet([key]), allowing: allowed) } == expected
      )
    }
  }

  @Test(
    arguments: [
      "", "a", "a.b", "..", "e30.e30.e30.e30", "\(Vectors.RFC7515A2.compact).", "\(Vectors.RFC7515A2.compact).e30",
      ".\(Vectors.RFC7515A2.compact)", "e30.e30.e30", "W10.e30.AA", "eyJhbGciOiJSUzI1NiJ9.e30.AA==",
      "eyJhbGciOiJSUzI1NiJ9 .e30.AA",
    ])
  func refusesWhatIsNotACompactJWS(text: String) {
    #expect(code { _ = try JWS(compact: text) } == .malformed)
  }

  @Test(
    "A header's parameters are of their types, stand once, and are nested no deeper than 128 levels",
    arguments: [
      (#"{"alg":"ES256","kid":"a","typ":"JWT","x":[1]}"#, true), (#"{"alg":"ES256","kid":null}"#, true),
      (#"{"alg":"ES256","kid":7}"#, false), (#"{"alg":"ES256","typ":["JWT"]}"#, false), (#"{"alg":7}"#, false),
      (#"{"kid":"a"}"#, false), (#"["alg"]"#, false), (#"{"alg":"ES256","jwk":"a"}"#, false),
      (#"{"alg":"ES256","jwk":{"kty":"EC"}}"#, true), (#"{"alg":"ES256","jwk":{"kty":"EC","d":"AQ"}}"#, false),
      (#"{"alg":"ES256","jwk":{"kty":"EC","kid":7}}"#, false), (#"{"alg":"ES256"} x"#, false),
      (#"{"alg":"none","alg":"RS256"}"#, false), (#"{"alg":"RS256","alg":"RS256"}"#, false),
      (#"{"alg":"RS256","\u0061lg":"none"}"#, false), (#"{"alg":"RS256","x":1,"x":[2]}"#, false),
      (#"{"alg":"RS256","x":{"alg":":","y":[{"z":"}\"{:"}]}}"#, true),
      (#" { "alg" : "RS256" , "kid" : "a:\\" } "#, true), (#"{"alg":"ES256","x":\#(nested(127))}"#, true),
      (#"{"alg":"ES256","x":\#(nested(128))}"#, false),
    ])
  func parametersHaveTheirTypes(_ json: String, _ isFine: Bool) {
    #expect(code { _ = try JWS(compact: header(json)) } == (isFine ? nil : .malformed))
  }

  private static func nested(_ levels: Int) -> String {
    String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
  }

  @Test func refusesAnExtensionItDoesNotUnderstand() {
    for json in [#"{"alg":"RS256","crit":["exp"],"exp":1}"#, #"{"alg":"RS256","crit":null}"#] {
      #expect(code { _ = try JWS(compact: header(json)) } == .unsupportedExtension)
    }
  }

  @Test(
    "A key that is unfit is refused before it is used",
    arguments: [
      JWK(keyType: .ec, parameters: Vectors.RFC7515A2.key.parameters),
      JWK(keyType: .rsa, parameters: ["e": "AQAB"]),
      JWK(keyType: .rsa, parameters: ["n": "=", "e": "AQAB"]),
    ])
  func unsuitableKeys(key: JWK) throws {
    #expect(try verify(with: key) == .unsuitableKey)
  }

  @Test(
    "The public exponent is odd, above 1 and of four bytes at most",
    arguments: [
      ([1], false), ([2], false), ([3], true), ([1, 0, 0], false), ([1, 0, 1], true), ([0, 0, 0, 1, 0, 1], true),
      ([255, 255, 255, 255], true), ([1, 0, 0, 0, 1], false), ([], false), ([0], false),
    ] as [([UInt8], Bool)])
  func exponentOfAKey(_ exponent: [UInt8], isAccepted: Bool) {
    let key = JWK(keyType: .rsa, parameters: ["n": vector.modulus, "e": Base64URL.encode(exponent)])
    #expect(code { _ = try VerificationKey(key) } == (isAccepted ? nil : .unsuitableKey))
  }

  @Test func aSetTellsWhetherSeveralKeysMayFit() throws {
    let header = try JWS(compact: vector.compact).header
    let unfit = JWK(keyType: .ec, parameters: ["crv": "P-256"])
    for (keys, expected) in [
      ([], false), ([vector.key], false), ([unfit, unfit], false), ([vector.key, unfit], false),
      ([unfit, vector.key, unfit, vector.key], true), ([vector.key, vector.key], true),
    ] {
      #expect(JWKSet(keys).hasSeveralCandidates(for: header) == expected)
    }
  }

  @Test(
    "The size of a key, in bits",
    arguments: [
      (2047, JOSEError.Code.unsuitableKey), (2048, .invalidSignature), (8192, .invalidSignature),
      (8193, .unsuitableKey),
    ])
  func sizeOfAKey(bits: Int, expected: JOSEError.Code) throws {
    var modulus = [UInt8](repeating: 0xFF, count: (bits + 7) / 8)
    modulus[0] = 0xFF >> UInt8((8 - bits % 8) % 8)
    // Zeros in front do not make a key larger.
    for zeros in [[], [0]] as [[UInt8]] {
      let key = JWK(keyType: .rsa, parameters: ["n": Base64URL.encode(zeros + modulus), "e": "AQAB"])
      #expect(try verify(with: key) == expected)
    }
  }

  @Test(
    "A key that says it is not for verifying RS256 is not used, alone as little as in a set",
    arguments: [
      (nil, nil, nil, true), ("sig", ["verify", "sign"], "RS256", true), ("enc", nil, nil, false),
      (nil, ["sign"], nil, false), (nil, [], nil, false), (nil, nil, "PS256", false), (nil, nil, "rs256", false),
    ] as [(String?, [String]?, String?, Bool)])
  func useOfAKey(_ use: String?, _ operations: [String]?, _ algorithm: String?, _ isUsed: Bool) throws {
    var key = vector.key
    key.use = use
    key.operations = operations
    key.algorithm = algorithm.map(JWS.Algorithm.init(rawValue:))
    #expect(try verify(with: key) == (isUsed ? nil : .unsuitableKey))
    #expect(try verify(with: JWKSet([key])) == (isUsed ? nil : .noSuitableKey))
  }

  @Test func theSetOffersKeysByNameTypeAndUse() throws {
    func key(_ id: String?, _ change: (inout JWK) -> Void = { _ in }) -> JWK {
      var key = JWK(keyType: .rsa, keyID: id, parameters: vector.key.parameters)
      change(&key)
      return key
    }
    let set = JWKSet([
      key("a"), key("b") { $0.use = "enc" }, key("c") { $0.algorithm = JWS.Algorithm(rawValue: "PS256") },
      key("d") { $0.operations = ["sign"] }, JWK(keyType: .ec, keyID: "e", parameters: [:]),
      key("f") { $0.use = "sig" },
      key(nil),
    ])
    let nameless = try JWS(compact: vector.compact).header
    #expect(set.candidates(for: nameless).map(\.keyID) == ["a", "f", nil])
    let named = try JWS(compact: header(#"{"alg":"RS256","kid":"f"}"#)).header
    #expect(set.candidates(for: named).map(\.keyID) == ["f"])
    let unknown = try JWS(compact: header(#"{"alg":"RS256","kid":"z"}"#))
    #expect(try verify(unknown, with: set) == .noSuitableKey)
  }

  /// A set keeps what it has made of its keys, and must not go on with it when they change.
  @Test func changedSetVerifiesWithItsNewKeys() throws {
    let other = JWK(keyType: .rsa, parameters: ["n": String(vector.modulus.reversed()), "e": "AQAB"])
    var set = JWKSet([vector.key])
    #expect(try verify(with: set) == nil)
    let copy = set
    set.keys = [other]
    #expect(try verify(with: set) != nil)
    #expect(try verify(with: copy) == nil)
    set.keys[0] = vector.key
    #expect(try verify(with: set) == nil)
    set.keys.insert(other, at: 0)
    #expect(try verify(with: set) == nil)
    set.keys.removeLast()
    #expect(try verify(with: set) != nil)
    set.keys[0].use = "enc"
    #expect(try verify(with: set) == .noSuitableKey)
    #expect(try verify(with: copy) == nil)
  }

  @Test func useLeavesASetAsItIs() throws {
    let (used, unused) = (JWKSet([vector.key]), JWKSet([vector.key]))
    for _ in 0..<2 {
      _ = try JWS(compact: vector.compact).payload(verifiedWith: used, allowing: [.rs256])
      #expect(used == unused)
      #expect(used.hashValue == unused.hashValue)
      #expect("\(used)" == "\(unused)")
      #expect(String(reflecting: used) == String(reflecting: unused))
      #expect(Mirror(reflecting: used).children.map(\.label) == ["keys"])
    }
    #expect(used != JWKSet([]))
  }

  /// Hundreds of keys, each of which takes milliseconds, would keep a thread busy for every token.
  @Test(arguments: [nil, "a"]) func aBoundedNumberOfKeysIsTried(name: String?) throws {
    func named(_ key: JWK) -> JWK { JWK(keyType: .rsa, keyID: name, parameters: key.parameters) }
    let other = named(JWK(keyType: .rsa, parameters: ["n": String(vector.modulus.reversed()), "e": "AQAB"]))
    let unfit = JWK(keyType: .ec, keyID: name, parameters: ["crv": "P-256"])
    let others = Array(repeating: other, count: 15) + Array(repeating: unfit, count: 500)
    #expect(try verify(with: JWKSet(others + [named(vector.key)])) == nil)
    #expect(try verify(with: JWKSet(others + [other, named(vector.key)])) == .tooManyKeys)
    #expect(try verify(with: JWKSet(others + [other])) == .unsuitableKey)
  }

  @Test func descriptionsDoNotShowTheToken() throws {
    let jws = try JWS(compact: vector.compact)
    var dumped = ""
    dump(jws, to: &dumped)
    for text in ["\(jws)", String(reflecting: jws), dumped] {
      #expect(!text.contains(vector.payload) && !text.contains("joe") && !text.contains("115"))
    }
  }
}
