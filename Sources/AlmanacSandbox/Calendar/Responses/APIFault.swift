// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding

/// An error as Google's APIs give it.
struct APIFault: Error {
  let status: Int
  let reason: String
  let message: String
  var domain = "global"
  /// The parameter or field at fault.
  var location: (type: String, name: String)?
  /// The challenge that goes with 401 and 403.
  var challenge: String?
  /// The methods that are supported, which go with 405.
  var allowed: [HTTPMethod] = []

  static func invalidParameter(_ name: String, _ message: String, reason: String = "invalidParameter") -> APIFault {
    APIFault(status: 400, reason: reason, message: message, location: ("parameter", name))
  }

  static let notFound = APIFault(status: 404, reason: "notFound", message: "Not Found")

  private var fields: [(String, String)] {
    var fields: [(String, String)] = []
    if let challenge { fields.append(("WWW-Authenticate", challenge)) }
    if !allowed.isEmpty { fields.append(("Allow", allowed.map(\.rawValue).joined(separator: ", "))) }
    return fields
  }

  var response: HTTPResponse {
    let item: JSONValue = .object(of: [
      "domain": .string(domain), "reason": .string(reason), "message": .string(message),
      "locationType": location.map { .string($0.type) }, "location": location.map { .string($0.name) },
    ])
    let statusName: JSONValue? =
      switch status {
      case 400: "INVALID_ARGUMENT"
      case 401: "UNAUTHENTICATED"
      case 403: "PERMISSION_DENIED"
      case 404: "NOT_FOUND"
      case 412: "FAILED_PRECONDITION"
      default: nil
      }
    return .json(
      [
        "error": .object(of: [
          "code": .integer(Int64(status)), "message": .string(message), "errors": [item], "status": statusName,
        ])
      ], status: status, fields: fields)
  }
}
