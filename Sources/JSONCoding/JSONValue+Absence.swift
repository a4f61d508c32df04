// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// Whether the value is a form in which servers write an absent value: `null`, an empty or blank text, `{}`, `[]`
  /// or a list of those.
  ///
  /// [RFC 8414 § 3.2](https://www.rfc-editor.org/rfc/rfc8414.html#section-3.2) and
  /// [OpenID Connect Core § 5.3.2](https://openid.net/specs/openid-connect-core-1_0.html#UserInfoResponse) require servers to omit such
  /// members instead. Whether the number `0` means absence depends on the member, and is decided by its reader.
  package var isAbsent: Bool {
    switch self {
    case .null: true
    case .string(let text): text.utf8.allSatisfy { $0 <= 0x20 }
    case .array(let elements): elements.allSatisfy(\.isAbsent)
    case .object(let fields): fields.isEmpty
    case .bool, .number: false
    }
  }

  /// The value without absent members of its objects and absent elements of its arrays.
  ///
  /// Objects in arrays are kept unchanged, because the array's specification defines their members.
  package var withoutAbsentMembers: JSONValue {
    switch self {
    case .object(let fields): .object(fields.mapValues(\.withoutAbsentMembers).filter { !$0.value.isAbsent })
    case .array(let elements): .array(elements.filter { !$0.isAbsent })
    default: self
    }
  }

  /// Reads the body of an error response, including one that is not strictly JSON.
  ///
  /// Some servers write a raw line break, or a byte of another encoding, in the description of an error. The error's code must still be
  /// readable. A control character becomes a space, and a byte that is not UTF-8 becomes U+FFFD. Do not read other documents
  /// in this way: it can change a token.
  ///
  /// - Returns: The value, or `nil` if the body has any other fault.
  package init?(errorBody body: [UInt8]) {
    if let value = try? JSONValue(json: body) {
      self = value
      return
    }
    let text = String(decoding: body, as: UTF8.self).utf8.map { $0 < 0x20 ? 0x20 : $0 }
    guard let value = try? JSONValue(json: text) else { return nil }
    self = value
  }
}
