// SPDX-License-Identifier: Apache-2.0

/// A decoder of percent-encoding ([WHATWG URL § 1.3](https://url.spec.whatwg.org/#percent-decode)) that writes directly into a
/// string's storage.
///
/// It copies sixteen bytes at once if they contain neither `%` nor `+`. Two table lookups give the values of an escape's
/// digits.
enum PercentDecoder {
  /// Decodes one name or value.
  ///
  /// Invalid UTF-8 becomes U+FFFD.
  static func decode(_ text: Span<UInt8>, plusIsSpace: Bool) -> String {
    // Decoded text is never longer than its source, so a capacity of `count` bytes suffices: every store ends at or before the
    // read position. The string replaces invalid UTF-8.
    unsafe String(unsafeUninitializedCapacity: text.count) { place in
      unsafe text.withUnsafeBytes { source in
        unsafe decode(source, to: UnsafeMutableRawBufferPointer(place), plusIsSpace)
      }
    }
  }

  private static func decode(
    _ source: UnsafeRawBufferPointer, to place: UnsafeMutableRawBufferPointer, _ plusIsSpace: Bool
  ) -> Int {
    guard let from = source.baseAddress, let to = place.baseAddress else { return 0 }
    let count = source.count
    let plus = plusIsSpace ? UInt8(ascii: "+") : UInt8(ascii: "%")
    let (percents, pluses) = (SIMD16<UInt8>(repeating: UInt8(ascii: "%")), SIMD16<UInt8>(repeating: plus))
    return unsafe digitValues.withUnsafeBufferPointer { values in
      var (read, written) = (0, 0)
      while read < count {
        // Every read is below `count`, and every store ends at or before the read position.
        if count &- read >= 16 {
          let block = unsafe from.loadUnaligned(fromByteOffset: read, as: SIMD16<UInt8>.self)
          // A mask has one byte for every element, and any sixteen bytes are two integers.
          let marks = unsafe unsafeBitCast((block .== percents) .| (block .== pluses), to: SIMD2<UInt64>.self)
          if marks[0] | marks[1] == 0 {
            unsafe to.storeBytes(of: block, toByteOffset: written, as: SIMD16<UInt8>.self)
            read &+= 16
            written &+= 16
            continue
          }
        }
        let end = min(read &+ 16, count)
        while read < end {
          var byte = unsafe from.load(fromByteOffset: read, as: UInt8.self)
          read &+= 1
          if byte == UInt8(ascii: "%") {
            if count &- read >= 2 {
              let high = unsafe values[Int(from.load(fromByteOffset: read, as: UInt8.self))]
              let low = unsafe values[Int(from.load(fromByteOffset: read &+ 1, as: UInt8.self))]
              if high | low < 16 {
                byte = high << 4 | low
                read &+= 2
              }
            }
          } else if byte == plus {
            byte = UInt8(ascii: " ")
          }
          unsafe to.storeBytes(of: byte, toByteOffset: written, as: UInt8.self)
          written &+= 1
        }
      }
      return written
    }
  }

  /// The value of each byte as a hexadecimal digit, or 255.
  private static let digitValues = (UInt8.min...UInt8.max).map { byte -> UInt8 in
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: 255
    }
  }
}
