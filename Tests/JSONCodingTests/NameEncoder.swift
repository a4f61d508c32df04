// SPDX-License-Identifier: Apache-2.0

/// An encoder that keeps the names of one object, in the order in which it gets them.
final class NameEncoder: Encoder {
  private(set) var names: [String] = []
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Container<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { fatalError("The value is an object.") }

  func singleValueContainer() -> any SingleValueEncodingContainer { fatalError("The value is an object.") }

  private struct Container<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: NameEncoder
    let codingPath: [any CodingKey] = []

    func encodeNil(forKey key: Key) { encoder.names.append(key.stringValue) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) { encoder.names.append(key.stringValue) }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { encoder.container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder }

    func superEncoder(forKey key: Key) -> any Encoder { encoder }
  }
}
