import HTTPTransport

extension HTTPFields {
  /// Reads the lines of a response's head: a status line, then fields.
  ///
  /// Every line is a field of its own, so that fields that come more than once stay apart. Continuation lines are joined to
  /// their field by a space, and CR and NUL in a value are replaced by one (RFC 9112 § 5.2, RFC 9110 § 5.5). A line whose
  /// name is not a token is left out.
  init(head: [UInt8]) {
    self.init()
    var name: String?
    var value: [UInt8] = []
    func field() -> (String, String)? {
      name.map { ($0, String(decoding: value.trimmed, as: UTF8.self)) }
    }
    for line in head.split(separator: 0x0A).dropFirst() {
      if let first = line.first, first == 0x20 || first == 0x09 {
        value += [0x20] + line.trimmed
        continue
      }
      if let (name, value) = field() { append(name, value) }
      name = nil
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
        line[..<colon].allSatisfy(\.isTokenCharacter)
      else { continue }
      name = String(decoding: line[..<colon], as: UTF8.self)
      value = Array(line[(colon + 1)...])
    }
    if let (name, value) = field() { append(name, value) }
  }
}

extension Collection<UInt8> where Self: BidirectionalCollection {
  /// Without white space at both ends, control characters that end lines or strings replaced by spaces.
  fileprivate var trimmed: [UInt8] {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0 }
    guard let start = firstIndex(where: { !isSpace($0) }), let end = lastIndex(where: { !isSpace($0) }) else {
      return []
    }
    return self[start...end].map { $0 == 0x0D || $0 == 0 ? 0x20 : $0 }
  }
}
