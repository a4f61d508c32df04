// SPDX-License-Identifier: Apache-2.0

/// Reads or writes the fields of a schema as ``CalendarSchema/visitFields(_:)`` shows them.
///
/// One list of fields a type serves for reading, for writing and for naming. There is nothing in it to call from outside.
public struct FieldVisitor {
  private enum Purpose { case reading, writing, naming }

  private let purpose: Purpose
  var reader: JSONReader
  var writer = JSONWriter()
  private var names: [(name: StaticString, isSet: Bool)] = []

  /// Reading: whether the current field has found its property.
  private var isMatched = false
  /// Reading: the current field, when its value does not fit its property.
  private var misfit: (name: StaticString, value: JSONValue)?
  /// Reading: what ended it.
  private var fault: JSONFault?
}

// MARK: The three uses

extension FieldVisitor {
  static func read<Value: CalendarSchema>(_: Value.Type, from json: [UInt8]) throws(JSONFault) -> Value {
    var visitor = FieldVisitor(purpose: .reading, reader: try JSONReader(json))
    let value = try SchemaCodec<Value>.read(&visitor)
    try visitor.reader.finish()
    return value
  }

  static func write<Value: CalendarSchema>(_ value: Value) -> [UInt8] {
    var visitor = FieldVisitor(purpose: .writing, reader: JSONReader())
    SchemaCodec<Value>.write(value, &visitor)
    return visitor.writer.bytes
  }

  static func names(of value: some CalendarSchema) -> [(name: StaticString, isSet: Bool)] {
    var visitor = FieldVisitor(purpose: .naming, reader: JSONReader())
    var value = value
    value.visitFields(&visitor)
    return visitor.names
  }
}

// MARK: What a schema's list of fields calls

extension FieldVisitor {
  @inline(__always)
  mutating func callAsFunction<Value: JSONScalar>(_ name: StaticString, _ value: inout Value?) {
    visit(name, &value, ScalarCodec<Value>.self)
  }

  @inline(__always)
  mutating func callAsFunction<Value: JSONScalar>(_ name: StaticString, _ value: inout [Value]?) {
    visit(name, &value, ArrayCodec<ScalarCodec<Value>>.self)
  }

  @inline(__always)
  mutating func callAsFunction<Value: JSONScalar>(_ name: StaticString, _ value: inout [String: Value]?) {
    visit(name, &value, MapCodec<ScalarCodec<Value>>.self)
  }

  @inline(__always)
  mutating func callAsFunction<Value: OpenEnumeration>(_ name: StaticString, _ value: inout Value?) {
    visit(name, &value, EnumerationCodec<Value>.self)
  }

  @inline(__always)
  mutating func callAsFunction<Value: OpenEnumeration>(_ name: StaticString, _ value: inout [Value]?) {
    visit(name, &value, ArrayCodec<EnumerationCodec<Value>>.self)
  }

  @inline(__always)
  mutating func callAsFunction<Value: CalendarSchema>(_ name: StaticString, _ value: inout Value?) {
    visit(name, &value, SchemaCodec<Value>.self)
  }

  @inline(__always)
  mutating func callAsFunction<Value: CalendarSchema>(_ name: StaticString, _ value: inout [Value]?) {
    visit(name, &value, ArrayCodec<SchemaCodec<Value>>.self)
  }

  @inline(__always)
  mutating func callAsFunction<Value: CalendarSchema>(_ name: StaticString, _ value: inout [String: Value]?) {
    visit(name, &value, MapCodec<SchemaCodec<Value>>.self)
  }

  /// A field without which a page would silently be short: a value that does not fit is an error.
  @inline(__always)
  mutating func strict(_ name: StaticString, _ value: inout String?) {
    visit(name, &value, ScalarCodec<String>.self, isStrict: true)
  }

  /// The items of a page: a value that does not fit is an error, and a missing one is an empty page.
  @inline(__always)
  mutating func strict<Value: CalendarSchema>(_ name: StaticString, _ value: inout [Value]) {
    var items: [Value]? = purpose == .reading ? nil : value
    visit(name, &items, ArrayCodec<SchemaCodec<Value>>.self, isStrict: true)
    if purpose == .reading, let items { value = items }
  }
}

extension FieldVisitor {
  @inline(__always)
  private mutating func visit<Codec: FieldCodec>(
    _ name: StaticString, _ value: inout Codec.Value?, _: Codec.Type, isStrict: Bool = false
  ) {
    switch purpose {
    case .reading:
      if !isMatched, reader.isKey(name) { read(name, &value, Codec.self, isStrict) }
    case .writing:
      if let value { write(name, value, Codec.self) }
    case .naming:
      names.append((name, value != nil))
    }
  }

  private mutating func read<Codec: FieldCodec>(
    _ name: StaticString, _ value: inout Codec.Value?, _: Codec.Type, _ isStrict: Bool
  ) {
    let start = reader.mark
    do {
      do {
        value = try reader.skipNull() ? nil : try Codec.read(&self)
      } catch  where error.kind == .mismatch && !isStrict {
        reader.rewind(to: start)
        value = nil
        misfit = (name, try reader.readValue())
      }
    } catch {
      fault = error.inside(name.description)
    }
    isMatched = true
  }

  private mutating func write<Codec: FieldCodec>(_ name: StaticString, _ value: Codec.Value, _: Codec.Type) {
    writer.key(name)
    Codec.write(value, &self)
  }
}

// MARK: One object

extension FieldVisitor {
  @inline(__always)
  mutating func readField<Value: CalendarSchema>(of value: inout Value) throws(JSONFault) {
    isMatched = false
    value.visitFields(&self)
    if let fault {
      self.fault = nil
      throw fault
    }
    if !isMatched {
      value.additionalFields[try reader.keyString()] = try reader.readValue()
    } else if let misfit {
      self.misfit = nil
      value.additionalFields[misfit.name.description] = misfit.value
    }
  }

  mutating func writeAdditionalFields(of value: some CalendarSchema) {
    guard !value.additionalFields.isEmpty else { return }
    let written = Set(Self.names(of: value).filter(\.isSet).map(\.name.description))
    for (name, field) in value.additionalFields.sorted(by: { $0.key < $1.key }) where !written.contains(name) {
      writer.key(name)
      writer.write(field)
    }
  }
}
