// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthJOSE

extension Sandbox {
  /// A call of the Calendar API that is known here.
  private enum Call {
    case calendarList
    case calendarListEntry(String)
    case calendars
    case calendar(String)
    case colors
    case events(String)
    case event(String, String)

    init?(_ segments: [String]) {
      switch segments.count {
      case 1 where segments == ["colors"]: self = .colors
      case 1 where segments == ["calendars"]: self = .calendars
      case 2 where segments[0] == "calendars": self = .calendar(segments[1])
      case 3 where segments == ["users", "me", "calendarList"]: self = .calendarList
      case 4 where segments.starts(with: ["users", "me", "calendarList"]): self = .calendarListEntry(segments[3])
      case 3 where segments[0] == "calendars" && segments[2] == "events": self = .events(segments[1])
      case 4 where segments[0] == "calendars" && segments[2] == "events": self = .event(segments[1], segments[3])
      default: return nil
      }
    }

    var endpoint: Endpoint {
      switch self {
      case .calendarList, .calendarListEntry: .calendarList
      case .calendars, .calendar: .calendars
      case .colors: .colors
      case .events, .event: .events
      }
    }

    var methods: [HTTPMethod] {
      switch self {
      case .calendars: [.post]
      case .calendar: [.get, .put, .patch, .delete]
      default: [.get]
      }
    }

    /// The scopes of which one is needed, without Google's prefix.
    func scopes(for method: HTTPMethod) -> [String] {
      switch self {
      case .calendar where method == .get:
        ["calendar", "calendar.readonly", "calendar.calendars", "calendar.calendars.readonly"]
      case .calendars, .calendar: ["calendar", "calendar.calendars"]
      case .calendarList, .calendarListEntry:
        ["calendar", "calendar.readonly", "calendar.calendarlist", "calendar.calendarlist.readonly"]
      case .colors:
        [
          "calendar", "calendar.readonly", "calendar.calendarlist", "calendar.calendarlist.readonly",
          "calendar.events.owned", "calendar.events.owned.readonly", "calendar.events.public.readonly",
          "calendar.events.freebusy", "calendar.app.created",
        ]
      case .events, .event: ["calendar", "calendar.readonly", "calendar.events", "calendar.events.readonly"]
      }
    }
  }

  /// Responds for the Calendar API: what it reads, and the four verbs on calendars themselves.
  func calendarResponse(to request: HTTPRequest, path: Substring) -> HTTPResponse {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map {
      FormEncoding.query.decodeComponent(Array($0.utf8).span)
    }
    let call = Call(segments)
    count(call?.endpoint ?? .other)
    do throws(APIFault) {
      // Clients put the parameters of a reading call into the content when the URL would be too long.
      let isOverridden = request.method == .post && request.fields["X-HTTP-Method-Override"] == "GET"
      let method = isOverridden ? .get : request.method
      let methods = call?.methods ?? [.get]
      guard methods.contains(method) else {
        throw APIFault(
          status: 405, reason: "httpMethodNotAllowed", message: "The method is not supported here.", allowed: methods)
      }
      let parameters = try parameters(isOverridden ? request.form : request.queryParameters)
      let grant = try authorizedGrant(request)
      guard let call else { throw .notFound }
      try requireScope(call.scopes(for: method), of: grant)
      record(.apiCalled, client: grant.clientID, String(path))
      guard let document = try document(for: call, request, method, parameters, fingerprint: String(path)) else {
        return HTTPResponse(status: 204, fields: ["Cache-Control": "no-store"])
      }
      let etag = document.etag
      if let etag, method == .get, request.fields["If-None-Match"] == etag {
        return HTTPResponse(status: 304, fields: ["ETag": etag, "Cache-Control": "no-store"])
      }
      return .json(document, fields: etag.map { [("ETag", $0)] } ?? [])
    } catch {
      return error.response
    }
  }

  /// - Returns: The body of the response; `nil` for none.
  private func document(
    for call: Call, _ request: HTTPRequest, _ method: HTTPMethod, _ parameters: Parameters, fingerprint path: String
  ) throws(APIFault) -> JSONValue? {
    switch call {
    case .calendars: return try insertCalendar(request)
    case .calendar(let id) where method == .delete:
      try deleteCalendar(id, request)
      return nil
    case .calendar(let id) where method != .get:
      return try changeCalendar(id, request, replacing: method == .put)
    case .calendar(let id): return try calendar(id).resource
    case .colors: return CalendarColors.json
    case .calendarList: return try calendarList(parameters, fingerprint: path)
    case .calendarListEntry(let id): return try calendar(id).json
    case .events(let id): return try events(of: calendar(id), parameters, fingerprint: path)
    case .event(let id, let eventID): return try event(eventID, of: calendar(id), parameters)
    }
  }

  private func calendar(_ id: String) throws(APIFault) -> SampleCalendar {
    guard let calendar = library.calendar(id), !calendar.isDeleted else { throw .notFound }
    return calendar
  }

  private func parameters(_ parameters: Parameters?) throws(APIFault) -> Parameters {
    guard let parameters else {
      throw APIFault(status: 400, reason: "badRequest", message: "The content is not a form.")
    }
    let mayRepeat: Set<String> = ["eventTypes", "privateExtendedProperty", "sharedExtendedProperty"]
    if let name = parameters.repeated.subtracting(mayRepeat).sorted().first {
      throw .invalidParameter(name, "A parameter is repeated.")
    }
    guard parameters["alt"] ?? "json" == "json" else { throw .invalidParameter("alt", "Only alt=json is supported.") }
    return parameters
  }

  private func authorizedGrant(_ request: HTTPRequest) throws(APIFault) -> GrantStore.Grant {
    switch bearer(of: request) {
    case .grant(let grant): return grant
    case .refused(let challenge, let error):
      throw APIFault(
        status: error == "invalid_request" ? 400 : 401,
        reason: error == nil ? "required" : (error == "invalid_request" ? "invalid" : "authError"),
        message: error == nil
          ? "Login Required."
          : (error == "invalid_request"
            ? "The access token belongs into the Authorization field, once." : "Invalid Credentials"),
        location: ("header", "Authorization"), challenge: challenge)
    }
  }

  private func requireScope(_ names: [String], of grant: GrantStore.Grant) throws(APIFault) {
    let accepted = names.map { Scope.google + $0 }
    guard grant.scopes.contains(where: accepted.contains) else {
      record(.apiRefused, client: grant.clientID, "insufficient_scope")
      throw APIFault(
        status: 403, reason: "insufficientPermissions",
        message: "Request had insufficient authentication scopes.",
        challenge: #"Bearer realm="sandbox", error="insufficient_scope", scope="\#(accepted.joined(separator: " "))""#)
    }
  }
}

extension JSONValue {
  /// The entity tag that a resource carries within.
  fileprivate var etag: String? {
    guard case .object(let members) = self, case .string(let etag) = members["etag"] else { return nil }
    return etag
  }

  /// An entity tag for a collection: the digest of its items.
  static func etag(of items: [JSONValue]) -> JSONValue {
    .string("\"\(Base64URL.encode(Array(MessageDigest.sha256(JSONValue.array(items).json()).prefix(12))))\"")
  }
}
