// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Transport {
  /// Sends one request to any address with any verb, and returns the answer if its status is a success.
  ///
  /// ```swift
  /// try await google.transport().call(.delete, event)
  /// let photo = try await http.call(.get, profile.picture).body
  /// ```
  ///
  /// - Parameters:
  ///   - method: The verb.
  ///   - url: The absolute address.
  ///   - query: Parameters to add to the address, escaped. They must not be secret.
  ///   - fields: Header fields, such as `If-Match`. `Accept` asks for JSON first unless it is among them.
  ///   - body: What to send: a form, JSON or bytes.
  /// - Returns: The answer; its content may be empty.
  /// - Throws: ``CallError`` with code ``CallError/Code/refused`` for a status that is no success, or
  ///   ``CallError/Code/invalidCall``; whatever the transport throws.
  @discardableResult
  public func call(
    _ method: HTTPMethod, _ url: URL, query: FormFields = [:], fields: HTTPFields = [:], body: RequestContent? = nil
  ) async throws -> HTTPResponse {
    guard let url = url.appending(query, as: .query) else {
      throw CallError(.invalidCall, "The address \(url.redactedDescription) cannot take a query.", response: nil)
    }
    var request = HTTPRequest(method, url, fields: fields)
    request.fields["Accept"] = fields["Accept"] ?? "application/json, */*;q=0.5"
    if let body {
      request.fields["Content-Type"] = body.mediaType
      do {
        request.body = try body.bytes()
      } catch {
        throw CallError(.invalidCall, "The value to send cannot be written as JSON.", response: nil)
      }
    }
    let response = try await send(request)
    guard response.isSuccess else {
      throw CallError(.refused, "\(request) was answered with status \(response.status).", response: response)
    }
    return response
  }

  /// Sends one request to any address with any verb, and decodes the answer's JSON.
  ///
  /// ```swift
  /// let member: Member = try await http.call(.get, api, query: ["fields": "topics"])
  /// ```
  ///
  /// - Parameters:
  ///   - method: The verb.
  ///   - url: The absolute address.
  ///   - query: Parameters to add to the address, escaped. They must not be secret.
  ///   - fields: Header fields, such as `If-Match`. `Accept` asks for JSON first unless it is among them.
  ///   - body: What to send: a form, JSON or bytes.
  ///   - type: What to decode. An optional type takes an empty answer as `nil`.
  ///   - decoder: The decoder; one with its defaults unless told.
  /// - Throws: ``CallError``; whatever the transport throws.
  public func call<Answer: Decodable>(
    _ method: HTTPMethod, _ url: URL, query: FormFields = [:], fields: HTTPFields = [:], body: RequestContent? = nil,
    as type: Answer.Type = Answer.self, decoder: JSONDecoder = JSONDecoder()
  ) async throws -> Answer {
    let response = try await call(method, url, query: query, fields: fields, body: body)
    // An empty answer, such as 204's, is what an optional decodes from `null`.
    let content = response.body.isEmpty ? Array("null".utf8) : response.body
    do {
      return try decoder.decode(Answer.self, from: Data(content))
    } catch {
      throw CallError(
        .undecodable,
        "The answer of \(url.redactedDescription) is not the JSON that was asked for\(error.fault).",
        response: response)
    }
  }
}

extension Error {
  /// Why decoding failed, without anything of the response: the keys of a dictionary come from the server too.
  fileprivate var fault: String {
    switch self as? DecodingError {
    case .keyNotFound: ": a member is missing"
    case .valueNotFound: ": a value is null"
    case .typeMismatch: ": a value has another type"
    default: ""
    }
  }
}
