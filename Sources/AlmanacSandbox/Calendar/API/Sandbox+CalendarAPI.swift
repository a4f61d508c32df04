// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import Synchronization
import Timekeeping

extension Sandbox {
  /// Responds for the Calendar API, once what the request has changed is on the disk.
  ///
  /// - Parameter path: The path below `/calendar/v3/`.
  func calendarResponse(to request: HTTPRequest, path: Substring) async -> HTTPResponse {
    var isAppended = false
    let response = await calendarResponse(to: request, path: path, isInBatch: false, isAppended: &isAppended)
    do throws(APIFault) { if isAppended { try await journal?.synchronize() } } catch { return error.response }
    return response
  }

  /// Responds for the Calendar API, maybe before the change is on the disk.
  ///
  /// - Parameters:
  ///   - path: The path below `/calendar/v3/`.
  ///   - isInBatch: Whether the request came in a batch.
  ///   - isAppended: Set to `true` if the journal has to be synchronized before the response is sent.
  func calendarResponse(
    to request: HTTPRequest, path: Substring, isInBatch: Bool, isAppended: inout Bool
  ) async -> HTTPResponse {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map {
      FormEncoding.query.decodeComponent(Array($0.utf8).span)
    }
    let routes = MethodRouter.routes(segments)
    count(routes.first?.method.endpoint ?? .other)
    do throws(APIFault) {
      // Clients put the parameters of a reading call into the body when the URL would be too long.
      let override = request.method == .post ? request.fields["X-HTTP-Method-Override"] : nil
      let method = override.map { HTTPMethod(rawValue: $0) } ?? request.method
      let grant = routes.isEmpty ? try authorizedGrant(request) : nil
      guard !routes.isEmpty else {
        if grant != nil { throw .notFound }
        return APIFault.notFound.response
      }
      guard let route = routes.first(where: { $0.method.method == method }) else {
        throw APIFault(
          status: 405, reason: "httpMethodNotAllowed", message: "The method is not supported here.",
          allowed: MethodRouter.allowed(routes))
      }
      let isForm = override != nil && method == .get
      guard let raw = isForm ? request.form : request.queryParameters else {
        throw APIFault(status: 400, reason: "badRequest", message: "The body is not a form.")
      }
      var call = try call(route, raw, request)
      call.isInBatch = isInBatch
      record(.apiCalled, client: call.clientID, String(path))
      return try await response(to: call, request, &isAppended)
    } catch {
      return error.response
    }
  }

  /// Checks a request as far as that needs no calendar.
  private func call(
    _ route: MethodRouter.Route, _ raw: Parameters, _ request: HTTPRequest
  ) throws(APIFault) -> CalendarCall {
    let method = route.method
    let parameters = try CallParameters(raw, of: method)
    let grant = try authorizedGrant(request)
    let scopes = try acceptedScopes(of: grant, method, request)
    var body: [String: JSONValue] = [:]
    if let schema = method.request {
      guard let fields = request.jsonObject else { throw .parseError }
      body = try ResourceSchema.all[schema]?.writable(fields) ?? fields
    }
    return CalendarCall(
      method: method, path: route.path, parameters: parameters, body: body, ifMatch: request.fields["If-Match"],
      user: grant.user ?? configuration.user.email, clientID: grant.clientID, scopes: scopes, now: clock.now,
      origin: issuer(for: request.url))
  }

  private func response(
    to call: CalendarCall, _ request: HTTPRequest, _ isAppended: inout Bool
  ) async throws(APIFault) -> HTTPResponse {
    if let quota = configuration.quota {
      let counted = callCounter.withLock { counter in
        Result { () throws(APIFault) in try counter.count(call, quota) }
      }
      try counted.get()
    }
    guard let fault = faults.withLock({ $0.next(for: call.method.id.rawValue) }) else {
      return try perform(call, request, &isAppended)
    }
    if let delay = fault.delay { try? await clock.sleep(until: clock.now + delay) }
    guard fault.status != 200 else { return try perform(call, request, &isAppended) }
    if fault.isCarriedOut { _ = try perform(call, request, &isAppended) }
    throw fault.apiFault
  }

  private func perform(
    _ call: CalendarCall, _ request: HTTPRequest, _ isAppended: inout Bool
  ) throws(APIFault) -> HTTPResponse {
    let schema = call.method.response.flatMap { ResourceSchema.all[$0] }
    let selection: FieldSelection? =
      if let fields = call.parameters["fields"] {
        try FieldSelection(fields, of: schema)
      } else {
        nil
      }
    let result = calendarStore.withLock { store in
      let result = Result { () throws(APIFault) in
        let outcome = try store.perform(call)
        let records = store.takeRecords()
        return (outcome, try journal?.append(records, of: store) ?? false)
      }
      // Here, so that they are in the order of the changes.
      courier?.deliver(store.channels.takeOutbox(), after: journal)
      return result
    }
    let (outcome, isChange) = try result.get()
    if isChange { isAppended = true }
    guard case .resource(let resource) = outcome else {
      return HTTPResponse(status: 204, fields: ["Cache-Control": "no-store"])
    }
    let etag = resource["etag"]?.string
    if let etag, call.method.method == .get, let known = request.fields["If-None-Match"],
      known == etag || known == "*" || known == "W/\(etag)"
    {
      return HTTPResponse(status: 304, fields: ["ETag": etag, "Cache-Control": "no-store"])
    }
    let document = JSONValue.object(resource)
    return .json(selection?.apply(to: document) ?? document, fields: etag.map { [("ETag", $0)] } ?? [])
  }
}

extension Sandbox {
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

  /// The scopes of a grant that a method accepts, without Google's prefix: one at least.
  private func acceptedScopes(
    of grant: GrantStore.Grant, _ method: CalendarMethod, _ request: HTTPRequest
  ) throws(APIFault) -> Set<String> {
    let granted = grant.scopes.lazy.filter { $0.hasPrefix(Scope.google) }.map {
      String($0.dropFirst(Scope.google.count))
    }
    let accepted = Set(granted).intersection(method.scopes)
    guard !accepted.isEmpty else {
      record(.apiRefused, client: grant.clientID, "insufficient_scope")
      let names = method.scopes.map { Scope.google + $0 }.joined(separator: " ")
      throw APIFault(
        status: 403, reason: "insufficientPermissions", message: "Request had insufficient authentication scopes.",
        challenge: challenge(for: request, error: "insufficient_scope", scope: names))
    }
    return accepted
  }
}

extension HTTPRequest {
  /// The body as a JSON object; `nil` if it is something else.
  fileprivate var jsonObject: [String: JSONValue]? {
    guard fields["Content-Type"]?.split(separator: ";").first?.lowercasedASCII == "application/json" else { return nil }
    return (try? JSONValue(json: body ?? []))?.object
  }
}
