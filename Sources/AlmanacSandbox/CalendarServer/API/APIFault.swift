// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding

/// An error in the form of Google's APIs.
struct APIFault: Error {
  let status: Int
  let reason: String
  let message: String
  var domain = "global"
  /// The invalid parameter or field.
  var location: (type: String, name: String)?
  /// The challenge of a response with status 401 or 403.
  var challenge: String?
  /// The supported methods, for a response with status 405.
  var allowed: [HTTPMethod] = []

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
      case 409: "ALREADY_EXISTS"
      case 412: "FAILED_PRECONDITION"
      case 429: "RESOURCE_EXHAUSTED"
      case 500: "INTERNAL"
      case 503: "UNAVAILABLE"
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

extension APIFault {
  static let notFound = APIFault(status: 404, reason: "notFound", message: "Not Found")
  static let parseError = APIFault(status: 400, reason: "parseError", message: "Parse Error")
  static let duplicate = APIFault(
    status: 409, reason: "duplicate", message: "The requested identifier already exists.")
  static let deleted = APIFault(status: 410, reason: "deleted", message: "Resource has been deleted")
  static let conditionNotMet = APIFault(
    status: 412, reason: "conditionNotMet", message: "Precondition Failed", location: ("header", "If-Match"))
  static let fullSyncRequired = APIFault(
    status: 410, reason: "fullSyncRequired", message: "Sync token is no longer valid, a full sync is required.",
    domain: "calendar", location: ("parameter", "syncToken"))
  static let timeRangeEmpty = APIFault(
    status: 400, reason: "timeRangeEmpty", message: "The specified time range is empty.", domain: "calendar")
  static let forbiddenForNonOrganizer = APIFault(
    status: 403, reason: "forbiddenForNonOrganizer",
    message: "Shared properties can only be changed by the organizer of the event.", domain: "calendar")

  static func invalidParameter(_ name: String, _ message: String, reason: String = "invalidParameter") -> APIFault {
    APIFault(status: 400, reason: reason, message: message, location: ("parameter", name))
  }

  static func invalid(_ message: String) -> APIFault { APIFault(status: 400, reason: "invalid", message: message) }
  static func required(_ message: String) -> APIFault { APIFault(status: 400, reason: "required", message: message) }
  static func forbidden(_ message: String, reason: String = "forbidden", domain: String = "calendar") -> APIFault {
    APIFault(status: 403, reason: reason, message: message, domain: domain)
  }

  static func requiredAccessLevel(_ role: AccessRole) -> APIFault {
    .forbidden("You need to have \(role.rawValue) access to this calendar.", reason: "requiredAccessLevel")
  }
}
