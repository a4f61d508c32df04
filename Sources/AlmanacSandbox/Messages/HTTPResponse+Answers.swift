// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthJOSE
import Support

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension HTTPResponse {
  /// A JSON document that nobody may keep.
  static func json(_ json: JSON, status: Int = 200, fields: [(String, String)] = []) -> HTTPResponse {
    let type = [("Content-Type", "application/json; charset=utf-8"), ("Pragma", "no-cache")]
    return HTTPResponse(
      status: status, fields: HTTPFields(SecurityHeaders.common + type + fields), body: json.bytes)
  }

  /// An error of RFC 6749 § 5.2.
  static func oauthError(_ fault: OAuthFault) -> HTTPResponse {
    .json(
      ["error": .string(fault.error), "error_description": .string(fault.description)], status: fault.status,
      fields: fault.status == 401 ? [("WWW-Authenticate", #"Basic realm="sandbox", charset="UTF-8""#)] : [])
  }

  /// A page that loads nothing, runs nothing, cannot be framed and tells nobody where the person came from.
  ///
  /// - Parameter formTargets: The origins or schemes that the page's form may end up at, through a redirect.
  static func page(_ html: String, status: Int = 200, formTargets: [String] = []) -> HTTPResponse {
    let style = Data(MessageDigest.sha256(Stylesheet.css)).base64EncodedString()
    let formAction = formTargets.isEmpty ? "'none'" : formTargets.joined(separator: " ")
    return HTTPResponse(
      status: status,
      fields: HTTPFields(SecurityHeaders.page(allowing: ["style-src 'sha256-\(style)'", "form-action \(formAction)"])),
      body: Array(html.utf8))
  }

  /// Sends the browser on with GET ([RFC 9700 § 4.12](https://www.rfc-editor.org/rfc/rfc9700.html#section-4.12)).
  static func seeOther(_ address: String) -> HTTPResponse {
    HTTPResponse(status: 303, fields: HTTPFields(SecurityHeaders.common + [("Location", address)]))
  }

  static func methodNotAllowed(_ methods: [HTTPMethod]) -> HTTPResponse {
    HTTPResponse(
      status: 405,
      fields: [
        "Allow": methods.map(\.rawValue).joined(separator: ", "), "Cache-Control": "no-store",
        "Content-Type": "text/plain; charset=utf-8",
      ], body: Array("This address does not take this method.\n".utf8))
  }
}
