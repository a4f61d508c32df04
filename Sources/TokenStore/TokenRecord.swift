// SPDX-License-Identifier: Apache-2.0

import JSONCoding

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
  package static func encode(_ token: StoredToken, of account: String? = nil) -> [UInt8] {
    var members = token.json.object ?? [:]
    members["account"] = account.map(JSONValue.string)
    return JSONValue.object(members).json()
  }

  /// Decodes `record`, which can be any bytes.
  ///
  /// - Parameters:
  ///   - record: The bytes, or `nil` if there is no record.
  ///   - location: The location of the record, for display.
  ///   - account: The account's name, if the location does not contain it. A record that names another account is
  ///     damaged.
  /// - Throws: ``TokenStorageError`` if a newer release wrote the record.
  package static func decode(_ record: [UInt8]?, at location: String, of account: String? = nil) throws -> Found {
    guard let record else { return .nothing }
    guard let json = json(of: record) else { return .damaged }
    if let account, !(Self.account(of: json)?.utf8.elementsEqual(account.utf8) ?? false) { return .damaged }
    do {
      return .token(try StoredToken(json: json))
    } catch let error as TokenStorageError where error.sealed != nil {
      return .sealed(error.located(at: location))
    } catch let error as TokenStorageError {
      throw error.located(at: location)
    } catch {
      return .damaged
    }
  }

  /// The account's name in a record, or `nil` if it has none.
  static func account(of record: [UInt8]) -> String? { json(of: record).flatMap { account(of: $0) } }

  private static func account(of json: JSONValue) -> String? { json["account"]?.string }

  private static func json(of record: [UInt8]) -> JSONValue? {
    record.count <= maximumSize ? try? JSONValue(json: record) : nil
  }
}
