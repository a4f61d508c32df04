// SPDX-License-Identifier: Apache-2.0

import Timekeeping

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The written form of a ``StoredToken``: one JSON object.
///
/// Members that are unknown are passed over, so that a later release may add some. What it cannot add so gets a higher
/// ``version``, and this release then leaves the record alone.
struct TokenRecord: Codable {
  static let currentVersion = 1

  private struct Header: Decodable {
    let version: Int
  }

  private struct Instant: Codable {
    let seconds: Int64
    let nanoseconds: Int32

    var isValid: Bool { (0..<1_000_000_000).contains(nanoseconds) }
  }

  private struct Span: Codable {
    let seconds: Int64
    let attoseconds: Int64

    /// Whether the part below a second is less than one, so that no sum overflows.
    var isValid: Bool { (-999_999_999_999_999_999...999_999_999_999_999_999).contains(attoseconds) }
  }

  private let version: Int
  private let accessToken: String
  private let tokenType: String
  private let expiresAt: Instant?
  private let issuedAt: Instant?
  private let serverClockOffset: Span
  private let refreshToken: String?
  private let scopes: [String]
  private let idToken: String?
  private let issuer: String?
}

extension TokenRecord {
  /// A record as it was found.
  enum Found {
    case nothing
    case token(StoredToken)
    case damaged
  }

  /// Returns the bytes that keep `token`.
  static func encode(_ token: StoredToken) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(TokenRecord(token))
  }

  /// Returns what is kept in `data`, which may be anything at all.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - location: Where they are, to be shown.
  /// - Throws: ``TokenStorageError`` if a newer release wrote the record.
  static func decode(_ data: Data, at location: String) throws -> Found {
    let decoder = JSONDecoder()
    guard let header = try? decoder.decode(Header.self, from: data), header.version >= 1 else { return .damaged }
    guard header.version <= currentVersion else {
      throw TokenStorageError(
        .unavailable,
        """
        \(location) was written by a newer release (format \(header.version), and this one knows \(currentVersion)). It \
        was left as it is. Update the program, or use another storage.
        """)
    }
    guard let record = try? decoder.decode(TokenRecord.self, from: data), record.serverClockOffset.isValid,
      record.expiresAt?.isValid ?? true
    else { return .damaged }
    return .token(record.token)
  }

  private init(_ token: StoredToken) {
    version = Self.currentVersion
    accessToken = token.accessToken.reveal()
    tokenType = token.tokenType
    expiresAt = token.expiresAt.map { Instant(seconds: $0.secondsSince1970, nanoseconds: $0.nanoseconds) }
    issuedAt = token.issuedAt.map { Instant(seconds: $0.secondsSince1970, nanoseconds: $0.nanoseconds) }
    let offset = token.serverClockOffset.components
    serverClockOffset = Span(seconds: offset.seconds, attoseconds: offset.attoseconds)
    refreshToken = token.refreshToken?.reveal()
    scopes = token.scopes
    idToken = token.idToken?.reveal()
    issuer = token.issuer
  }

  private var token: StoredToken {
    StoredToken(
      accessToken: Secret(accessToken),
      tokenType: tokenType,
      expiresAt: expiresAt.map { Timestamp(secondsSince1970: $0.seconds, nanoseconds: $0.nanoseconds) },
      issuedAt: issuedAt.map { Timestamp(secondsSince1970: $0.seconds, nanoseconds: $0.nanoseconds) },
      serverClockOffset: Duration(
        secondsComponent: serverClockOffset.seconds, attosecondsComponent: serverClockOffset.attoseconds),
      refreshToken: refreshToken.map(Secret.init),
      scopes: scopes,
      idToken: idToken.map(Secret.init),
      issuer: issuer)
  }
}
