/// The hot path: escapes bytes into a scratch on the stack, and appends that to the caller's buffer whenever it fills.
///
/// Each byte takes one step and no branch: a table gives the one or three characters that stand for it and how many they
/// are, four bytes are stored in any case, and the place moves on by the number. Sixteen bytes that all stand for
/// themselves are recognised at once and copied.
@safe struct PercentEncoder {
  private var buffer: [UInt8] = []
  private let scratch: UnsafeMutablePointer<UInt8>
  private let table: UnsafePointer<UInt32>
  private var used = 0

  /// The size of the scratch; what is surely on the stack.
  private static var capacity: Int { 1024 }
  /// Source bytes that are escaped between two looks at the room left: they take three times as much, and the last store
  /// at most 15 bytes more.
  private static var pieceLength: Int { 160 }

  /// Appends what `write` writes.
  @inline(__always)
  static func append(to buffer: inout [UInt8], _ encoding: FormEncoding, _ write: (inout PercentEncoder) -> Void) {
    let table = encoding == .form ? formTable : queryTable
    // Both pointers stay within the closures that lend them. The caller's buffer is moved in and out, not copied.
    unsafe table.withUnsafeBufferPointer { table in
      unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { scratch in
        guard let table = table.baseAddress, let scratch = scratch.baseAddress else { return }
        var encoder = unsafe PercentEncoder(scratch: scratch, table: table)
        swap(&buffer, &encoder.buffer)
        write(&encoder)
        encoder.flush()
        swap(&buffer, &encoder.buffer)
      }
    }
  }

  private init(scratch: UnsafeMutablePointer<UInt8>, table: UnsafePointer<UInt32>) {
    unsafe self.scratch = scratch
    unsafe self.table = table
  }

  private mutating func flush() {
    // `used` bytes from the start have been written.
    unsafe buffer.append(contentsOf: UnsafeBufferPointer(start: scratch, count: used))
    used = 0
  }

  /// Writes a character that is not escaped.
  @inline(__always)
  mutating func write(_ byte: UInt8) {
    if used >= Self.capacity { flush() }
    unsafe scratch[used] = byte
    used += 1
  }

  @inline(__always)
  mutating func write(escaping text: String) {
    // A native string lends its bytes; `nil` means a bridged one, which has to be copied first.
    let lent: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe write(escaping: $0) }
    if lent == nil { write(escaping: Array(text.utf8).span) }
  }

  mutating func write(escaping bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe write(escaping: $0) }
  }

  private mutating func write(escaping bytes: UnsafeBufferPointer<UInt8>) {
    guard var source = bytes.baseAddress else { return }
    var left = bytes.count
    while left > 0 {
      let length = min(left, Self.pieceLength)
      if used > Self.capacity - 3 * Self.pieceLength - 16 { flush() }
      unsafe escape(source, length)
      // Still within the source, or at its end.
      unsafe source += length
      left -= length
    }
  }

  /// Escapes `count` bytes, for which there is room.
  @inline(__always)
  private mutating func escape(_ source: UnsafePointer<UInt8>, _ count: Int) {
    var index = 0
    var place = unsafe scratch + used
    while index < count {
      // The index is below the count, and a byte is below the 256 entries.
      let entry = unsafe table[Int(source[index])]
      unsafe UnsafeMutableRawPointer(place).storeBytes(of: entry.littleEndian, as: UInt32.self)
      unsafe place += Int(entry >> 24)
      index += 1
    }
    used = unsafe place - scratch
  }
}

extension PercentEncoder {
  private static let formTable = table(unescaped: "*-._", space: "+")
  private static let queryTable = table(unescaped: "-._~", space: "%20")

  /// For each byte its characters, the first lowest, and in the top byte how many they are.
  private static func table(unescaped: String, space: String) -> [UInt32] {
    (UInt8.min...UInt8.max).map { byte in
      let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26
      if isLetter || byte &- UInt8(ascii: "0") < 10 || unescaped.utf8.contains(byte) { return UInt32(byte) | 1 << 24 }
      if byte == UInt8(ascii: " "), space == "+" { return UInt32(UInt8(ascii: "+")) | 1 << 24 }
      let digits = Array("0123456789ABCDEF".utf8)
      return 0x25 | UInt32(digits[Int(byte >> 4)]) << 8 | UInt32(digits[Int(byte & 15)]) << 16 | 3 << 24
    }
  }
}
