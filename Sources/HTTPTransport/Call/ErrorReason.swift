// SPDX-License-Identifier: Apache-2.0

import PlatformFoundation

/// The reason in the JSON of an error response, in the forms of OAuth (RFC 6749 § 5.2), Google, Microsoft Graph and others.
struct ErrorReason {
  /// The reason: a single word, such as `invalid_grant`, `rateLimitExceeded` or `PERMISSION_DENIED`.
  let word: String

  /// Reads the reason, or returns `nil` if there is none that a message may contain.
  ///
  /// A server may respond with any text, such as a received token. A reason therefore consists of 2 to 40 letters,
  /// underscores, hyphens and periods, and is not part of the request.
  init?(_ response: HTTPResponse, to request: HTTPRequest) {
    guard response.body.count <= 65_536, let body = try? JSONDecoder().decode(Body.self, from: Data(response.body)),
      let word = body.words.first(where: { Self.isWord($0) && !request.contains($0) })
    else { return nil }
    self.word = word
  }

  private static func isWord(_ text: String) -> Bool {
    (2...40).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) || "_-.".utf8.contains($0)
      }
  }

  /// The possible members for a reason, in the order of preference.
  private struct Body: Decodable {
    var words: [String] = []

    private enum CodingKeys: String, CodingKey { case error, errors, reason, code, status }

    init(from decoder: any Decoder) throws {
      guard let members = try? decoder.container(keyedBy: CodingKeys.self) else { return }
      for key in [CodingKeys.error, .errors] {
        words += (try? members.decode(Body.self, forKey: key))?.words ?? []
        words += (try? members.decode([Body].self, forKey: key))?.first?.words ?? []
      }
      for key in [CodingKeys.error, .reason, .code, .status] {
        if let word = try? members.decode(String.self, forKey: key) { words.append(word) }
      }
    }
  }
}

extension HTTPRequest {
  /// Whether the URL, a field or the body contains a text.
  fileprivate func contains(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return url.absoluteString.contains(text) || fields.contains { $0.value.contains(text) }
      || (body ?? []).contains(bytes)
  }
}
