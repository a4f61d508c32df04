// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding

/// Responses in which every text contains characters that control a terminal.
///
/// Values that are decoded, such as URLs and times, stay valid.
enum HostileServer {
  /// A text that clears the screen, sets the title, colours and reverses text, returns to the start of the line, and adds a line.
  static let text = "\u{1B}[2J\u{1B}]0;title\u{07}\u{9B}31m\u{202E}\u{2066}\u{2028}\u{7F}\rForged\nForged\u{8}"

  /// The part of ``text`` that a device's user code can contain: no control characters.
  private static let code = "\u{202E}\u{2066}\u{2028}"

  /// The members that are not decoded as text.
  private static let exempt: Set = [
    "access_token", "authorization_servers", "backgroundColor", "client_id", "date", "dateTime", "device_code", "end",
    "etag", "foregroundColor", "iss", "issuer", "nextPageToken", "refresh_token", "resource", "start", "sub",
    "timeZone", "token_endpoint_auth_method", "token_type",
  ]

  /// Returns a transport that makes the texts of a server's JSON hostile.
  ///
  /// - Parameters:
  ///   - base: The server.
  ///   - spares: Returns whether the response to a path is unchanged.
  static func transport(
    over base: any Transport, sparing spares: @escaping @Sendable (_ path: String) -> Bool = { _ in false }
  ) -> any Transport {
    StubTransport { request in
      var response = try await base.send(request)
      guard !spares(request.url.path(percentEncoded: true)), let json = try? JSONValue(json: response.body) else {
        return response
      }
      response.body = hostile(json).json()
      return response
    }
  }

  private static func hostile(_ json: JSONValue, in member: String = "") -> JSONValue {
    switch json {
    case .string(let string):
      exempt.contains(member) || member.hasSuffix("_endpoint") || member.hasSuffix("_uri")
        || member.hasSuffix("_supported") || string.hasPrefix("Europe/")
        // A calendar's identifier, which is part of later URLs.
        || (member == "id" && string.contains("@"))
        ? json : .string(string + (member == "user_code" ? code : text))
    case .array(let elements): .array(elements.map { hostile($0, in: member) })
    case .object(let members):
      .object(Dictionary(uniqueKeysWithValues: members.map { ($0.key, hostile($0.value, in: $0.key)) }))
    default: json
    }
  }
}
