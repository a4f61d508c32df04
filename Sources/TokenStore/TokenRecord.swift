// SPDX-License-Identifier: Apache-2.0

package import PlatformFoundation

/// The JSON form of a ``StoredToken``.
package enum TokenRecord {
  /// The result of reading a record.
  package enum Found {
    case nothing
    case token(StoredToken)
    /// A record readable only with its key, as the error for a reader without the key.
    case sealed(TokenStorageError)
    case damaged
  }

  /// The maximum size of a record, in bytes, far above the size of any token.
  static let maximumSize = 1 << 20

  /// Returns the bytes to store for `token`.
  ///
  /// - Parameter account: The account's name, if the record's location does not contain it.
  package static func encode(_ token: StoredToken, of account: String? = nil) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try account.map { try encoder.encode(NamedToken(account: $0, token: token)) } ?? encoder.encode(token)
  }

  /// Decodes `data`, which can be any bytes.
  ///
  /// - Parameters:
  ///   - data: The bytes, or `nil` if there is no record.
  ///   - location: The location of the record, for display.
  ///   - account: The account's name, if the location does not contain it. A record that names another account is
  ///     damaged.
  /// - Throws: ``TokenStorageError`` if a newer release wrote the record.
  package static func decode(_ data: Data?, at location: String, of account: String? = nil) throws -> Found {
    guard let data else { return .nothing }
    guard data.count <= maximumSize else { return .damaged }
    if let account, !(Self.account(of: data)?.utf8.elementsEqual(account.utf8) ?? false) { return .damaged }
    do {
      return .token(try JSONDecoder().decode(StoredToken.self, from: data))
    } catch let error as TokenStorageError where error.sealed != nil {
      return .sealed(error.located(at: location))
    } catch let error as TokenStorageError {
      throw error.located(at: location)
    } catch {
      return .damaged
    }
  }

  /// The account's name in a record, or `nil` if it has none.
  static func account(of data: Data) -> String? {
    guard data.count <= maximumSize else { return nil }
    return (try? JSONDecoder().decode(Name.self, from: data))?.account
  }

  private struct Name: Codable {
    let account: String
  }

  private struct NamedToken: Encodable {
    let account: String
    let token: StoredToken

    func encode(to encoder: any Encoder) throws {
      try token.encode(to: encoder)
      try Name(account: account).encode(to: encoder)
    }
  }
}
