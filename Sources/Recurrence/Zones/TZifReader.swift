// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads the files of the time zone database ([RFC 8536 § 3](https://www.rfc-editor.org/rfc/rfc8536.html#section-3)).
struct TZifReader {
  private let bytes: [UInt8]
  private var position = 0

  static func table(of bytes: [UInt8]) throws(ZoneError.Reason) -> ZoneTable {
    guard bytes.count <= ZoneFile.limit else { throw .malformed }
    var reader = TZifReader(bytes: bytes)
    let first = try reader.header()
    guard first.version > 0 else { return try reader.table(first, timeSize: 4, rule: nil) }
    // § 3: a reader of version 2 or later skips the block with times of 32 bits.
    try reader.skip(first.length(timeSize: 4))
    let second = try reader.header()
    var footer = reader
    try footer.skip(second.length(timeSize: 8))
    return try reader.table(second, timeSize: 8, rule: try footer.footer())
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// The counts of a data block.
  private struct Header {
    let version: Int
    let (isUTC, isStandard, leaps, times, types, characters): (Int, Int, Int, Int, Int, Int)

    func length(timeSize: Int) -> Int {
      times * (timeSize + 1) + types * 6 + characters + leaps * (timeSize + 4) + isStandard + isUTC
    }
  }

  private mutating func header() throws(ZoneError.Reason) -> Header {
    guard bytes.count - position >= 44, bytes[position..<position + 4].elementsEqual("TZif".utf8) else {
      throw .malformed
    }
    // The version is a zero byte for version 1, and a digit from version 2 on.
    let version = bytes[position + 4] == 0 ? 0 : 2
    position += 20
    var counts: [Int] = []
    for _ in 0..<6 {
      let count = try integer(4)
      // A file within the size limit has no larger count. The bound also keeps the sum of the counts from overflowing.
      guard (0...Int64(ZoneFile.limit)).contains(count) else { throw .malformed }
      counts.append(Int(count))
    }
    return Header(
      version: version, isUTC: counts[0], isStandard: counts[1], leaps: counts[2], times: counts[3],
      types: counts[4], characters: counts[5])
  }

  private mutating func skip(_ count: Int) throws(ZoneError.Reason) {
    guard count <= bytes.count - position else { throw .malformed }
    position += count
  }

  /// Reads a signed number in network byte order.
  private mutating func integer(_ size: Int) throws(ZoneError.Reason) -> Int64 {
    let start = position
    try skip(size)
    let value = bytes[start..<position].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : value
  }

  private mutating func table(
    _ header: Header, timeSize: Int, rule: POSIXZoneRule?
  ) throws(ZoneError.Reason) -> ZoneTable {
    guard header.length(timeSize: timeSize) <= bytes.count - position, header.types > 0 else { throw .malformed }
    guard header.leaps == 0 else { throw .leapSeconds }
    var changes: [Int64] = []
    for _ in 0..<header.times {
      let time = try integer(timeSize)
      guard time >= changes.last.map({ $0 + 1 }) ?? ZoneTable.distantPast / 2, time <= ZoneTable.distantFuture / 2
      else { throw .malformed }
      changes.append(time)
    }
    let indexes = bytes[position..<position + header.times]
    position += header.times
    var types: [Int32] = []
    for _ in 0..<header.types {
      let offset = try integer(4)
      guard abs(offset) < Seconds.largestOffset else { throw .malformed }
      types.append(Int32(offset))
      position += 2
    }
    // § 3.2: the first type applies before the first change.
    var offsets = [types[0]]
    for index in indexes {
      guard types.indices.contains(Int(index)) else { throw .malformed }
      offsets.append(types[Int(index)])
    }
    return ZoneTable(changes: changes, offsets: offsets, rule: rule)
  }

  /// Reads the rule between the newlines after the second block, or returns `nil` if it is empty.
  private mutating func footer() throws(ZoneError.Reason) -> POSIXZoneRule? {
    let newline = UInt8(ascii: "\n")
    guard position < bytes.count, bytes[position] == newline,
      let end = bytes[(position + 1)...].firstIndex(of: newline)
    else { throw .malformed }
    let text = Array(bytes[position + 1..<end])
    if text.isEmpty { return nil }
    guard let rule = POSIXZoneRule(text) else { throw .malformed }
    return rule
  }
}

/// A file of the time zone database.
enum ZoneFile {
  /// The maximum size in bytes.
  ///
  /// The largest zone of 2026 has some 4 KiB.
  static let limit = 256 * 1024

  /// Returns the content, or `nil` if there is no regular file at this path.
  static func bytes(_ path: String) throws(ZoneError.Reason) -> [UInt8]? {
    // O_NONBLOCK: opening a pipe must not wait for a writer. Safe: open(2) keeps no pointer to the path.
    let descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else {
      if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno) { return nil }
      throw .unreadable(errno)
    }
    defer { _ = close(descriptor) }
    var status = stat()
    // Safe: fstat(2) writes one `stat`, and read(2) at most the chunk's count.
    guard unsafe fstat(descriptor, &status) == 0 else { throw .unreadable(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 * 1024)
    while content.count <= limit {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return content }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .unreadable(errno) }
      content += chunk[..<count]
    }
    throw .malformed
  }
}
