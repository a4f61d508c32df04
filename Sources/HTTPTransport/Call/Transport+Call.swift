// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

extension Transport {
  /// Sends one request to any URL with any method, and returns the response if its status is a success.
  ///
  /// ```swift
  /// try await google.transport().call(.delete, event)
  /// let photo = try await http.call(.get, photoURL).body
  /// ```
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - url: The absolute URL.
  ///   - query: Parameters to add to the URL, escaped. They must not be secret.
  ///   - fields: Header fields, such as `If-Match`. `Accept` defaults to a preference for JSON.
  ///   - body: The body: a form, JSON or bytes.
  /// - Returns: The response. Its body may be empty.
  /// - Throws: ``CallError`` with code ``CallError/Code/refused`` for an unsuccessful status, or
  ///   ``CallError/Code/invalidCall``. Also any error of the transport.
  @discardableResult
  public func call(
    _ method: HTTPMethod, _ url: URL, query: FormFields = [:], fields: HTTPFields = [:], body: RequestBody? = nil
  ) async throws -> HTTPResponse {
    guard let url = url.appending(query, as: .query) else {
      throw CallError(
        .invalidCall, "Query parameters cannot be added to the URL \(url.redactedDescription).", response: nil)
    }
    var request = HTTPRequest(method, url, fields: fields)
    request.fields["Accept"] = fields["Accept"] ?? "application/json, */*;q=0.5"
    if let body {
      request.fields["Content-Type"] = body.mediaType
      do {
        request.body = try body.bytes()
      } catch {
        throw CallError(.invalidCall, "The body cannot be encoded as JSON.", response: nil)
      }
    }
    let response = try await send(request)
    guard response.isSuccess else {
      let reason = ErrorReason(response, to: request).map { ": \($0.word)" } ?? ""
      throw CallError(.refused, "\(request) received status \(response.status)\(reason).", response: response)
    }
    return response
  }

  /// Sends one request to any URL with any method, and decodes the response's JSON.
  ///
  /// ```swift
  /// let member: Member = try await http.call(.get, api, query: ["fields": "topics"])
  /// ```
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - url: The absolute URL.
  ///   - query: Parameters to add to the URL, escaped. They must not be secret.
  ///   - fields: Header fields, such as `If-Match`. `Accept` defaults to a preference for JSON.
  ///   - body: The body: a form, JSON or bytes.
  ///   - type: The type to decode. An optional type decodes an empty response as `nil`.
  ///   - decoder: The decoder. Defaults to `JSONDecoder()`.
  /// - Throws: ``CallError``, or any error of the transport.
  @concurrent public func call<Value: Decodable>(
    _ method: HTTPMethod, _ url: URL, query: FormFields = [:], fields: HTTPFields = [:], body: RequestBody? = nil,
    as type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
  ) async throws -> Value {
    let response = try await call(method, url, query: query, fields: fields, body: body)
    // An empty response, such as one with status 204, is decoded as `null`, which an optional type accepts.
    let body = response.body.isEmpty ? Array("null".utf8) : response.body
    do {
      return try decoder.decode(Value.self, from: Data(body))
    } catch {
      throw CallError(
        .undecodable,
        "The response from \(url.redactedDescription) is not JSON of the requested type\(error.fault).",
        response: response)
    }
  }
}

extension Error {
  /// The reason for the decoding failure, without any part of the response: dictionary keys come from the server too.
  fileprivate var fault: String {
    switch self as? DecodingError {
    case .keyNotFound: ": a member is missing"
    case .valueNotFound: ": a value is null"
    case .typeMismatch: ": a value has another type"
    default: ""
    }
  }
}

// The same calls with the URL as a string.
extension Transport {
  /// Sends one request to a URL given as a string.
  ///
  /// See ``call(_:_:query:fields:body:)-(_,URL,_,_,_)``.
  ///
  /// - Throws: ``CallError`` with code ``CallError/Code/invalidCall`` also if `url` is not an absolute http or https
  ///   URL.
  @discardableResult
  public func call(
    _ method: HTTPMethod, _ url: String, query: FormFields = [:], fields: HTTPFields = [:],
    body: RequestBody? = nil
  ) async throws -> HTTPResponse {
    try await call(method, url.absoluteURL, query: query, fields: fields, body: body)
  }

  /// Sends one request to a URL given as a string, and decodes the response's JSON.
  ///
  /// See ``call(_:_:query:fields:body:as:decoder:)-(_,URL,_,_,_,_,_)``.
  ///
  /// - Throws: ``CallError`` with code ``CallError/Code/invalidCall`` also if `url` is not an absolute http or https
  ///   URL.
  @concurrent public func call<Value: Decodable>(
    _ method: HTTPMethod, _ url: String, query: FormFields = [:], fields: HTTPFields = [:],
    body: RequestBody? = nil, as type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
  ) async throws -> Value {
    try await call(
      method, url.absoluteURL, query: query, fields: fields, body: body, as: type, decoder: decoder)
  }
}

extension String {
  fileprivate var absoluteURL: URL {
    get throws(CallError) {
      guard Origin(self) != nil, let url = URL(string: self) else {
        throw CallError(.invalidCall, "The string is not an absolute http or https URL.")
      }
      return url
    }
  }
}
