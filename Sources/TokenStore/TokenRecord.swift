// SPDX-License-Identifier: Apache-2.0

package import PlatformFoundation

/// The JSON form of a ``StoredToken``.
package enum TokenRecord {
  /// The result of reading a record.
  package enum Found {
    case nothing
    case token(StoredToken)
    /// A record that only the holder of its key can read, as the error that a reader without the key receives.
    case sealed(TokenStorageError)
    case damaged
  }

  /// The maximum size of a record: no token is nearly as large.
  static let maximumSize = 1 << 20

  /// Returns the bytes to store for `token`.
  package static func encode(_ token: StoredToken) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(token)
  }

  /// Decodes `data`, which can be any bytes.
  ///
  /// - Parameters:
  ///   - data: The bytes; `nil` if there is no record.
  ///   - location: The location of the record, for display.
  /// - Throws: ``TokenStorageError`` if a newer release wrote the record.
  package static func decode(_ data: Data?, at location: String) throws -> Found {
    guard let data else { return .nothing }
    guard data.count <= maximumSize else { return .damaged }
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
}
