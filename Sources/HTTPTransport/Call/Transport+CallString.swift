// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// The same calls with the URL as a string.
extension Transport {
  /// Sends one request to a URL given as a string; see ``call(_:_:query:fields:body:)-(_,URL,_,_,_)``.
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

  /// Sends one request to a URL given as a string, and decodes the response's JSON; see
  /// ``call(_:_:query:fields:body:as:decoder:)-(_,URL,_,_,_,_,_)``.
  ///
  /// - Throws: ``CallError`` with code ``CallError/Code/invalidCall`` also if `url` is not an absolute http or https
  ///   URL.
  public func call<Value: Decodable>(
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
