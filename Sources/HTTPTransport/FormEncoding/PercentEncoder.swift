// SPDX-License-Identifier: Apache-2.0

/// The hot path: an encoder that escapes bytes directly into unused capacity of the caller's buffer, three times the number of
/// bytes.
///
/// Each byte takes one step and no branch. A table gives the one or three characters of its escaped form, and their
/// number. Four bytes are always stored, and the position advances by the number. Sixteen bytes that need no escaping
/// are copied at once.
///
/// `@safe`: an encoder exists only inside the closures of `append`, which lend the place and the table, and the place
/// has capacity for three times the bytes to write.
@safe struct PercentEncoder {
  private var place: UnsafeMutableRawPointer
  private let table: UnsafePointer<UInt32>

  /// Capacity for the fourth byte of the last store of four.
  private static var slack: Int { 4 }

  /// Appends `name=value&name=value…`.
  static func append(_ fields: borrowing [FormFields.Field], to buffer: inout [UInt8], _ encoding: FormEncoding) {
    // The array lends its fields for the loops. `Lent` has the layout of its only member, and owns nothing.
    unsafe fields.withUnsafeBufferPointer { fields in
      unsafe fields.withMemoryRebound(to: Lent.self) { fields in
        var length = 0
        for index in fields.indices { length &+= unsafe fields[index].length }
        append(length, to: &buffer, encoding) { encoder in
          for index in fields.indices {
            if index > 0 { encoder.write(UInt8(ascii: "&")) }
            unsafe fields[index].write(to: &encoder)
          }
        }
      }
    }
  }

  /// Appends one name or value.
  static func append(_ text: borrowing String, to buffer: inout [UInt8], _ encoding: FormEncoding) {
    let length = text.utf8.count
    append(length, to: &buffer, encoding) { $0.write(escaping: text) }
  }

  /// Appends one name or value given as bytes.
  static func append(_ bytes: Span<UInt8>, to buffer: inout [UInt8], _ encoding: FormEncoding) {
    append(bytes.count, to: &buffer, encoding) { $0.write(escaping: bytes) }
  }

  /// Appends the output of `write`, which has at most three bytes for each of the `length` input bytes.
  @inline(__always)
  private static func append(
    _ length: Int, to buffer: inout [UInt8], _ encoding: FormEncoding, _ write: (inout PercentEncoder) -> Void
  ) {
    let table = encoding == .form ? formTable : queryTable
    // The pointers stay within the closures that lend them, and every written byte is counted.
    unsafe table.withUnsafeBufferPointer { table in
      buffer.append(addingCapacity: 3 * length + slack) { span in
        unsafe span.withUnsafeMutableBufferPointer { storage, count in
          guard let table = table.baseAddress, let start = storage.baseAddress else { return }
          var encoder = unsafe PercentEncoder(place: UnsafeMutableRawPointer(start), table: table)
          write(&encoder)
          count = unsafe encoder.place - UnsafeMutableRawPointer(start)
        }
      }
    }
  }

  private init(place: UnsafeMutableRawPointer, table: UnsafePointer<UInt32>) {
    unsafe self.place = place
    unsafe self.table = table
  }
}

extension PercentEncoder {
  /// A noncopyable view of a field, which avoids a retain and release for each access: they took longer than escaping a short
  /// field.
  private struct Lent: ~Copyable {
    let field: FormFields.Field

    /// The number of bytes of name, value, `=` and `&`.
    @inline(__always)
    var length: Int { field.name.utf8.count &+ field.value.utf8.count &+ 2 }

    @inline(__always)
    borrowing func write(to encoder: inout PercentEncoder) {
      encoder.write(escaping: field.name)
      encoder.write(UInt8(ascii: "="))
      encoder.write(escaping: field.value)
    }
  }

  private mutating func write(escaping text: borrowing String) {
    // A native string gives access to its bytes. A bridged one returns `nil` and is copied.
    let lent: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe write(escaping: $0) }
    if lent == nil { write(escaping: Array(text.utf8).span) }
  }

  private mutating func write(escaping bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe write(escaping: $0) }
  }

  /// Writes a character without escaping it.
  @inline(__always)
  private mutating func write(_ character: UInt8) {
    unsafe place.storeBytes(of: character, as: UInt8.self)
    unsafe place += 1
  }

  private mutating func write(escaping bytes: UnsafeBufferPointer<UInt8>) {
    // Every read is below `count`. The capacity is three times the bytes, plus the slack for the last store.
    guard let source = unsafe UnsafeRawPointer(bytes.baseAddress) else { return }
    let count = bytes.count
    var index = 0
    var place = unsafe place
    while count &- index >= 16 {
      let block = unsafe source.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
      if Self.isPlain(block) {
        unsafe place.storeBytes(of: block, as: SIMD16<UInt8>.self)
        unsafe place += 16
      } else {
        for offset in 0..<16 { unsafe escape(source + (index &+ offset), &place) }
      }
      index &+= 16
    }

    if index > 0, index < count {
      // The last sixteen bytes overlap the previous block. If all are plain, they overwrite plain bytes with the same values.
      let block = unsafe source.loadUnaligned(fromByteOffset: count &- 16, as: SIMD16<UInt8>.self)
      if Self.isPlain(block) {
        unsafe place += count &- index
        unsafe (place - 16).storeBytes(of: block, as: SIMD16<UInt8>.self)
        index = count
      }
    }
    while index < count {
      unsafe escape(source + index, &place)
      index &+= 1
    }
    unsafe self.place = place
  }

  @inline(__always)
  private func escape(_ source: UnsafeRawPointer, _ place: inout UnsafeMutableRawPointer) {
    let entry = unsafe entry(source)
    unsafe place.storeBytes(of: entry, as: UInt32.self)
    unsafe place += Int(UInt32(littleEndian: entry) >> 24)
  }

  @inline(__always)
  private func entry(_ source: UnsafeRawPointer) -> UInt32 {
    // The table has an entry for every byte.
    unsafe table[Int(source.load(as: UInt8.self))]
  }

  /// Whether all sixteen bytes are letters, digits, `-`, `.` or `_`.
  @inline(__always)
  private static func isPlain(_ block: SIMD16<UInt8>) -> Bool {
    // One comparison tests a range that is moved to the top of the signed numbers, and excludes all non-ASCII bytes.
    let bytes = SIMD16<Int8>(truncatingIfNeeded: block)
    let lowerCase = bytes | SIMD16<Int8>(repeating: 0x20)
    let letters = lowerCase &+ SIMD16<Int8>(repeating: 0x05) .> SIMD16<Int8>(repeating: 0x65)
    let digitsAndMarks = bytes &+ SIMD16<Int8>(repeating: 0x46) .> SIMD16<Int8>(repeating: 0x72)
    let slash = bytes .== SIMD16<Int8>(repeating: 0x2F)
    let underscore = bytes .== SIMD16<Int8>(repeating: 0x5F)
    // A mask has one byte for every element, all ones where it holds, and any sixteen bytes are two integers.
    let plain = unsafe unsafeBitCast(letters .| (digitsAndMarks .& .!slash) .| underscore, to: SIMD2<UInt64>.self)
    return plain[0] & plain[1] == .max
  }
}

extension PercentEncoder {
  private static let formTable = table(unescaped: "*-._", space: "+")
  private static let queryTable = table(unescaped: "-._~", space: "%20")

  /// The encoded characters of each byte, and their number in the entry's fourth byte.
  private static func table(unescaped: String, space: String) -> [UInt32] {
    let digits = Array("0123456789ABCDEF".utf8)
    return (UInt8.min...UInt8.max).map { byte in
      let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26
      var characters = [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      if isLetter || byte &- UInt8(ascii: "0") < 10 || unescaped.utf8.contains(byte) { characters = [byte] }
      if byte == UInt8(ascii: " ") { characters = Array(space.utf8) }
      let word = characters.reversed().reduce(0) { $0 << 8 | UInt32($1) }
      return (word | UInt32(characters.count) << 24).littleEndian
    }
  }
}
