// SPDX-License-Identifier: Apache-2.0

/// How one kind of field is read and written.
protocol FieldCodec {
  associatedtype Value
  static func read(_ visitor: inout FieldVisitor) throws(JSONFault) -> Value
  static func write(_ value: Value, _ visitor: inout FieldVisitor)
}

enum ScalarCodec<Value: JSONScalar>: FieldCodec {
  static func read(_ visitor: inout FieldVisitor) throws(JSONFault) -> Value { try Value(from: &visitor.reader) }
  static func write(_ value: Value, _ visitor: inout FieldVisitor) { value.write(to: &visitor.writer) }
}

enum EnumerationCodec<Value: OpenEnumeration>: FieldCodec {
  static func read(_ visitor: inout FieldVisitor) throws(JSONFault) -> Value {
    Value(rawValue: try visitor.reader.readString())
  }
  static func write(_ value: Value, _ visitor: inout FieldVisitor) { visitor.writer.write(value.rawValue) }
}

enum ArrayCodec<Element: FieldCodec>: FieldCodec {
  static func read(_ visitor: inout FieldVisitor) throws(JSONFault) -> [Element.Value] {
    var elements: [Element.Value] = []
    var isFirst = true
    try visitor.reader.beginArray()
    while try visitor.reader.nextElement(&isFirst) {
      do {
        elements.append(try Element.read(&visitor))
      } catch {
        throw error.inside("[\(elements.count)]")
      }
    }
    return elements
  }

  static func write(_ elements: [Element.Value], _ visitor: inout FieldVisitor) {
    visitor.writer.beginArray()
    for element in elements { Element.write(element, &visitor) }
    visitor.writer.endArray()
  }
}

enum MapCodec<Element: FieldCodec>: FieldCodec {
  static func read(_ visitor: inout FieldVisitor) throws(JSONFault) -> [String: Element.Value] {
    var fields: [String: Element.Value] = [:]
    var isFirst = true
    try visitor.reader.beginObject()
    while try visitor.reader.nextKey(&isFirst) { fields[try visitor.reader.keyString()] = try Element.read(&visitor) }
    return fields
  }

  static func write(_ fields: [String: Element.Value], _ visitor: inout FieldVisitor) {
    visitor.writer.beginObject()
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      visitor.writer.key(name)
      Element.write(value, &visitor)
    }
    visitor.writer.endObject()
  }
}

enum SchemaCodec<Value: CalendarSchema>: FieldCodec {
  static func read(_ visitor: inout FieldVisitor) throws(JSONFault) -> Value {
    var value = Value()
    var isFirst = true
    try visitor.reader.beginObject()
    while try visitor.reader.nextKey(&isFirst) { try visitor.readField(of: &value) }
    return value
  }

  static func write(_ value: Value, _ visitor: inout FieldVisitor) {
    visitor.writer.beginObject()
    var copy = value
    copy.visitFields(&visitor)
    visitor.writeAdditionalFields(of: value)
    visitor.writer.endObject()
  }
}
