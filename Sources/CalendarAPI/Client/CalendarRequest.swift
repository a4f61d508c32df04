// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import JSONCoding
public import OAuthScope
import PlatformFoundation

/// A request of a Calendar API method, as a value.
///
/// A static method of a resource creates a request, and ``CalendarClient/send(_:)`` sends it. The instance method of the same
/// name does both.
///
/// ```swift
/// var request = EventsResource.update(event, for: id, in: "primary")
/// request.ifMatch = event.etag
/// let updated = try await client.send(request)
/// ```
///
/// Its description contains only the method's name, never an identifier, a parameter or the body.
public struct CalendarRequest<Response: Sendable>: Sendable {
  let descriptor: RequestDescriptor
  let path: RequestPath
  var query: QueryItems
  let body: CalendarRequestBody
  let completion: RequestCompletion<Response>
  let read: @Sendable (HTTPResponse) throws(CalendarError) -> Response

  /// The entity tag that the resource must still have ([RFC 9110 §
  /// 13.1.1](https://www.rfc-editor.org/rfc/rfc9110.html#section-13.1.1)).
  ///
  /// If the entity tag differs, the request fails with code ``CalendarError/Code/conditionNotMet`` and changes nothing. After a
  /// lost response, ``CalendarClient/send(_:)`` reads the resource to determine whether the first attempt changed it.
  public var ifMatch: String?
  /// The entity tag that the resource must no longer have ([RFC 9110 §
  /// 13.1.2](https://www.rfc-editor.org/rfc/rfc9110.html#section-13.1.2)).
  ///
  /// If the entity tag is unchanged, the request fails with code ``CalendarError/Code/notModified``.
  public var ifNoneMatch: String?
  /// The fields to include in the response, or `nil` for all.
  public var fieldMask: FieldMask<Response>?
  /// The user to whom the quota is charged, at most 40 characters.
  ///
  /// Defaults to ``CalendarClient/Options/quotaUser``.
  public var quotaUser: String?
  /// Whether the request may be retried although an earlier attempt may have been carried out.
  ///
  /// Defaults to `true` for idempotent methods, for patches, and for the insertion of an event, because its identifier is part of
  /// the request. Defaults to `false` for other insertions and imports: Google does not document that a second one has no effect.
  ///
  /// Google does not guarantee to detect a second event with the same identifier
  /// ([events.insert](https://developers.google.com/workspace/calendar/api/v3/reference/events/insert)): within a short
  /// time, its servers may accept both. For an insertion that must never be sent twice, set `isRepeatable` to `false`.
  /// An insertion whose outcome is unknown then fails immediately with code ``CalendarError/Code/outcomeUnknown``.
  public var isRepeatable: Bool

  /// The name of the API's method, such as `events.insert`.
  public var name: String { descriptor.name }
  /// The HTTP method.
  public var method: HTTPMethod { descriptor.method }
  /// The method's accepted scopes.
  ///
  /// A token needs one of them.
  public var acceptedScopes: [Scope] { descriptor.scopes.scopes }
}

/// The body of a request.
enum CalendarRequestBody: Sendable {
  /// No body: GET and DELETE.
  case none
  /// An empty body: POST without content.
  case empty
  /// A value, encoded when the request is sent.
  case json(JSONValue)
}

extension CalendarRequestBody {
  /// The value, or `nil` if there is none.
  var json: JSONValue? { if case .json(let value) = self { value } else { nil } }
}

extension CalendarRequest {
  init(
    _ descriptor: RequestDescriptor, _ path: RequestPath, _ query: QueryItems, _ body: CalendarRequestBody,
    _ completion: RequestCompletion<Response>,
    _ read: @escaping @Sendable (HTTPResponse) throws(CalendarError) -> Response
  ) {
    self.descriptor = descriptor
    self.path = path
    self.query = query
    self.body = body
    self.completion = completion
    self.read = read
    isRepeatable = descriptor.isRepeatable
  }

  /// Creates a request from another one and transforms its response.
  init<Original>(_ original: CalendarRequest<Original>, _ transform: @escaping @Sendable (Original) -> Response) {
    let read = original.read
    self.init(
      original.descriptor, original.path, original.query, original.body, original.completion.map(transform)
    ) { (response) throws(CalendarError) in transform(try read(response)) }
    ifMatch = original.ifMatch
    ifNoneMatch = original.ifNoneMatch
    fieldMask = original.fieldMask.map { FieldMask(rawValue: $0.description) }
    quotaUser = original.quotaUser
    isRepeatable = original.isRepeatable
  }

  /// Returns the HTTP request for a server.
  ///
  /// Its root `baseURL` must end with a slash.
  func httpRequest(below baseURL: String, _ options: CalendarClient.Options) throws(CalendarError) -> HTTPRequest {
    guard let path = path.escaped else {
      throw CalendarError(
        .invalidRequest,
        "An identifier is empty, \".\" or \"..\", which would change the request's path. Check the identifiers.")
    }
    var items = query
    items.append("fields", fieldMask?.description)
    items.append("prettyPrint", options.prettyPrint)
    items.append("quotaUser", quotaUser ?? options.quotaUser)
    if options.checksLimits, let problem = descriptor.limits.problem(of: items, body) {
      throw CalendarError(.invalidRequest, problem)
    }
    let query = items.fields.isEmpty ? "" : "?" + FormEncoding.query.encode(items.fields)
    guard let url = URL(string: baseURL + "calendar/v3/" + path + query) else {
      throw CalendarError(.invalidRequest, "The request's URL is not valid. Check the client's base URL.")
    }
    var request = HTTPRequest(method, url, fields: ["Accept": "application/json"])
    switch body {
    case .none: break
    case .empty: request.body = []
    case .json(let value):
      request.body = value.json()
      request.fields["Content-Type"] = "application/json; charset=UTF-8"
    }
    if let ifMatch { request.fields["If-Match"] = ifMatch }
    if let ifNoneMatch { request.fields["If-None-Match"] = ifNoneMatch }
    request.isRepeatable = isRepeatable
    return request
  }

  /// Decodes the server's response.
  ///
  /// - Throws: ``CalendarError`` if the server rejected the request, or if the response is not valid for the method.
  func response(_ response: HTTPResponse) throws(CalendarError) -> Response {
    guard response.isSuccess else {
      throw CalendarError(response, to: SentNames(self), accepting: acceptedScopes)
    }
    return try read(response)
  }
}

extension CalendarRequest {
  /// The same request with its response as JSON.
  var content: CalendarRequest<JSONValue> {
    CalendarRequest<JSONValue>(descriptor, path, query, body, .none) { (response) throws(CalendarError) in
      do throws(JSONParseError) {
        return try JSONValue(json: response.body)
      } catch {
        throw CalendarError(malformed: error, status: response.status)
      }
    }
  }
}

extension CalendarRequest where Response: SchemaCoding {
  init(
    _ descriptor: RequestDescriptor, _ path: RequestPath, query: QueryItems = QueryItems(),
    body: CalendarRequestBody = .none, completion: RequestCompletion<Response> = .none
  ) {
    self.init(descriptor, path, query, body, completion) { (response) throws(CalendarError) in
      try Response(json: response.body, status: response.status)
    }
  }
}

extension CalendarRequest where Response == Void {
  init(
    _ descriptor: RequestDescriptor, _ path: RequestPath, query: QueryItems = QueryItems(),
    body: CalendarRequestBody = .none, completion: RequestCompletion<Response> = .none
  ) {
    self.init(descriptor, path, query, body, completion) { (_) throws(CalendarError) in }
  }
}

extension CalendarRequest: CustomStringConvertible, CustomReflectable {
  /// The name of the method.
  public var description: String { name }

  /// A mirror without values.
  public var customMirror: Mirror { Mirror(self, children: ["name": name, "method": method.rawValue]) }
}

extension CalendarRequest {
  /// Returns the same request with a transformed response.
  ///
  /// Use it to give the requests of several methods one type:
  ///
  /// ```swift
  /// let requests: [CalendarRequest<String?>] = [
  ///   EventsResource.insert(event, in: "primary").map { $0.id },
  ///   CalendarListResource.get("primary").map { $0.summary },
  /// ]
  /// let results = try await client.batch(requests)
  /// ```
  ///
  /// ``fieldMask`` still selects fields of the method's response.
  ///
  /// - Parameter transform: Returns the new response. It is called once for every response of the method.
  public func map<Other>(_ transform: @escaping @Sendable (Response) -> Other) -> CalendarRequest<Other> {
    CalendarRequest<Other>(self, transform)
  }
}
