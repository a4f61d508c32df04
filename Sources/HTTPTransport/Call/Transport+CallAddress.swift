// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// The same calls for an address that is at hand as text, as it is in most programs.
extension Transport {
  /// Sends one request to an address given as text; see ``call(_:_:query:fields:body:)-(_,URL,_,_,_)``.
  ///
  /// - Throws: ``CallError`` with code ``CallError/Code/invalidCall`` also if `address` is not an absolute http or https
  ///   address.
  @discardableResult
  public func call(
    _ method: HTTPMethod, _ address: String, query: FormFields = [:], fields: HTTPFields = [:],
    body: RequestContent? = nil
  ) async throws -> HTTPResponse {
    try await call(method, address.absoluteURL, query: query, fields: fields, body: body)
  }

  /// Sends one request to an address given as text, and decodes the answer's JSON; see
  /// ``call(_:_:query:fields:body:as:decoder:)-(_,URL,_,_,_,_,_)``.
  ///
  /// - Throws: ``CallError`` with code ``CallError/Code/invalidCall`` also if `address` is not an absolute http or https
  ///   address.
  public func call<Answer: Decodable>(
    _ method: HTTPMethod, _ address: String, query: FormFields = [:], fields: HTTPFields = [:],
    body: RequestContent? = nil, as type: Answer.Type = Answer.self, decoder: JSONDecoder = JSONDecoder()
  ) async throws -> Answer {
    try await call(
      method, address.absoluteURL, query: query, fields: fields, body: body, as: type, decoder: decoder)
  }
}

extension String {
  fileprivate var absoluteURL: URL {
    get throws(CallError) {
      guard Origin(self) != nil, let url = URL(string: self) else {
        throw CallError(
          .invalidCall, "The address to call is not an absolute http or https address.", response: nil)
      }
      return url
    }
  }
}
