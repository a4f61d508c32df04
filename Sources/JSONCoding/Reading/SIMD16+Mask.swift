// SPDX-License-Identifier: Apache-2.0

extension SIMD16<UInt8> {
  /// Whether none of the first `count` bytes has its highest bit set.
  @inlinable @inline(__always)
  package func isASCII(first count: Int) -> Bool {
    let places = SIMD16<UInt8>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    let isHigh = self .>= SIMD16<UInt8>(repeating: 0x80)
    let counts = places .< SIMD16<UInt8>(repeating: UInt8(truncatingIfNeeded: count))
    let words = (isHigh .& counts).words
    return words[0] | words[1] == 0
  }
}

extension SIMD16<UInt8> {
  /// A mask of the bytes that are JSON whitespace.
  @inlinable @inline(__always)
  package var whitespace: SIMDMask<SIMD16<Int8>> {
    let space = self .== SIMD16<UInt8>(repeating: 0x20)
    let feed = self .== SIMD16<UInt8>(repeating: 0x0A)
    let other = (self .== SIMD16<UInt8>(repeating: 0x0D)) .| (self .== SIMD16<UInt8>(repeating: 0x09))
    return space .| feed .| other
  }
}

extension SIMDMask<SIMD16<Int8>> {
  /// The two halves of the mask, the first element in the lowest byte.
  @inlinable @inline(__always)
  package var words: SIMD2<UInt64> {
    // A mask has one byte, all ones or all zeros, for every element.
    let words = unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self)
    return SIMD2(UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1]))
  }

  /// The number of elements before the first that is true, or 16 if none is.
  @inlinable @inline(__always)
  package var leadingFalseCount: Int {
    let words = words
    if words[0] != 0 { return words[0].trailingZeroBitCount >> 3 }
    if words[1] != 0 { return 8 + words[1].trailingZeroBitCount >> 3 }
    return 16
  }

  /// The number of elements before the first that is false, or 16 if none is.
  @inlinable @inline(__always)
  package var leadingTrueCount: Int { (.!self).leadingFalseCount }
}
