// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One call of a method of the API: what is asked, and how the response is read.
///
/// It is made apart from sending, so that a call can also travel as a part of a batch.
struct Call<Answer: Sendable>: Sendable {
  let method: HTTPMethod
  let path: CallPath
  let query: ParameterList
  let body: [UInt8]?
  private let read: @Sendable (HTTPResponse) throws(CalendarError) -> Answer

  private init(
    _ method: HTTPMethod, _ path: CallPath, _ query: any QueryParameters, _ body: [UInt8]?,
    _ read: @escaping @Sendable (HTTPResponse) throws(CalendarError) -> Answer
  ) {
    self.method = method
    self.path = path
    self.query = ParameterList(query)
    self.body = body
    self.read = read
  }

  /// The request, to a server whose root is `baseURL`, which ends with a slash.
  func request(below baseURL: String, _ options: CalendarClient.Options) throws(CalendarError) -> HTTPRequest {
    guard let path = path.escaped else {
      throw CalendarError(
        .invalidRequest, "An id is empty, \".\" or \"..\", and would name something else. Check the ids.")
    }
    var fields = query.fields
    fields.append(contentsOf: ParameterList(options).fields)
    let query = fields.isEmpty ? "" : "?" + FormEncoding.query.encode(fields)
    guard let url = URL(string: baseURL + "calendar/v3/" + path + query) else {
      throw CalendarError(.invalidRequest, "The URL is not a URL. Check the client's base URL.")
    }
    var request = HTTPRequest(method, url, fields: ["Accept": "application/json"], body: body)
    if body != nil { request.fields["Content-Type"] = "application/json; charset=UTF-8" }
    return request
  }

  /// What the server answered.
  ///
  /// - Throws: ``CalendarError`` when it refused, or when the response is not what the method gives.
  func answer(_ response: HTTPResponse) throws(CalendarError) -> Answer {
    guard response.isSuccess else { throw CalendarError(response) }
    return try read(response)
  }
}

extension Call where Answer: CalendarSchema {
  init(_ method: HTTPMethod, _ path: CallPath, _ query: any QueryParameters = NoParameters(), body: [UInt8]? = nil) {
    self.init(method, path, query, body) { (response) throws(CalendarError) in
      try Answer(json: response.body, status: response.status)
    }
  }
}

extension Call where Answer == Void {
  init(_ method: HTTPMethod, _ path: CallPath, _ query: any QueryParameters = NoParameters(), body: [UInt8]? = nil) {
    self.init(method, path, query, body) { (_) throws(CalendarError) in }
  }
}
