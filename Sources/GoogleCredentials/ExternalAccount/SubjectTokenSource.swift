// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import TokenStore

/// Where the token of a workload comes from, which is exchanged for one of Google's.
protocol SubjectTokenSource: Sendable {
  /// Returns the token as it is now.
  ///
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/subjectTokenUnavailable``; `TransportError`;
  ///   `CancellationError`.
  func subjectToken() async throws -> Secret
}

/// The form in which a file or a URL holds the token.
enum SubjectTokenFormat: Sendable {
  /// The whole content.
  case text
  /// A member of a JSON object.
  case json(member: String)

  /// Reads the member `format` of a `credential_source`.
  init(_ source: CredentialDocument) throws {
    guard let format = try source.optionalObject("format") else {
      self = .text
      return
    }
    switch try format.optionalString("type") ?? "text" {
    case "text": self = .text
    case "json": self = .json(member: try format.string("subject_token_field_name"))
    default: throw format.error(.unsupported, "type", "is neither text nor json.")
    }
  }

  /// Returns the token in some content; `nil` if there is none.
  func token(in content: [UInt8]) -> Secret? {
    let text =
      switch self {
      case .text: String(validating: content, as: UTF8.self)
      case .json(let member): (try? JSONValue(json: content))?[member]?.string
      }
    // A file that was written by hand or by a shell ends with a line break, which is no part of any token.
    guard let token = text?.trimmed, !token.isEmpty else { return nil }
    return Secret(token)
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
