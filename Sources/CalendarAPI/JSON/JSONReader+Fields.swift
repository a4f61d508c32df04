// SPDX-License-Identifier: Apache-2.0

import JSONCoding

extension JSONReader {
  /// Reads the fields of an object into a schema.
  mutating func readFields<Value: SchemaCoding>(of value: inout Value) throws(JSONParseError) {
    try beginObject()
    var hasMisfits = false
    while try nextKey() {
      let key = key
      let start = mark
      do throws(JSONParseError) {
        if try value.readField(from: &self) {
          // If two fields have the same name, the last one wins.
          if hasMisfits { value.additionalFields[try string(of: key)] = nil }
          continue
        }
      } catch {
        try keepMisfit(of: key, from: start, error, in: &value.additionalFields)
        hasMisfits = true
        continue
      }
      let name = try string(of: key)
      value.additionalFields[name] = try readValue()
    }
  }

  /// Keeps a value whose type does not match its property.
  @inline(never)
  private mutating func keepMisfit(
    of key: Key, from start: Mark, _ error: JSONParseError, in fields: inout [String: JSONValue]
  ) throws(JSONParseError) {
    // The key is the name of a property, so the error can show it.
    let name = try string(of: key)
    guard error.reason == .mismatch else { throw error.inside(name) }
    rewind(to: start)
    do throws(JSONParseError) {
      fields[name] = try readValue()
    } catch {
      throw error.inside(name)
    }
  }

  /// Reads the value of a field.
  ///
  /// `null` is equivalent to a missing field.
  @inline(__always)
  mutating func read<Value: JSONConvertible>(_ value: inout Value?) throws(JSONParseError) {
    do throws(JSONParseError) {
      value = try skipNull() ? nil : try Value(from: &self)
    } catch {
      value = nil
      throw error
    }
  }

  /// Reads a page token or a sync token.
  ///
  /// A value of another type is an error, because a page must not lose a token silently.
  ///
  /// An empty token ends the collection ([AIP-158](https://google.aip.dev/158)). So does `0` or `[]`, which servers other than
  /// Google's write.
  mutating func readStrictly(_ value: inout String?) throws(JSONParseError) {
    let start = mark
    do throws(JSONParseError) {
      try read(&value)
      if value?.isEmpty == true { value = nil }
    } catch {
      guard error.reason == .mismatch else { throw error }
      rewind(to: start)
      let other = try readValue()
      guard other.isAbsent || other == 0 else { throw error.asSyntax }
    }
  }

  /// Reads the elements of a page.
  ///
  /// A value of another type is an error, and `null` is an empty page.
  @inline(__always)
  mutating func readStrictly<Element: SchemaCoding>(_ elements: inout [Element]) throws(JSONParseError) {
    do throws(JSONParseError) {
      elements = try skipNull() ? [] : try readPage()
    } catch {
      throw error.asSyntax
    }
  }

  private mutating func readPage<Element: SchemaCoding>() throws(JSONParseError) -> [Element] {
    var elements: [Element] = []
    try beginArray()
    while try nextElement() {
      let start = position
      elements.append(Element())
      do throws(JSONParseError) {
        try readFields(of: &elements[elements.count - 1])
      } catch {
        throw error.inside("[\(elements.count - 1)]")
      }
      if elements.count == 1 {
        // The capacity for elements as long as the first one. A page has at most 2,500.
        elements.reserveCapacity(min((end - position) / max(position - start, 1) + 2, 2500))
      }
    }
    return elements
  }

  mutating func readArray<Element: JSONConvertible>() throws(JSONParseError) -> [Element] {
    var elements: [Element] = []
    try beginArray()
    while try nextElement() {
      if elements.isEmpty { elements.reserveCapacity(4) }
      do throws(JSONParseError) {
        elements.append(try Element(from: &self))
      } catch {
        throw error.inside("[\(elements.count)]")
      }
    }
    return elements
  }

  mutating func readMap<Value: JSONConvertible>() throws(JSONParseError) -> [String: Value] {
    var values: [String: Value] = [:]
    try beginObject()
    while try nextKey() {
      let name = try string(of: key)
      values[name] = try Value(from: &self)
    }
    return values
  }
}

extension JSONWriter {
  /// Writes a field of a schema if it is set.
  @inline(__always)
  mutating func field<Value: JSONConvertible>(_ name: StaticString, _ value: Value?) {
    guard !isCollecting else {
      fields.append(Field(name: name, value: value))
      return
    }
    guard let value else { return }
    key(name)
    value.write(to: &self)
  }
}
