// SPDX-License-Identifier: Apache-2.0

extension JSON: Decodable {
  /// Reads a document; a number that is no integer, or `null`, is refused, since the sandbox has no use for them.
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  /// The text of a string, or of what a parameter has as text.
  var parameterText: String {
    switch self {
    case .string(let value): value
    case .integer(let value): "\(value)"
    case .boolean, .array, .object: String(decoding: bytes, as: UTF8.self)
    }
  }
}
