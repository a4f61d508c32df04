// SPDX-License-Identifier: Apache-2.0

/// The header fields of a message, in order ([RFC 9110 § 5](https://www.rfc-editor.org/rfc/rfc9110.html#section-5)).
///
/// Names compare without regard to case, and a name may occur more than once.
public struct HTTPFields: Sendable, Hashable {
  /// One field line.
  public struct Field: Sendable, Hashable {
    /// The name, in its original case.
    public let name: String
    /// The value, unchanged.
    public let value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  private var list: [Field] = []

  /// Creates an empty list of fields.
  public init() {}

  /// The first value for `name`.
  ///
  /// Setting a value replaces every field with this name. Setting `nil` removes them.
  ///
  /// - Complexity: O(*n*), where *n* is the number of fields.
  public subscript(name: String) -> String? {
    get { list.firstValue(for: name) }
    set { list.set(name, to: newValue) }
  }

  /// Returns every value for `name`, in order.
  public func values(for name: String) -> [String] { list.values(for: name) }

  /// Reserves capacity for `count` fields.
  package mutating func reserveCapacity(_ count: Int) { list.reserveCapacity(count) }

  /// Appends a field, and keeps others with the same name.
  public mutating func append(_ name: String, _ value: String) { list.append(Field(name: name, value: value)) }
}

extension HTTPFields {
  /// Creates fields from pairs of a name and a value, in their order.
  ///
  /// A repeated name adds a repeated field.
  public init(_ pairs: some Sequence<(String, String)>) {
    list.reserveCapacity(pairs.underestimatedCount)
    for (name, value) in pairs { append(name, value) }
  }

  /// Creates fields from names and values, sorted by name.
  public init(_ dictionary: [String: String]) {
    self.init(dictionary.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
  /// Creates fields from names and values.
  ///
  /// A repeated name adds a repeated field.
  public init(dictionaryLiteral elements: (String, String)...) { self.init(elements) }
}

extension HTTPFields: RandomAccessCollection {
  /// The position of the first field.
  public var startIndex: Int { list.startIndex }
  /// The position after the last field.
  public var endIndex: Int { list.endIndex }
  /// The field at a position.
  public subscript(position: Int) -> Field { list[position] }
}

extension HTTPFields: CustomStringConvertible, CustomReflectable {
  /// The names alone: a value may be a secret.
  public var description: String { list.map(\.name).description }

  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["names": list.map(\.name)]) }
}

extension HTTPFields.Field: NamedField {
  static func isSame(_ left: String, _ right: String) -> Bool { left.equalsIgnoringCase(right) }
}

extension HTTPFields.Field: CustomStringConvertible, CustomReflectable {
  /// The name alone: the value may be a secret.
  public var description: String { name }

  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

extension HTTPFields.Field {
  /// Whether the name is a token and the value has no control characters, so neither can end the line early
  /// ([RFC 9110 § 5.5](https://www.rfc-editor.org/rfc/rfc9110.html#section-5.5)).
  package var isWellFormed: Bool {
    !name.isEmpty && name.utf8.allSatisfy(\.isTokenCharacter) && value.withContiguousBytes { !$0.hasControlCharacters }
  }
}

extension UInt8 {
  /// Whether the byte is allowed in a token ([RFC 9110 § 5.6.2](https://www.rfc-editor.org/rfc/rfc9110.html#section-5.6.2)).
  @inlinable
  package var isTokenCharacter: Bool {
    // A bit for each of `!#$%&'*+-.`, digits, capitals, `^_`, `` ` ``, small letters, `|~`, in ASCII's order.
    let (low, high): (UInt64, UInt64) = (0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE)
    return self < 128 && (self < 64 ? low : high) >> UInt64(self & 63) & 1 == 1
  }
}

extension Span<UInt8> {
  /// Whether there are control characters other than horizontal tabs.
  fileprivate var hasControlCharacters: Bool {
    // The loop has no early exit, so that it can compare many bytes at a time.
    var isFound = false
    for index in indices where (self[index] < 0x20 && self[index] != 0x09) || self[index] == 0x7F { isFound = true }
    return isFound
  }
}

extension String {
  /// Compares ASCII letters without regard to case and everything else exactly.
  package func equalsIgnoringCase(_ other: String) -> Bool {
    let count = utf8.count
    guard count == other.utf8.count else { return false }
    return withContiguousBytes { left in
      other.withContiguousBytes { right in
        for index in 0..<count where left[index] != right[index] {
          guard left[index].lowercasedASCII == right[index].lowercasedASCII else { return false }
        }
        return true
      }
    }
  }

  fileprivate func withContiguousBytes<Value>(_ body: (Span<UInt8>) -> Value) -> Value {
    // A native string gives access to its bytes. A bridged one returns `nil` and is copied.
    unsafe utf8.withContiguousStorageIfAvailable { unsafe body($0.span) } ?? body(Array(utf8).span)
  }
}

extension UInt8 {
  fileprivate var lowercasedASCII: UInt8 {
    self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
  }
}

/// A name and its value in an ordered list with repeated names: the common part of ``HTTPFields`` and ``FormFields``.
protocol NamedField {
  var name: String { get }
  var value: String { get }

  init(name: String, value: String)

  /// Whether two names are the same.
  static func isSame(_ left: String, _ right: String) -> Bool
}

extension Array where Element: NamedField {
  /// Returns the value of the first field called `name`.
  func firstValue(for name: String) -> String? { first { Element.isSame($0.name, name) }?.value }

  /// Returns the values of all fields called `name`, in order.
  func values(for name: String) -> [String] { filter { Element.isSame($0.name, name) }.map(\.value) }

  /// Replaces all fields called `name` with one of `value`, or appends it if there is none.
  ///
  /// Setting `nil` removes the fields.
  mutating func set(_ name: String, to value: String?) {
    guard let first = firstIndex(where: { Element.isSame($0.name, name) }) else {
      if let value { append(Element(name: name, value: value)) }
      return
    }
    if let value { self[first] = Element(name: name, value: value) }
    var isKept = value != nil
    removeAll { field in
      guard Element.isSame(field.name, name) else { return false }
      defer { isKept = false }
      return !isKept
    }
  }
}
