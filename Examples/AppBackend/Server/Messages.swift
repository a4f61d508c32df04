// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport

extension HTTPResponse {
  /// Returns a value as JSON that may not be cached.
  static func json(_ value: any Encodable, status: Int = 200) -> HTTPResponse {
    guard let body = try? JSONEncoder().encode(value) else { return HTTPResponse(status: 500) }
    return HTTPResponse(
      status: status, fields: ["Content-Type": "application/json", "Cache-Control": "no-store"], body: Array(body))
  }

  static func json(_ members: [String: JSONMember]) -> HTTPResponse { json(members as any Encodable) }

  /// Returns an OAuth error response (RFC 6749 § 5.2).
  static func failure(_ status: Int, _ error: String) -> HTTPResponse { json(["error": error], status: status) }

  /// The session does not exist or has ended (RFC 6750 § 3.1).
  static var signInRequired: HTTPResponse {
    var response = failure(401, "invalid_token")
    response.fields["WWW-Authenticate"] = #"Bearer error="invalid_token""#
    return response
  }
}

/// A member of a token response.
enum JSONMember: Encodable {
  case text(String)
  case number(Int)

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .number(let number): try container.encode(number)
    }
  }
}

extension HTTPRequest {
  var query: FormFields { FormEncoding.query.decode(url.query(percentEncoded: true) ?? "") }

  var form: FormFields { FormEncoding.form.decode(String(decoding: body ?? [], as: UTF8.self)) }

  func cookie(_ name: String) -> String? {
    let cookies = (fields["Cookie"] ?? "").split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
    return cookies.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
  }
}

extension FormFields {
  /// Returns the value of a parameter that occurs once (RFC 6749 § 3.1).
  func only(_ name: String) -> String? {
    let values = values(for: name)
    return values.count == 1 ? values[0] : nil
  }
}
