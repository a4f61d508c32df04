// SPDX-License-Identifier: Apache-2.0

import BenchmarkHarness
import Foundation
import HTTPTransport

/// Payload encoding of forms, from a token request of 400 bytes to a value of 1 MiB.
enum PayloadRows {
  static var encoding: [Row] {
    Payload.all.flatMap { payload in
      let fields = payload.fields
      let pairs = fields.map { ($0.name, $0.value) }
      let items = fields.map { URLQueryItem(name: $0.name, value: $0.value) }
      lazy var expected = PayloadBaseline.plain(pairs)
      var buffer: [UInt8] = []
      let components = Contender("URLComponents", doesLess: "leaves `+ / : ?`") {
        PayloadBaseline.components(items).utf8.count
      }
      return [
        Row(
          "payload", payload.name, bytes: payload.size,
          ours: Contender(
            "to bytes", check: { difference(FormEncoding.form.encodedBytes(fields), expected) },
            {
              buffer.removeAll(keepingCapacity: true)
              FormEncoding.form.append(fields, to: &buffer)
              return buffer.count
            }),
          baselines: [
            components,
            Contender(
              "addingPercentEncoding",
              check: { difference(Array(PayloadBaseline.addingPercentEncoding(pairs).utf8), expected) },
              { PayloadBaseline.addingPercentEncoding(pairs).utf8.count }),
            Contender("tutorial", doesLess: "escapes nothing") { PayloadBaseline.tutorial(pairs).utf8.count },
          ]),
        Row(
          "payload", payload.name + ", to String", bytes: payload.size,
          ours: Contender(
            "to String", check: { difference(Array(FormEncoding.form.encode(fields).utf8), expected) },
            { FormEncoding.form.encode(fields).utf8.count }),
          baselines: [components]),
      ]
    }
  }

  static var decoding: [Row] {
    Payload.all.map { payload in
      let expected = payload.fields.map { [$0.name, $0.value] }
      let text = FormEncoding.form.encode(payload.fields)
      return Row(
        "payload decoding", payload.name, bytes: text.utf8.count,
        ours: Contender(
          "decode", check: { difference(FormEncoding.form.decode(text).map { [$0.name, $0.value] }, expected) },
          { FormEncoding.form.decode(text).count }),
        baselines: [
          Contender(
            "URLComponents", check: { difference(PayloadBaseline.decode(text), expected) },
            { PayloadBaseline.decode(text).count }),
          Contender(
            "removingPercentEncoding", check: { difference(PayloadBaseline.removingPercentEncoding(text), expected) },
            { PayloadBaseline.removingPercentEncoding(text).count }),
        ])
    }
  }

  private static func difference<Element: Equatable>(_ result: [Element], _ expected: [Element]) -> String? {
    if result == expected { return nil }
    let place = zip(result, expected).prefix { $0 == $1 }.count
    return "differs from the plain reading of the standard at \(place) of \(expected.count)"
  }
}

/// The forms W1 to W5, generated from a seed.
struct Payload {
  let name: String
  let fields: FormFields

  /// The number of bytes of the names and values, without separators.
  var size: Int { fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }

  static let all: [Payload] = {
    var numbers = SeededNumbers(seed: 2026)
    let scopes = ["calendar.readonly", "calendar.events", "userinfo.email", "userinfo.profile"]
    let request: FormFields = [
      "grant_type": "authorization_code",
      "code": "4/" + numbers.text(88, of: Alphabet.token),
      "redirect_uri": "http://127.0.0.1:49152/oauth2/callback",
      "client_id": numbers.text(45, of: Alphabet.token) + ".apps.googleusercontent.com",
      "client_secret": "GOCSPX-" + numbers.text(28, of: Alphabet.token),
      "code_verifier": numbers.text(86, of: Alphabet.token) + "~.",
    ]
    let authorization: FormFields = [
      "response_type": "code",
      "client_id": numbers.text(45, of: Alphabet.token) + ".apps.googleusercontent.com",
      "redirect_uri": "http://127.0.0.1:49152/oauth2/callback",
      "scope": scopes.map { "https://www.googleapis.com/auth/" + $0 }.joined(separator: " "),
      "state": numbers.text(43, of: Alphabet.token),
      "code_challenge": numbers.text(43, of: Alphabet.token),
      "code_challenge_method": "S256",
      "access_type": "offline",
      "prompt": "consent",
    ]
    var unicode = FormFields()
    let words = [
      "Reunión de planificación", "Cumpleaños de Íñigo", "会议室预订・三階", "誕生日パーティー", "🎉 Fiesta 🎂🥂", "Mañana a las 9",
      "¿Dónde? Aquí, señor", "東京・大阪",
    ]
    for index in 0..<40 { unicode.append("descripción[\(index)]", words[index % words.count]) }
    return [
      Payload(name: "W1 token request", fields: request),
      Payload(name: "W2 authorization URL", fields: authorization),
      Payload(name: "W3 40 pairs, Unicode", fields: unicode),
      Payload(name: "W4 1 MiB, 1 % escaped", fields: ["value": asciiText(1 << 20, &numbers)]),
      Payload(name: "W5 1 MiB, CJK", fields: ["value": cjkText(1 << 20, &numbers)]),
    ]
  }()

  /// Returns Chinese and Japanese text with an ASCII digit or space for every ninth character, as in a list of dates and rooms.
  private static func cjkText(_ length: Int, _ numbers: inout SeededNumbers) -> String {
    var text = ""
    while text.utf8.count < length {
      text += numbers.text(1, of: Int.random(in: 0..<9, using: &numbers) == 0 ? "0123456789 " : "日本語会議予定東京大阪名古屋")
    }
    return text
  }

  /// Returns text with about one escaped byte in a hundred.
  static func asciiText(_ length: Int, _ numbers: inout SeededNumbers) -> String {
    let characters = Array(Alphabet.token.utf8)
    return String(
      decoding: (0..<length).map { _ in
        Int.random(in: 0..<100, using: &numbers) == 0
          ? UInt8(ascii: "/") : characters[Int.random(in: 0..<characters.count, using: &numbers)]
      }, as: UTF8.self)
  }
}

/// The baselines from Swift and the tutorial.
enum PayloadBaseline {
  /// Encodes byte by byte, as the standard defines: the expected result of the others.
  static func plain(_ fields: [(String, String)]) -> [UInt8] {
    func escaped(_ text: String) -> [UInt8] {
      text.utf8.flatMap { (byte) -> [UInt8] in
        let character = Character(Unicode.Scalar(byte))
        if byte < 0x80, character.isLetter || character.isNumber || "*-._".contains(character) { return [byte] }
        return byte == 0x20 ? [UInt8(ascii: "+")] : Array(String(format: "%%%02X", Int(byte)).utf8)
      }
    }
    return Array(fields.map { escaped($0) + [UInt8(ascii: "=")] + escaped($1) }.joined(separator: [UInt8(ascii: "&")]))
  }

  /// Encodes with `URLComponents`, which leaves `+`, `/`, `:` and `?` unescaped.
  ///
  /// A form decoder reads the `+` as a space.
  static func components(_ items: [URLQueryItem]) -> String {
    var components = URLComponents()
    components.queryItems = items
    return components.percentEncodedQuery ?? ""
  }

  private static let allowed = CharacterSet(charactersIn: Alphabet.token + "*. ")

  static func addingPercentEncoding(_ fields: [(String, String)]) -> String {
    fields.map { escaped($0) + "=" + escaped($1) }.joined(separator: "&")
  }

  private static func escaped(_ text: String) -> String {
    (text.addingPercentEncoding(withAllowedCharacters: allowed) ?? "").replacingOccurrences(of: " ", with: "+")
  }

  /// Encodes like the tutorial, which appends each pair with a format and escapes nothing.
  static func tutorial(_ fields: [(String, String)]) -> String {
    var payload = ""
    for (name, value) in fields { payload.append(String(format: "%@=%@&", name, value)) }
    return payload
  }

  static func decode(_ text: String) -> [[String]] {
    var components = URLComponents()
    components.percentEncodedQuery = text.replacingOccurrences(of: "+", with: "%20")
    return (components.queryItems ?? []).map { [$0.name, $0.value ?? ""] }
  }

  static func removingPercentEncoding(_ text: String) -> [[String]] {
    text.split(separator: "&").map { pair in
      pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? ""
      }
    }
  }
}
