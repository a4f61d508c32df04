/// Undoes percent-encoding ([WHATWG URL § 1.3](https://url.spec.whatwg.org/#percent-decode)).
enum PercentDecoder {
  static func decode(_ text: Span<UInt8>, plusIsSpace: Bool) -> String {
    // What is read is never longer than what was written, and every index below is less than its span's count. What is not
    // UTF-8 the string replaces itself.
    unsafe String(unsafeUninitializedCapacity: text.count) { place in
      var (read, written) = (0, 0)
      while read < text.count {
        var byte = text[read]
        if byte == UInt8(ascii: "%"), read + 2 < text.count,
          let high = value(text[read + 1]), let low = value(text[read + 2])
        {
          byte = high << 4 | low
          read += 2
        } else if byte == UInt8(ascii: "+"), plusIsSpace {
          byte = UInt8(ascii: " ")
        }
        unsafe place[written] = byte
        read += 1
        written += 1
      }
      return written
    }
  }

  /// The value of a hexadecimal digit.
  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
