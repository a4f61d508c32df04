// SPDX-License-Identifier: Apache-2.0

/// The hot path: a parser and writer of RFC 3339 dates and times.
///
/// It processes eight characters at a time, one per byte of a 64-bit word. Exclusive or with a template such as `0000-00-`
/// turns each digit into its value and each separator into zero. One addition then proves that no byte is more than 9 or 0,
/// respectively. The calendar is arithmetic (``Gregorian``). Writing reverses these steps. Only an invalid text is examined
/// character by character, to locate its fault.
enum RFC3339 {
  typealias Reading<Value> = Result<Value, RFC3339ParseError>

  // MARK: Reading

  /// Parses `YYYY-MM-DDTHH:MM:SS`, a fraction and a zone.
  static func dateTime(_ text: Span<UInt8>, _ allowingSpace: Bool) -> Reading<OffsetDateTime> {
    let count = text.count
    guard count >= 20 else { return .failure(shapeFault(text, dateTimeShape, allowingSpace: allowingSpace)) }
    let calendar = word(text, at: 0) ^ calendarTemplate
    let clock = word(text, at: 11) ^ clockTemplate
    let (tens, ones) = (text[8] ^ 0x30, text[9] ^ 0x30)
    guard isInRange(calendar, calendarSlack), isInRange(clock, clockSlack), tens < 10, ones < 10,
      isSeparator(text[10], allowingSpace)
    else { return .failure(shapeFault(text, dateTimeShape, allowingSpace: allowingSpace)) }

    let (year, month) = yearAndMonth(calendar)
    let day = Int(tens &* 10 &+ ones)
    if let fault = dateFault(year, month, day) { return .failure(fault) }
    let pairs = clock &* 10 &+ (clock >> 8)
    let (hour, minute, second) = (Int(pairs & 0xFF), Int(pairs >> 24 & 0xFF), Int(pairs >> 48 & 0xFF))
    guard hour < 24 else { return .failure(RFC3339ParseError(.hour, at: 11)) }
    guard minute < 60 else { return .failure(RFC3339ParseError(.minute, at: 14)) }
    guard second <= 60 else { return .failure(RFC3339ParseError(.second, at: 17)) }

    var index = 19
    var nanoseconds: Int32 = 0
    if text[index] == UInt8(ascii: ".") {
      index += 1
      var scale: Int32 = 100_000_000
      while index < count, text[index] ^ 0x30 < 10 {
        nanoseconds &+= Int32(text[index] ^ 0x30) &* scale
        scale /= 10
        index += 1
      }
      guard index < count else { return .failure(RFC3339ParseError(.truncated, at: index)) }
      guard index > 20 else { return .failure(RFC3339ParseError(.unexpectedCharacter, at: index)) }
    }

    var offset = 0
    switch text[index] {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"): index += 1
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      switch zone(text, at: index) {
      case .success(let seconds): offset = seconds
      case .failure(let fault): return .failure(fault)
      }
      index += 6
    default: return .failure(RFC3339ParseError(.unexpectedCharacter, at: index))
    }
    guard index == count else { return .failure(RFC3339ParseError(.trailingCharacters, at: index)) }

    let secondOfDay = hour &* 3600 &+ minute &* 60 &+ second &- offset
    let days = Gregorian.days(year: year, month: month, day: day)
    let seconds = Int64(days) &* 86_400 &+ Int64(secondOfDay)
    // A leap second is the last second of a month in UTC. The second after it is the midnight that starts the next month.
    if second == 60, seconds % 86_400 != 0 || Gregorian.date(days: Int(seconds / 86_400)).day != 1 {
      return .failure(RFC3339ParseError(.second, at: 17))
    }
    return .success(
      OffsetDateTime(unchecked: Timestamp(secondsSince1970: seconds, nanoseconds: nanoseconds), offset))
  }

  /// Parses `YYYY-MM-DD`.
  static func date(_ text: Span<UInt8>) -> Reading<CivilDate> {
    guard text.count >= 10 else { return .failure(shapeFault(text, dateShape)) }
    let calendar = word(text, at: 0) ^ calendarTemplate
    let (tens, ones) = (text[8] ^ 0x30, text[9] ^ 0x30)
    guard isInRange(calendar, calendarSlack), tens < 10, ones < 10 else {
      return .failure(shapeFault(text, dateShape))
    }
    let (year, month) = yearAndMonth(calendar)
    let day = Int(tens &* 10 &+ ones)
    if let fault = dateFault(year, month, day) { return .failure(fault) }
    guard text.count == 10 else { return .failure(RFC3339ParseError(.trailingCharacters, at: 10)) }
    return .success(CivilDate(unchecked: year, month, day))
  }

  /// Calls `read` with the bytes of a string.
  @inline(__always)
  static func reading<Value>(
    _ text: borrowing String, _ read: (Span<UInt8>) -> Reading<Value>
  ) throws(RFC3339ParseError) -> Value {
    // A native string gives access to its bytes. A bridged one returns `nil` and is copied.
    let lent = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe read($0.span) }
    return try (lent ?? read(Array(text.utf8).span)).get()
  }

  @inline(__always)
  static func reading<Value>(
    _ text: borrowing Substring, _ read: (Span<UInt8>) -> Reading<Value>
  ) throws(RFC3339ParseError) -> Value {
    // The span is used only within the closure, as for a string.
    let lent = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe read($0.span) }
    return try (lent ?? read(Array(text.utf8).span)).get()
  }

  // `YYYY-MM-` and `HH:MM:SS`, the first character in the lowest byte, and the slack of each byte: 127 less its maximum.
  private static var calendarTemplate: UInt64 { 0x2D30_302D_3030_3030 }
  private static var calendarSlack: UInt64 { 0x7F76_767F_7676_7676 }
  private static var clockTemplate: UInt64 { 0x3030_3A30_303A_3030 }
  private static var clockSlack: UInt64 { 0x7676_7F76_767F_7676 }

  /// Whether every byte of `values`, with its slack, stays below 128.
  ///
  /// A byte that carries into the next is above 127 itself.
  @inline(__always)
  private static func isInRange(_ values: UInt64, _ slack: UInt64) -> Bool {
    ((values &+ slack) | values) & 0x8080_8080_8080_8080 == 0
  }

  @inline(__always)
  private static func word(_ text: Span<UInt8>, at offset: Int) -> UInt64 {
    // The span checks that it holds the eight bytes, and any eight bytes are an integer.
    unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
  }

  @inline(__always)
  private static func yearAndMonth(_ values: UInt64) -> (year: Int, month: Int) {
    let pairs = values &* 10 &+ (values >> 8)
    return (Int(pairs & 0xFF) &* 100 &+ Int(pairs >> 16 & 0xFF), Int(pairs >> 40 & 0xFF))
  }

  @inline(__always)
  private static func dateFault(_ year: Int, _ month: Int, _ day: Int) -> RFC3339ParseError? {
    guard month >= 1, month <= 12 else { return RFC3339ParseError(.month, at: 5) }
    guard day >= 1, day <= Gregorian.days(inMonth: month, of: year) else { return RFC3339ParseError(.day, at: 8) }
    return nil
  }

  @inline(__always)
  private static func isSeparator(_ byte: UInt8, _ allowingSpace: Bool) -> Bool {
    byte | 0x20 == UInt8(ascii: "t") || (byte == UInt8(ascii: " ") && allowingSpace)
  }

  /// Parses `+HH:MM` or `-HH:MM`, and returns seconds.
  ///
  /// The text starts at the 20th character or later.
  @inline(__always)
  private static func zone(_ text: Span<UInt8>, at start: Int) -> Reading<Int> {
    guard text.count >= start + 6 else { return .failure(shapeFault(text, zoneShape, from: start)) }
    let values = (word(text, at: start - 2) >> 24) ^ 0x30_303A_3030
    guard isInRange(values, 0x76_767F_7676) else { return .failure(shapeFault(text, zoneShape, from: start)) }
    let pairs = values &* 10 &+ (values >> 8)
    let (hours, minutes) = (Int(pairs & 0xFF), Int(pairs >> 24 & 0xFF))
    guard hours < 24, minutes < 60 else { return .failure(RFC3339ParseError(.offset, at: start)) }
    let seconds = hours &* 3600 &+ minutes &* 60
    return .success(text[start] == UInt8(ascii: "-") ? -seconds : seconds)
  }

  private static var dateShape: StaticString { "0000-00-00" }
  private static var dateTimeShape: StaticString { "0000-00-00T00:00:00" }
  private static var zoneShape: StaticString { "+00:00" }

  /// Finds the first difference between a text and a shape, in which `0` stands for any digit.
  ///
  /// It takes no string: the compiler would retain and release a borrowed one around every operation that could release it, which
  /// takes as long as parsing.
  @inline(never)
  private static func shapeFault(
    _ text: Span<UInt8>, _ shape: StaticString, from start: Int = 0, allowingSpace: Bool = false
  ) -> RFC3339ParseError {
    for index in start..<Swift.min(text.count, start + shape.utf8CodeUnitCount) {
      // The shape has that many characters.
      let (byte, expected) = (text[index], unsafe shape.utf8Start[index - start])
      let matches =
        switch expected {
        case UInt8(ascii: "0"): byte ^ 0x30 < 10
        case UInt8(ascii: "T"): isSeparator(byte, allowingSpace)
        case UInt8(ascii: "+"): true
        default: byte == expected
        }
      if !matches { return RFC3339ParseError(.unexpectedCharacter, at: index) }
    }
    return RFC3339ParseError(.truncated, at: text.count)
  }

  // MARK: Writing

  /// Returns a time as a string.
  @inline(__always)
  static func string(_ time: OffsetDateTime, _ fractionDigits: Int?) -> String {
    let length = length(time, fractionDigits)
    // The longest text is 35 bytes. Creating a string from finished text takes less time than writing into its storage.
    return unsafe withUnsafeTemporaryAllocation(byteCount: 40, alignment: 8) { place in
      unsafe write(time, fractionDigits, to: place)
      return unsafe String(decoding: UnsafeRawBufferPointer(rebasing: place[..<length]), as: UTF8.self)
    }
  }

  /// Appends a time.
  @inline(__always)
  static func append(_ time: OffsetDateTime, _ fractionDigits: Int?, to buffer: inout [UInt8]) {
    let length = length(time, fractionDigits)
    buffer.append(addingCapacity: length) { place in
      // The place is as long as was requested, and all of it is written.
      unsafe place.withUnsafeMutableBufferPointer { place, count in
        unsafe write(time, fractionDigits, to: UnsafeMutableRawBufferPointer(place))
        count = length
      }
    }
  }

  /// The number of characters written by ``write(_:_:to:)``: 20 to 35.
  @inline(__always)
  private static func length(_ time: OffsetDateTime, _ fractionDigits: Int?) -> Int {
    let width = width(time, fractionDigits)
    return 20 + (width > 0 ? width + 1 : 0) + (time.offsetSeconds == 0 ? 0 : 5)
  }

  /// The number of digits of the fraction, 0 to 9.
  @inline(__always)
  private static func width(_ time: OffsetDateTime, _ fractionDigits: Int?) -> Int {
    fractionDigits.map { Swift.min(Swift.max($0, 0), 9) } ?? shortestWidth(time.timestamp.nanoseconds)
  }

  /// Writes a time to a place of at least ``length(_:_:)`` bytes, and to no byte after them.
  private static func write(_ time: OffsetDateTime, _ fractionDigits: Int?, to place: UnsafeMutableRawBufferPointer) {
    let (days, seconds) = local(time)
    let (year, month, day) = Gregorian.date(days: days)
    let date = digits(year, month, day)
    let second = UInt32(truncatingIfNeeded: seconds)
    let minute = second / 60
    let clock = digits(minute / 60, minute % 60, second % 60, 0)
    // "YYYY-MM-", "DDTHH:MM" and ":SSZ" are 20 bytes, the shortest text.
    unsafe place.storeBytes(of: yearAndMonth(of: date).littleEndian, as: UInt64.self)
    unsafe place.storeBytes(
      of: (date >> 48 | 0x3A00_0054_0000 | (clock & 0xFFFF) << 24 | (clock & 0xFFFF_0000) << 32).littleEndian,
      toByteOffset: 8, as: UInt64.self)
    unsafe place.storeBytes(
      of: UInt32(truncatingIfNeeded: 0x5A00_003A | clock >> 24 & 0xFFFF00).littleEndian,
      toByteOffset: 16, as: UInt32.self)

    // A fraction and an offset overwrite the `Z` and continue after it: at most ten characters and six.
    var end = 19
    let width = width(time, fractionDigits)
    if width > 0 {
      unsafe place[end] = UInt8(ascii: ".")
      var rest = UInt32(time.timestamp.nanoseconds)
      for _ in width..<9 { rest /= 10 }
      for index in stride(from: end + width, to: end, by: -1) {
        unsafe place[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      end += 1 + width
      if time.offsetSeconds == 0 { unsafe place[end] = UInt8(ascii: "Z") }
    }
    guard time.offsetSeconds != 0 else { return }
    let minutes = UInt32(truncatingIfNeeded: abs(time.offsetSeconds)) / 60
    let zone = digits(minutes / 60, minutes % 60, 0, 0)
    let sign: UInt64 = time.offsetSeconds < 0 ? 0x2D : 0x2B
    // Six characters from `end` on, which `length` counts for an offset that is not zero.
    let text = sign | (zone & 0xFFFF) << 8 | 0x3A00_0000 | (zone & 0xFFFF_0000) << 16
    unsafe place.storeBytes(of: UInt32(truncatingIfNeeded: text).littleEndian, toByteOffset: end, as: UInt32.self)
    unsafe place.storeBytes(
      of: UInt16(truncatingIfNeeded: text >> 32).littleEndian, toByteOffset: end + 4, as: UInt16.self)
  }

  /// Returns `YYYY-MM-DD`, as a string without storage, like every string of at most 15 bytes.
  @inline(__always)
  static func string(_ day: CivilDate) -> String {
    unsafe String(unsafeUninitializedCapacity: 10) { place in
      unsafe write(day, to: UnsafeMutableRawBufferPointer(place))
      return 10
    }
  }

  /// Appends `YYYY-MM-DD`.
  @inline(__always)
  static func append(_ day: CivilDate, to buffer: inout [UInt8]) {
    buffer.append(addingCapacity: 10) { place in
      // The place is as long as was requested, and all of it is written.
      unsafe place.withUnsafeMutableBufferPointer { place, count in
        unsafe write(day, to: UnsafeMutableRawBufferPointer(place))
        count = 10
      }
    }
  }

  /// Writes `YYYY-MM-DD` to a place of at least ten bytes, and to no byte after them.
  private static func write(_ day: CivilDate, to place: UnsafeMutableRawBufferPointer) {
    let date = digits(day.year, day.month, day.day)
    unsafe place.storeBytes(of: yearAndMonth(of: date).littleEndian, as: UInt64.self)
    unsafe place.storeBytes(of: UInt16(date >> 48).littleEndian, toByteOffset: 8, as: UInt16.self)
  }

  /// Days since 1970 and seconds of the day on the local clock, within the representable years.
  @inline(__always)
  static func local(_ time: OffsetDateTime) -> (days: Int, seconds: Int) {
    let (first, last) = (Int64(Gregorian.firstDay) * 86_400, Int64(Gregorian.lastDay) * 86_400 + 86_399)
    let utc = Swift.min(Swift.max(time.timestamp.secondsSince1970, first &- 86_400), last &+ 86_400)
    let seconds = Swift.min(Swift.max(utc &+ Int64(time.offsetSeconds), first), last)
    // From the first day on, nothing is negative, so a plain division rounds down.
    let sinceFirst = UInt64(truncatingIfNeeded: seconds &- first)
    return (
      Int(truncatingIfNeeded: sinceFirst / 86_400) &+ Gregorian.firstDay, Int(truncatingIfNeeded: sinceFirst % 86_400)
    )
  }

  /// The digits of a date.
  @inline(__always)
  private static func digits(_ year: Int, _ month: Int, _ day: Int) -> UInt64 {
    let year = UInt32(truncatingIfNeeded: year)
    return digits(
      year / 100, year % 100, UInt32(truncatingIfNeeded: month), UInt32(truncatingIfNeeded: day))
  }

  /// Four numbers below 100 as eight digits, the first in the lowest byte.
  @inline(__always)
  private static func digits(_ first: UInt32, _ second: UInt32, _ third: UInt32, _ fourth: UInt32) -> UInt64 {
    let numbers = UInt64(first | second << 16) | UInt64(third | fourth << 16) << 32
    // 103 / 1024 is a tenth, close enough for any number below 178.
    let tens = (numbers &* 103) >> 10 & 0x000F_000F_000F_000F
    return tens | (numbers &- tens &* 10) << 8 | 0x3030_3030_3030_3030
  }

  /// The first eight characters of a date, given its eight digits.
  @inline(__always)
  private static func yearAndMonth(of date: UInt64) -> UInt64 {
    date & 0xFFFF_FFFF | 0x2D00_002D_0000_0000 | (date & 0xFFFF_0000_0000) << 8
  }

  @inline(__always)
  private static func shortestWidth(_ nanoseconds: Int32) -> Int {
    if nanoseconds == 0 { return 0 }
    if nanoseconds % 1000 != 0 { return 9 }
    return nanoseconds % 1_000_000 == 0 ? 3 : 6
  }
}
