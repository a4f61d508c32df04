// SPDX-License-Identifier: Apache-2.0

/// A type of the server, by its object identifier in `pg_type`.
struct SQLType: Sendable, Hashable {
  let identifier: UInt32

  /// A type derived by the server.
  static let text = SQLType(identifier: 0)
  static let boolean = SQLType(identifier: 16)
  static let bytes = SQLType(identifier: 17)
  static let integer = SQLType(identifier: 20)
  static let interval = SQLType(identifier: 1186)
  /// The type of the elements of an array of texts, which the server does not derive.
  static let textElement = SQLType(identifier: 25)
  static let booleanArray = SQLType(identifier: 1000)
  static let bytesArray = SQLType(identifier: 1001)
  static let textArray = SQLType(identifier: 1009)
  static let integerArray = SQLType(identifier: 1016)

  /// Whether a value of this type is passed as text.
  var isText: Bool { self == .text }

  /// Whether the type is one of whole numbers: `bigint`, `smallint`, `integer`, `oid`.
  var isInteger: Bool { [20, 21, 23, 26].contains(identifier) }

  /// Whether the type's binary format is its text: `char`, `name`, `text`, `json`, `unknown`, `bpchar`, `varchar`, `xml`.
  var isTextual: Bool { [18, 19, 25, 114, 142, 705, 1042, 1043].contains(identifier) }
}
