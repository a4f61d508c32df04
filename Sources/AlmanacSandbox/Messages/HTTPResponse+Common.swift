// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthJOSE
import PlatformFoundation
import Support

extension HTTPResponse {
  /// Returns a JSON response that must not be cached.
  static func json(_ json: JSONValue, status: Int = 200, fields: [(String, String)] = []) -> HTTPResponse {
    let type = [("Content-Type", "application/json; charset=utf-8"), ("Pragma", "no-cache")]
    return HTTPResponse(
      status: status, fields: HTTPFields(SecurityHeaders.common + type + fields), body: json.json())
  }

  /// Returns an error response of RFC 6749 § 5.2.
  static func oauthError(_ fault: OAuthFault) -> HTTPResponse {
    .json(
      ["error": .string(fault.error), "error_description": .string(fault.description)], status: fault.status,
      fields: fault.status == 401 ? [("WWW-Authenticate", #"Basic realm="sandbox", charset="UTF-8""#)] : [])
  }

  /// Returns a page without scripts and external resources, which cannot be framed and sends no referrer.
  ///
  /// - Parameter formTargets: The allowed origins or schemes of the form's target, including redirects.
  static func page(_ html: String, status: Int = 200, formTargets: [String] = []) -> HTTPResponse {
    let style = Data(MessageDigest.sha256(Stylesheet.css)).base64EncodedString()
    let formAction = formTargets.isEmpty ? "'none'" : formTargets.joined(separator: " ")
    return HTTPResponse(
      status: status,
      fields: HTTPFields(SecurityHeaders.page(allowing: ["style-src 'sha256-\(style)'", "form-action \(formAction)"])),
      body: Array(html.utf8))
  }

  /// Returns a redirect that the browser follows with GET
  /// ([RFC 9700 § 4.12](https://www.rfc-editor.org/rfc/rfc9700.html#section-4.12)).
  static func seeOther(_ url: String) -> HTTPResponse {
    HTTPResponse(status: 303, fields: HTTPFields(SecurityHeaders.common + [("Location", url)]))
  }

  /// Returns the error for an unsupported method, in the endpoint's error format.
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

/// The format of an endpoint's errors.
enum ErrorForm {
  /// A page.
  case page
  /// An error of RFC 6749 § 5.2.
  case oauth
  /// An error of the Meetup-like API.
  case meetup
}

extension JSONValue {
  /// Returns an object, without the members whose value is `nil`.
  static func object(of members: [String: JSONValue?]) -> JSONValue { .object(members.compactMapValues(\.self)) }

  /// Returns an integer.
  static func integer(_ value: Int64) -> JSONValue { .number(JSONNumber(value)) }
}
