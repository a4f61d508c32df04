// SPDX-License-Identifier: Apache-2.0

/// A namespace for sanitizing text from a server or a system library.
package enum ServerText {
  /// The number of characters to search.
  ///
  /// Later characters are never shown.
  private static let longest = 4096

  /// Returns the printable ASCII characters of a text, with secrets redacted.
  ///
  /// Any eight consecutive bytes of a secret are found, in every form of ``WrittenForms``, and so is a truncated secret. A
  /// secret of four to seven bytes is found only as a whole. A shorter secret is not searched for, because it protects nothing
  /// and can occur in an error code by chance.
  ///
  /// - Parameters:
  ///   - text: The server's text.
  ///   - secrets: Secrets of the request and the response.
  ///   - limit: The maximum number of characters. Defaults to no limit.
  package static func shown(_ text: String, hiding secrets: [String], limit: Int = .max) -> String {
    // Control characters are removed first. Otherwise, one within a secret would prevent the match and then be removed.
    let text = printable(text, limit: longest)
    let search = SecretSearch(secrets)
    guard !search.isEmpty else { return String(text.prefix(limit)) }
    let bytes = Array(text.utf8)
    var isSecret = [Bool](repeating: false, count: bytes.count)
    for form in WrittenForms.all(of: bytes) { search.mark(in: form, &isSecret) }
    var shown: [UInt8] = []
    for index in bytes.indices {
      if !isSecret[index] {
        shown.append(bytes[index])
      } else if index == 0 || !isSecret[index - 1] {
        shown += "<redacted>".utf8
      }
    }
    return String(decoding: shown.prefix(limit), as: UTF8.self)
  }

  /// Returns the printable ASCII characters of a text, without line breaks.
  ///
  /// - Parameter limit: The maximum number of characters. Defaults to no limit.
  package static func printable(_ text: String, limit: Int = .max) -> String {
    // This is the most frequent case: every refresh sanitizes its server's name for a possible error.
    if text.utf8.count <= limit, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7F }.prefix(limit)))
  }
}

/// The secrets to search for in a text.
private struct SecretSearch {
  /// Every sequence of eight bytes of a longer secret.
  private var windows: Set<UInt64> = []
  private var short: Set<[UInt8]> = []

  init(_ secrets: [String]) {
    // The text is printable ASCII. Other characters occur in it only as escapes.
    for secret in secrets {
      for form in Set([Array(secret.utf8), Array(ServerText.printable(secret).utf8)]) { add(form) }
    }
  }

  var isEmpty: Bool { windows.isEmpty && short.isEmpty }

  private mutating func add(_ secret: [UInt8]) {
    if secret.count >= 8 {
      Self.forEachWindow(of: secret) { windows.insert($1) }
    } else if secret.count > 3 {
      short.insert(secret)
    }
  }

  private static func forEachWindow(of bytes: [UInt8], _ body: (_ start: Int, _ window: UInt64) -> Void) {
    var window: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      window = window << 8 | UInt64(byte)
      if index >= 7 { body(index - 7, window) }
    }
  }

  /// Marks the characters of a secret in the original text.
  func mark(in form: WrittenForm, _ isSecret: inout [Bool]) {
    func mark(_ range: Range<Int>) {
      for index in form.sources[range.lowerBound].lowerBound..<form.sources[range.upperBound - 1].upperBound {
        isSecret[index] = true
      }
    }
    if !windows.isEmpty {
      Self.forEachWindow(of: form.bytes) { start, window in if windows.contains(window) { mark(start..<start + 8) } }
    }
    for secret in short where form.bytes.count >= secret.count {
      for start in 0...form.bytes.count - secret.count where form.bytes[start...].starts(with: secret) {
        mark(start..<start + secret.count)
      }
    }
  }
}

/// A text as it was received, or after its escapes were decoded.
struct WrittenForm {
  var bytes: [UInt8] = []
  /// The range of each byte in the received text.
  var sources: [Range<Int>] = []

  mutating func append(_ byte: UInt8, from source: Range<Int>) {
    bytes.append(byte)
    sources.append(source)
  }
}

/// The forms in which a server may have written a text: percent-encoded, as a form, in JSON or HTML, in Base64 or base64url,
/// hexadecimal, quoted-printable, and combinations of up to three.
enum WrittenForms {
  private static let deepest = 3
  private static let limit = 100

  /// Returns the received text, and its decoded forms.
  static func all(of bytes: [UInt8]) -> [WrittenForm] {
    var forms = [WrittenForm(bytes: bytes, sources: bytes.indices.map { $0..<$0 + 1 })]
    var known: Set = [bytes]
    var next = 0
    for _ in 0..<deepest {
      let level = next..<forms.count
      next = forms.count
      for index in level {
        for decode in decoders where forms.count < limit {
          let form = decode(forms[index])
          if known.insert(form.bytes).inserted { forms.append(form) }
        }
      }
    }
    return forms
  }

  private static let decoders: [@Sendable (WrittenForm) -> WrittenForm] =
    [
      { $0.replacing(percentEscape) },
      { $0.replacing { $0[$1] == UInt8(ascii: "+") ? ([0x20], 1) : percentEscape($0, $1) } },
      { $0.replacing(jsonEscape) }, { $0.replacing(htmlEntity) },
    ] + (0..<4).map { offset -> @Sendable (WrittenForm) -> WrittenForm in { $0.decodingBase64(skipping: offset) } }
    + [{ $0.replacing(quotedPrintable) }]
    + (0..<2).map { offset -> @Sendable (WrittenForm) -> WrittenForm in { $0.decodingHexadecimal(skipping: offset) } }

  private static func percentEscape(_ bytes: [UInt8], _ start: Int) -> (bytes: [UInt8], count: Int)? {
    guard bytes[start] == UInt8(ascii: "%") else { return nil }
    if let value = number(bytes, start + 1, digits: 2) { return ([UInt8(truncatingIfNeeded: value)], 3) }
    // The form of JavaScript's `escape`.
    guard start + 1 < bytes.count, bytes[start + 1] == UInt8(ascii: "u") else { return nil }
    return number(bytes, start + 2, digits: 4).flatMap(utf8).map { ($0, 6) }
  }

  /// RFC 2045 § 6.7.
  private static func quotedPrintable(_ bytes: [UInt8], _ start: Int) -> (bytes: [UInt8], count: Int)? {
    guard bytes[start] == UInt8(ascii: "="), let value = number(bytes, start + 1, digits: 2) else { return nil }
    return ([UInt8(truncatingIfNeeded: value)], 3)
  }

  private static func jsonEscape(_ bytes: [UInt8], _ start: Int) -> (bytes: [UInt8], count: Int)? {
    guard bytes[start] == UInt8(ascii: "\\"), start + 1 < bytes.count else { return nil }
    switch bytes[start + 1] {
    case UInt8(ascii: "u"):
      if start + 2 < bytes.count, bytes[start + 2] == UInt8(ascii: "{"),
        let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: "}"))
      {
        let digits = String(decoding: bytes[start + 3..<end], as: UTF8.self)
        return UInt32(digits, radix: 16).flatMap(utf8).map { ($0, end + 1 - start) }
      }
      guard let unit = number(bytes, start + 2, digits: 4) else { return nil }
      var (value, count) = (unit, 6)
      if (0xD800..<0xDC00).contains(unit), bytes[(start + 6)...].starts(with: #"\u"#.utf8),
        let low = number(bytes, start + 8, digits: 4), (0xDC00..<0xE000).contains(low)
      {
        value = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
        count = 12
      }
      return utf8(value).map { ($0, count) }
    case UInt8(ascii: "x"):
      return number(bytes, start + 2, digits: 2).map { ([UInt8(truncatingIfNeeded: $0)], 4) }
    case UInt8(ascii: "0")...UInt8(ascii: "3"):
      guard let value = number(bytes, start + 1, digits: 3, radix: 8) else { return ([bytes[start + 1]], 2) }
      return ([UInt8(truncatingIfNeeded: value)], 4)
    case let byte: return ([controls[byte] ?? byte], 2)
    }
  }

  private static let controls: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
    UInt8(ascii: "t"): 0x09,
  ]

  private static func htmlEntity(_ bytes: [UInt8], _ start: Int) -> (bytes: [UInt8], count: Int)? {
    guard bytes[start] == UInt8(ascii: "&") else { return nil }
    let text = bytes[(start + 1)...].prefix(11)
    guard text.first == UInt8(ascii: "#") else {
      guard let end = text.firstIndex(of: UInt8(ascii: ";")) else { return nil }
      return entities[String(decoding: text[..<end], as: UTF8.self)].map { ([$0], end + 1 - start) }
    }
    let isHexadecimal = text.dropFirst().first.map { $0 | 0x20 } == UInt8(ascii: "x")
    let digits = text.dropFirst(isHexadecimal ? 2 : 1).prefix { isHexadecimal ? $0.isHexadecimal : $0.isDigit }
    // Browsers also accept a number without a semicolon.
    let end = digits.endIndex < text.endIndex && bytes[digits.endIndex] == UInt8(ascii: ";") ? 1 : 0
    return UInt32(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10).flatMap(utf8)
      .map { ($0, digits.endIndex + end - start) }
  }

  /// The names of the printable ASCII characters
  /// ([HTML § 13.5](https://html.spec.whatwg.org/multipage/named-characters.html)).
  private static let entities: [String: UInt8] = [
    "excl": UInt8(ascii: "!"), "quot": UInt8(ascii: "\""), "QUOT": UInt8(ascii: "\""), "num": UInt8(ascii: "#"),
    "dollar": UInt8(ascii: "$"), "percnt": UInt8(ascii: "%"), "amp": UInt8(ascii: "&"), "AMP": UInt8(ascii: "&"),
    "apos": UInt8(ascii: "'"), "lpar": UInt8(ascii: "("), "rpar": UInt8(ascii: ")"), "ast": UInt8(ascii: "*"),
    "midast": UInt8(ascii: "*"), "plus": UInt8(ascii: "+"), "comma": UInt8(ascii: ","), "period": UInt8(ascii: "."),
    "sol": UInt8(ascii: "/"), "colon": UInt8(ascii: ":"), "semi": UInt8(ascii: ";"), "lt": UInt8(ascii: "<"),
    "LT": UInt8(ascii: "<"), "equals": UInt8(ascii: "="), "gt": UInt8(ascii: ">"), "GT": UInt8(ascii: ">"),
    "quest": UInt8(ascii: "?"), "commat": UInt8(ascii: "@"), "lsqb": UInt8(ascii: "["), "lbrack": UInt8(ascii: "["),
    "bsol": UInt8(ascii: "\\"), "rsqb": UInt8(ascii: "]"), "rbrack": UInt8(ascii: "]"), "Hat": UInt8(ascii: "^"),
    "lowbar": UInt8(ascii: "_"), "UnderBar": UInt8(ascii: "_"), "grave": UInt8(ascii: "`"),
    "DiacriticalGrave": UInt8(ascii: "`"), "lcub": UInt8(ascii: "{"), "lbrace": UInt8(ascii: "{"),
    "verbar": UInt8(ascii: "|"), "vert": UInt8(ascii: "|"), "VerticalLine": UInt8(ascii: "|"),
    "rcub": UInt8(ascii: "}"), "rbrace": UInt8(ascii: "}"),
  ]

  private static func utf8(_ value: UInt32) -> [UInt8]? {
    Unicode.Scalar(value).map { Array(String(Character($0)).utf8) }
  }

  /// Returns the number with exactly `digits` digits at `start`, or `nil` if there is none.
  private static func number(_ bytes: [UInt8], _ start: Int, digits: Int, radix: Int = 16) -> UInt32? {
    guard start + digits <= bytes.count else { return nil }
    let text = bytes[start..<start + digits]
    guard text.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else { return nil }
    return UInt32(String(decoding: text, as: UTF8.self), radix: radix)
  }
}

extension WrittenForm {
  /// Returns the form with escapes decoded.
  ///
  /// - Parameter escape: Returns the bytes and the length of the escape at a place, or `nil` if there is none.
  fileprivate func replacing(_ escape: ([UInt8], Int) -> (bytes: [UInt8], count: Int)?) -> WrittenForm {
    var result = WrittenForm()
    var index = 0
    while index < bytes.count {
      if let (decoded, count) = escape(bytes, index) {
        let source = sources[index].lowerBound..<sources[index + count - 1].upperBound
        for byte in decoded { result.append(byte, from: source) }
        index += count
      } else {
        result.append(bytes[index], from: sources[index])
        index += 1
      }
    }
    return result
  }

  /// Returns the form with each run of Base64 or base64url decoded.
  ///
  /// - Parameter offset: The number of characters to skip in each run, since a run can begin within a group of four.
  fileprivate func decodingBase64(skipping offset: Int) -> WrittenForm {
    var result = WrittenForm()
    var index = 0
    while index < bytes.count {
      let end = bytes[index...].firstIndex { $0.base64Value == nil } ?? bytes.count
      // The shortest secret has four bytes, which are six characters.
      if end - index >= 6 { decodeRun(index + offset..<max(end, index + offset), to: &result) }
      if end < bytes.count { result.append(bytes[end], from: sources[end]) }
      index = end + 1
    }
    return result
  }

  /// Returns the form with each run of hexadecimal digits decoded.
  ///
  /// - Parameter offset: The number of digits to skip in each run.
  fileprivate func decodingHexadecimal(skipping offset: Int) -> WrittenForm {
    var result = WrittenForm()
    var index = 0
    while index < bytes.count {
      let end = bytes[index...].firstIndex { !$0.isHexadecimal } ?? bytes.count
      // The shortest secret has four bytes, which are eight digits.
      if end - index >= 8 {
        var next = index + offset
        while next + 1 < end {
          let digits = String(decoding: bytes[next...next + 1], as: UTF8.self)
          if let byte = UInt8(digits, radix: 16) {
            result.append(byte, from: sources[next].lowerBound..<sources[next + 1].upperBound)
          }
          next += 2
        }
      }
      if end < bytes.count { result.append(bytes[end], from: sources[end]) }
      index = end + 1
    }
    return result
  }

  private func decodeRun(_ run: Range<Int>, to result: inout WrittenForm) {
    var (bits, count): (UInt32, Int) = (0, 0)
    for index in run {
      bits = bits << 6 | UInt32(bytes[index].base64Value ?? 0)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      result.append(
        UInt8(truncatingIfNeeded: bits >> UInt32(count)),
        from: sources[index - 1].lowerBound..<sources[index].upperBound)
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
  fileprivate var isHexadecimal: Bool { isDigit || (0x61...0x66).contains(self | 0x20) }

  /// The value of a character of Base64 or base64url ([RFC 4648 § 4, § 5](https://www.rfc-editor.org/rfc/rfc4648.html#section-4)).
  fileprivate var base64Value: UInt8? {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): self - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): self - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
