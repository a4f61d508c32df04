// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// Reads a value from JSON text in UTF-8, strictly by [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259.html).
  ///
  /// The text may have up to 128 levels of nesting, and begin with a byte order mark, which is ignored. An unpaired surrogate in an
  /// escape becomes U+FFFD.
  ///
  /// - Parameters:
  ///   - json: The text.
  ///   - requiringUniqueNames: Whether to reject an object, at any depth, with two fields of the same name, as JOSE
  ///     requires ([RFC 7515 § 4](https://www.rfc-editor.org/rfc/rfc7515.html#section-4)). Names are compared as strings, by
  ///     canonical equivalence. Defaults to `false`: the last field wins.
  /// - Throws: ``JSONParseError``.
  public init(json: [UInt8], requiringUniqueNames: Bool = false) throws(JSONParseError) {
    self = try JSONReader.reading(json) { (reader) throws(JSONParseError) in
      reader.requiresUniqueNames = requiringUniqueNames
      return try reader.readValue()
    }
  }

  /// Returns the value as JSON text without whitespace.
  public func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.bytes.reserveCapacity(1024)
    writer.write(self)
    return writer.bytes
  }
}

extension JSONValue: Codable {
  /// Reads a value from any decoder.
  ///
  /// A number keeps the digits kept by the decoder.
  public init(from decoder: any Decoder) throws {
    let single = try? decoder.singleValueContainer()
    if single?.decodeNil() == true {
      self = .null
    } else if let value = try? single?.decode(String.self) {
      // First: most values are strings, and each refusal of a decoder takes microseconds.
      self = .string(value)
    } else if let container = try? decoder.container(keyedBy: JSONName.self) {
      var fields: [String: JSONValue] = [:]
      for key in container.allKeys { fields[key.stringValue] = try container.decode(JSONValue.self, forKey: key) }
      self = .object(fields)
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
      self = .array(elements)
    } else if let value = try? single?.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? single?.decode(Int64.self) {
      self = .number(JSONNumber(value))
    } else if let number = JSONNumber(try decoder.singleValueContainer().decode(Double.self)) {
      self = .number(number)
    } else {
      let context = DecodingError.Context(
        codingPath: decoder.codingPath, debugDescription: "JSON cannot represent infinity or NaN.")
      throw DecodingError.dataCorrupted(context)
    }
  }

  /// Writes the value to any encoder.
  ///
  /// A number is written as an integer if it is one, otherwise as a `Double`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let fields):
      var container = encoder.container(keyedBy: JSONName.self)
      for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
        try container.encode(value, forKey: JSONName(stringValue: name))
      }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let value): try container.encode(value)
      case .string(let value): try container.encode(value)
      case .number(let value):
        if let integer = value.integer64 { try container.encode(integer) } else { try container.encode(value.double) }
      default: try container.encodeNil()
      }
    }
  }
}

/// The name of a field of any object.
private struct JSONName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
