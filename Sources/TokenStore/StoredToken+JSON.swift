// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import OAuthScope
import Timekeeping

extension StoredToken {
  /// The record as documented at ``encode(to:)``.
  var json: JSONValue {
    if let sealed { return ["version": .integer(Self.sealedVersion), "sealed": .string(sealed)] }
    var members: [String: JSONValue] = [
      // An earlier release would lose the key, and with it the tokens, at the first refresh.
      "version": proofKey == nil ? 1 : 2, "accessToken": .string(accessToken.reveal()), "tokenType": .string(tokenType),
      "scopes": .strings(scopes.map(\.rawValue)), "serverClockOffset": serverClockOffset.json,
    ]
    members["expiresAt"] = expiresAt?.json
    members["issuedAt"] = issuedAt?.json
    members["refreshToken"] = (refreshToken?.reveal()).map(JSONValue.string)
    members["requestedScopes"] = (requestedScopes?.map(\.rawValue)).map(JSONValue.strings)
    members["idToken"] = (idToken?.reveal()).map(JSONValue.string)
    members["issuer"] = issuer.map(JSONValue.string)
    members["clientID"] = clientID.map(JSONValue.string)
    if !resources.isEmpty { members["resources"] = .strings(resources) }
    members["authorizationDetails"] = authorizationDetails.map(JSONValue.string)
    members["proofKey"] = proofKey?.json
    return .object(members)
  }

  /// Reads a record in plain text.
  ///
  /// - Throws: ``TokenStorageError`` if a newer release wrote the record, or if it is sealed. `JSONMembers.Mismatch` if it is
  ///   damaged.
  init(json: JSONValue) throws {
    let members = JSONMembers(json.object ?? [:])
    let version = try members.required("version") { $0.integer.flatMap { $0 >= 1 ? $0 : nil } }
    guard version <= Self.formatVersion else {
      throw TokenStorageError(
        .newerFormat,
        """
        The record was written by a newer release (format \(version); this one supports \(Self.formatVersion)). Update the \
        program, or use another storage.
        """)
    }
    if version == Self.sealedVersion { throw TokenStorageError(sealed: try members.required("sealed", \.string)) }
    self.init(
      accessToken: try members.required("accessToken", \.secret),
      expiresAt: try members.optional("expiresAt", Timestamp.init(json:)),
      refreshToken: try members.optional("refreshToken", \.secret), scopes: try members.required("scopes", \.scopes),
      issuer: try members.optional("issuer", \.string), clientID: try members.optional("clientID", \.string))
    tokenType = try members.required("tokenType", \.string)
    issuedAt = try members.optional("issuedAt", Timestamp.init(json:))
    serverClockOffset = try members.required("serverClockOffset", Duration.init(json:))
    requestedScopes = try members.optional("requestedScopes", \.scopes)
    idToken = try members.optional("idToken", \.secret)
    resources = try members.optional("resources", \.strings) ?? []
    authorizationDetails = try members.optional("authorizationDetails", \.string)
    proofKey = try members.optional("proofKey") { try? ProofKey(json: $0) }
  }
}

extension ProofKey {
  var json: JSONValue { ["algorithm": .string(algorithm), "privateKey": .string(privateKey.reveal())] }

  init(json: JSONValue) throws(JSONMembers.Mismatch) {
    let members = JSONMembers(json.object ?? [:])
    self.init(
      algorithm: try members.required("algorithm", \.string), privateKey: try members.required("privateKey", \.secret))
  }
}

extension Timestamp {
  fileprivate var json: JSONValue { ["seconds": .integer(secondsSince1970), "nanoseconds": .integer(nanoseconds)] }

  fileprivate init?(json: JSONValue) {
    guard let seconds = json["seconds"]?.integer, let nanoseconds = json["nanoseconds"]?.integer,
      (0..<1_000_000_000).contains(nanoseconds)
    else { return nil }
    self.init(secondsSince1970: seconds, nanoseconds: Int32(nanoseconds))
  }
}

extension Duration {
  fileprivate var json: JSONValue {
    // The components of a longer duration trap.
    let longest = Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999)
    let shortest = Duration(secondsComponent: .min, attosecondsComponent: -999_999_999_999_999_999)
    let (seconds, attoseconds) = min(max(self, shortest), longest).components
    return ["seconds": .integer(seconds), "attoseconds": .integer(attoseconds)]
  }

  fileprivate init?(json: JSONValue) {
    // Less than a second, so no sum overflows.
    guard let seconds = json["seconds"]?.integer, let attoseconds = json["attoseconds"]?.integer,
      (-999_999_999_999_999_999...999_999_999_999_999_999).contains(attoseconds)
    else { return nil }
    self.init(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }
}

extension DecodingError {
  init(_ mismatch: JSONMembers.Mismatch, at path: [any CodingKey]) {
    let problem = "The member \(mismatch.name) is missing or of another type."
    self = .dataCorrupted(Context(codingPath: path, debugDescription: problem))
  }
}

extension JSONValue {
  fileprivate var integer: Int64? { number?.integer64 }
  fileprivate var secret: Secret? { string.map { Secret($0) } }
  fileprivate var scopes: [Scope]? { strings?.map { Scope($0) } }

  fileprivate static func integer(_ value: some FixedWidthInteger) -> JSONValue { .number(JSONNumber(Int64(value))) }
  fileprivate static func strings(_ values: [String]) -> JSONValue { .array(values.map(JSONValue.string)) }
}
