// SPDX-License-Identifier: Apache-2.0

/// A name and its value in a ``FieldList``.
package protocol NamedField: Sendable, Hashable {
  /// The key of a name: equal names have equal keys with equal hashes.
  associatedtype Key: Hashable & Sendable

  var name: String { get }
  var value: String { get }

  init(name: String, value: String)

  static func key(_ name: String) -> Key

  /// Whether two names are the same.
  static func isSame(_ left: String, _ right: String) -> Bool
}

/// An ordered list of fields with repeated names: the common part of ``HTTPFields`` and ``FormFields``.
///
/// A short list is searched from its start. A long list gets an index after a few searches. Copies share the index until one of
/// them changes.
package struct FieldList<Field: NamedField>: Sendable {
  /// The fields, in order.
  package private(set) var fields: [Field] = []
  /// The index of a long list, or `nil` for a short one.
  private var index: FieldIndex<Field>?

  /// The length up to which comparing all names is faster than hashing one.
  private static var shortLength: Int { 16 }

  package init() {}

  /// The value of the first field called `name`.
  ///
  /// - Complexity: O(1) on average once the list has an index.
  package func firstValue(for name: String) -> String? {
    if let index, let position = index.look(in: fields, { $0.first(Field.key(name)) }) {
      return position.map { fields[$0].value }
    }
    return fields.first { Field.isSame($0.name, name) }?.value
  }

  /// The values of all fields called `name`, in order.
  ///
  /// - Complexity: O(*k*) on average once the list has an index, where *k* is the number of values.
  package func values(for name: String) -> [String] {
    if let index, let positions = index.look(in: fields, { $0.all(Field.key(name)) }) {
      return positions.map { fields[$0].value }
    }
    return fields.filter { Field.isSame($0.name, name) }.map(\.value)
  }

  /// Replaces all fields called `name` with one of `value`, or appends it if there is none.
  ///
  /// Setting `nil` removes the fields.
  ///
  /// - Complexity: O(1) on average once the list has an index, if at most one field is called `name` and `value` is not
  ///   `nil`. Otherwise O(*n*).
  package mutating func set(_ name: String, to value: String?) {
    let (first, second) = firstTwoPositions(of: name)
    guard let first else {
      if let value { append(Field(name: name, value: value)) }
      return
    }
    if let value { fields[first] = Field(name: name, value: value) }
    // The position from which fields are removed.
    guard let start = value == nil ? first : second else { return }
    if second == nil {
      fields.remove(at: start)
    } else {
      var position = -1
      fields.removeAll { field in
        position += 1
        return position >= start && Field.isSame(field.name, name)
      }
    }
    index = fields.count > Self.shortLength ? FieldIndex() : nil
  }

  /// Appends a field.
  package mutating func append(_ field: Field) {
    fields.append(field)
    if fields.count > Self.shortLength { prepareIndex() }
  }

  /// Appends the fields of another list.
  package mutating func append(contentsOf other: FieldList) {
    fields.append(contentsOf: other.fields)
    if fields.count > Self.shortLength { prepareIndex() }
  }

  /// Reserves capacity for fields to append.
  package mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }

  /// Gives the grown list an index of its own: another list with the old index can grow differently.
  private mutating func prepareIndex() {
    if isKnownUniquelyReferenced(&index) { return }
    index = index.map { FieldIndex(copying: $0) } ?? FieldIndex()
  }

  private func firstTwoPositions(of name: String) -> (Int?, Int?) {
    if let index, let positions = index.look(in: fields, { $0.firstTwo(Field.key(name)) }) { return positions }
    guard let first = fields.firstIndex(where: { Field.isSame($0.name, name) }) else { return (nil, nil) }
    return (first, fields[(first + 1)...].firstIndex { Field.isSame($0.name, name) })
  }
}

extension FieldList: Hashable {
  package static func == (left: FieldList, right: FieldList) -> Bool { left.fields == right.fields }

  package func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}
