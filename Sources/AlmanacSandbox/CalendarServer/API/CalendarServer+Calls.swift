// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthScope
import Synchronization
import Timekeeping

extension CalendarServer {
  /// Returns the response to a request, after its changes are on disk.
  ///
  /// - Parameter path: The path below `/calendar/v3/`.
  func respond(to request: HTTPRequest, path: Substring) async -> HTTPResponse {
    let reply = await reply(to: request, path: path, isInBatch: false)
    return await durable(reply.response, isChange: reply.isChange)
  }

  /// Returns a response after all changes so far are on disk.
  ///
  /// Returns an error response if writing them fails.
  func durable(_ response: HTTPResponse, isChange: Bool) async -> HTTPResponse {
    do throws(APIFault) {
      if isChange { try await journal?.synchronize() }
      return response
    } catch {
      return error.response
    }
  }

  /// Routes a request to its method and calls it.
  ///
  /// Does not wait for the disk.
  func reply(to request: HTTPRequest, path: Substring, isInBatch: Bool) async -> CalendarReply {
    let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
      FormEncoding.query.decodeComponent(Array($0).span)
    }
    let routes = MethodRouter.routes(segments)
    log.count(routes.first?.method.endpoint ?? .other)
    do throws(APIFault) {
      // Clients send the parameters of a read in the body if the URL would be too long.
      let override = request.method == .post ? request.fields["X-HTTP-Method-Override"] : nil
      let method = override.map { HTTPMethod(rawValue: $0) } ?? request.method
      let grant = routes.isEmpty ? try authorizedGrant(request) : nil
      guard !routes.isEmpty else {
        if grant != nil { throw .notFound }
        return CalendarReply(APIFault.notFound.response)
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
      log.record(.apiCalled, client: call.clientID, String(path))
      return try await reply(to: call, request)
    } catch {
      return CalendarReply(error.response)
    }
  }

  /// Performs the checks that need no calendar.
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
      origin: configuration.issuer ?? request.origin?.description ?? "")
  }

  private func reply(to call: CalendarCall, _ request: HTTPRequest) async throws(APIFault) -> CalendarReply {
    if let quota = configuration.quota {
      let counted = callCounter.withLock { counter in
        Result { () throws(APIFault) in try counter.count(call, quota) }
      }
      try counted.get()
    }
    guard let fault = faults.withLock({ $0.next(for: call.method.id.rawValue) }) else {
      return try perform(call, request)
    }
    if let delay = fault.delay { try? await clock.sleep(for: delay) }
    guard fault.status != 200 else { return try perform(call, request) }
    guard fault.isCarriedOut else { throw fault.apiFault }
    return CalendarReply(fault.apiFault.response, isChange: try perform(call, request).isChange)
  }

  private func perform(_ call: CalendarCall, _ request: HTTPRequest) throws(APIFault) -> CalendarReply {
    let schema = call.method.response.flatMap { ResourceSchema.all[$0] }
    let selection: FieldSelection? =
      if let fields = call.parameters["fields"] {
        try FieldSelection(fields, of: schema)
      } else {
        nil
      }
    let result = store.withLock { store in
      let result = Result { () throws(APIFault) in
        let outcome = try store.perform(call)
        let records = store.takeRecords()
        return (outcome, try journal?.append(records, of: store) ?? false)
      }
      // The store's lock is held. Notifications therefore have the order of the changes.
      courier?.deliver(store.channels.takeOutbox(), after: journal)
      return result
    }
    let (outcome, isChange) = try result.get()
    guard case .resource(let resource) = outcome else {
      return CalendarReply(HTTPResponse(status: 204, fields: ["Cache-Control": "no-store"]), isChange: isChange)
    }
    let etag = resource["etag"]?.string
    if let etag, call.method.method == .get, let known = request.fields["If-None-Match"],
      known == etag || known == "*" || known == "W/\(etag)"
    {
      return CalendarReply(
        HTTPResponse(status: 304, fields: ["ETag": etag, "Cache-Control": "no-store"]), isChange: isChange)
    }
    let document = JSONValue.object(resource)
    return CalendarReply(
      .json(selection?.apply(to: document) ?? document, fields: etag.map { [("ETag", $0)] } ?? []), isChange: isChange)
  }
}

extension CalendarServer {
  private func authorizedGrant(_ request: HTTPRequest) throws(APIFault) -> GrantStore.Grant {
    switch authorization.bearer(of: request) {
    case .grant(let grant): return grant
    case .refused(let challenge, let error):
      throw APIFault(
        status: error == "invalid_request" ? 400 : 401,
        reason: error == nil ? "required" : (error == "invalid_request" ? "invalid" : "authError"),
        message: error == nil
          ? "Login Required."
          : (error == "invalid_request"
            ? "Send the access token once, in the Authorization field." : "Invalid Credentials"),
        location: ("header", "Authorization"), challenge: challenge)
    }
  }

  /// Returns the scopes of a grant accepted by a method, without Google's prefix.
  ///
  /// Throws if there is none.
  private func acceptedScopes(
    of grant: GrantStore.Grant, _ method: CalendarMethod, _ request: HTTPRequest
  ) throws(APIFault) -> Set<String> {
    let prefix = Sandbox.OfferedScope.google.utf8
    let granted = grant.scopes.lazy.map(\.rawValue.utf8).filter { $0.starts(with: prefix) }.map {
      Substring($0.dropFirst(prefix.count))
    }
    let accepted = Set(granted.filter { method.scopes.contains(String($0)) }.map(String.init))
    guard !accepted.isEmpty else {
      log.record(.apiRefused, client: grant.clientID, "insufficient_scope")
      let names = method.scopes.map { Sandbox.OfferedScope.google + $0 }.joined(separator: " ")
      throw APIFault(
        status: 403, reason: "insufficientPermissions", message: "Request had insufficient authentication scopes.",
        challenge: authorization.challenge(for: request, error: "insufficient_scope", scope: names))
    }
    return accepted
  }
}

extension HTTPRequest {
  /// The body as a JSON object, or `nil` if it is not one.
  fileprivate var jsonObject: [String: JSONValue]? {
    guard mediaType == "application/json" else { return nil }
    return (try? JSONValue(json: body ?? []))?.object
  }
}
