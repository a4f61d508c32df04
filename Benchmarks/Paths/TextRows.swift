// SPDX-License-Identifier: Apache-2.0

import BenchmarkHarness
import Foundation
import HTTPTransport
import OAuthCore
import OAuthJOSE
import Timekeeping

/// Texts that come with every token, request or response, taken apart.
enum TextRows {
  static let path = "text"

  static var rows: [Row] { [compactJWS, scopes, date] }

  /// A token of the size of Google's ID tokens, signed by RS256: 1,100 characters.
  private static var compactJWS: Row {
    let payload = [UInt8](repeating: UInt8(ascii: "a"), count: 480)
    let header = #"{"alg":"RS256","kid":"b5e44c1e2d3a4f5b6c7d8e9fa0b1c2d3e4f50617","typ":"JWT"}"#
    let text = [Array(header.utf8), payload, [UInt8](repeating: 0x5A, count: 256)].map(Base64URL.encode)
      .joined(separator: ".")
    return Row(
      path, "compact JWS", bytes: text.utf8.count,
      ours: Contender(
        "JWS(compact:)", check: { (try? JWS(compact: text))?.header.algorithm == .rs256 ? nil : "is read wrongly" },
        { ((try? JWS(compact: text))?.header.keyID ?? "").utf8.count }),
      baselines: [
        Contender("split, Data, JSONSerialization", doesLess: "no repeated names") {
          let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { part in
            let padded = part.replacing("-", with: "+").replacing("_", with: "/")
            return Data(base64Encoded: padded + String(repeating: "=", count: (4 - padded.utf8.count % 4) % 4))
          }
          let header = parts[0].flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]
          return (header?["kid"] as? String ?? "").utf8.count + (parts[1]?.count ?? 0) + (parts[2]?.count ?? 0)
        },
        Contender("split by characters alone", doesLess: "no decoding") {
          text.split(separator: ".", omittingEmptySubsequences: false).count
        },
      ])
  }

  /// `acr_values` is read as `scope` is: a list with spaces between its members.
  private static var scopes: Row {
    let names = ["calendar", "calendar.readonly", "calendar.events", "userinfo.email", "userinfo.profile"]
      .map { "https://www.googleapis.com/auth/\($0)" }
    let text = names.joined(separator: " ")
    var parameters = AuthorizationParameters(prompt: [])
    parameters["acr_values"] = text
    let ours = parameters
    return Row(
      path, "a scope of five", bytes: text.utf8.count / names.count,
      ours: Contender(
        "acrValues", items: names.count, check: { ours.acrValues == names ? nil : "are \(ours.acrValues)" },
        { ours.acrValues.reduce(0) { $0 &+ $1.utf8.count } }),
      baselines: [
        Contender("split by characters", items: names.count) {
          text.split(separator: " ").map(String.init).reduce(0) { $0 &+ $1.utf8.count }
        },
        Contender("components(separatedBy:)", items: names.count) {
          text.components(separatedBy: " ").reduce(0) { $0 &+ $1.utf8.count }
        },
      ])
  }

  private static var date: Row {
    let text = "Mon, 23 Nov 2026 08:49:37 GMT"
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    let expected = Int64(formatter.date(from: text)?.timeIntervalSince1970 ?? 0)
    let ours = { HTTPDate.parse(text)?.secondsSince1970 ?? 0 }
    return Row(
      path, "Date of a response", bytes: text.utf8.count,
      ours: Contender("HTTPDate", check: { ours() == expected ? nil : "is \(ours())" }, { Int(ours()) }),
      baselines: [
        Contender("DateFormatter") { Int(formatter.date(from: text)?.timeIntervalSince1970 ?? 0) }
      ])
  }
}
