// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthJOSE
import Support

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension HTTPResponse {
  /// A JSON document that must not be cached.
  static func json(_ json: JSONValue, status: Int = 200, fields: [(String, String)] = []) -> HTTPResponse {
    let type = [("Content-Type", "application/json; charset=utf-8"), ("Pragma", "no-cache")]
    return HTTPResponse(
      status: status, fields: HTTPFields(SecurityHeaders.common + type + fields), body: json.json())
  }

  /// An error of RFC 6749 § 5.2.
  static func oauthError(_ fault: OAuthFault) -> HTTPResponse {
    .json(
      ["error": .string(fault.error), "error_description": .string(fault.description)], status: fault.status,
      fields: fault.status == 401 ? [("WWW-Authenticate", #"Basic realm="sandbox", charset="UTF-8""#)] : [])
  }

  /// A page that loads nothing, runs nothing, cannot be framed and sends no referrer.
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

  /// The refusal of a method, in the form of the other errors at the same URL.
  static func methodNotAllowed(_ methods: [HTTPMethod], as form: ErrorForm) -> HTTPResponse {
    let allowed = methods.map(\.rawValue).joined(separator: ", ")
    let message = "The method is not supported here. Supported: \(allowed)."
    var response: HTTPResponse =
      switch form {
      case .page: .page(MessagePage(title: "Method not supported", message: message).html, status: 405)
      case .oauth: .json(["error": "invalid_request", "error_description": .string(message)], status: 405)
      case .meetup: .json(["code": "method_not_allowed", "problem": .string(message)], status: 405)
      }
    // RFC 9110 § 15.5.6.
    response.fields["Allow"] = allowed
    return response
  }
}

/// The form of the errors at a URL.
enum ErrorForm {
  /// A page.
  case page
  /// An error of RFC 6749 § 5.2.
  case oauth
  /// An error of the Meetup-like API.
  case meetup
}

extension JSONValue {
  /// An object without the members that have no value.
  static func object(of members: [String: JSONValue?]) -> JSONValue { .object(members.compactMapValues(\.self)) }

  /// A whole number.
  static func integer(_ value: Int64) -> JSONValue { .number(JSONNumber(value)) }
}
