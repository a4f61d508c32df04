// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A ``StoredToken`` as bytes: its JSON.
enum TokenRecord {
  /// A record as it was found.
  enum Found {
    case nothing
    case token(StoredToken)
    case damaged
  }

  /// No token is nearly as large; what is larger is not a record.
  static let maximumSize = 1 << 20

  /// Returns the bytes that keep `token`.
  static func encode(_ token: StoredToken) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(token)
  }

  /// Returns what is kept in `data`, which may be anything at all.
  ///
  /// - Parameters:
  ///   - data: The bytes; `nil` if there is no record.
  ///   - location: Where they are, to be shown.
  /// - Throws: ``TokenStorageError`` if a newer release wrote the record.
  static func decode(_ data: Data?, at location: String) throws -> Found {
    guard let data else { return .nothing }
    guard data.count <= maximumSize else { return .damaged }
    do {
      return .token(try JSONDecoder().decode(StoredToken.self, from: data))
    } catch let error as TokenStorageError {
      throw TokenStorageError(error.code, "\(location) was left as it is: \(error.message)")
    } catch {
      return .damaged
    }
  }
}
