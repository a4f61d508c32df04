// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

/// The requests in one HTTP request, correlated with their responses.
///
/// A single request is sent unchanged. Several requests are the parts of a `multipart/mixed` body
/// ([batch requests](https://developers.google.com/workspace/calendar/api/guides/batch#format)).
struct BatchMessage {
  private let requests: [HTTPRequest]
  /// The boundary between parts.
  ///
  /// It is random: no request's body contains it.
  private let boundary: String

  init(_ members: ArraySlice<any BatchMember>) {
    requests = members.compactMap(\.httpRequest)
    var generator = SystemRandomNumberGenerator()
    let (high, low) = (
      UInt64.random(in: .min ... .max, using: &generator), UInt64.random(in: .min ... .max, using: &generator)
    )
    boundary = "batch_\(String(high, radix: 36))_\(String(low, radix: 36))"
  }

  /// Returns the HTTP request for the server with the root `baseURL`.
  func httpRequest(below baseURL: String) throws(CalendarError) -> HTTPRequest {
    if requests.count == 1, let request = requests.first { return request }
    guard let url = URL(string: baseURL + "batch/calendar/v3") else {
      throw CalendarError(.invalidRequest, "The batch's URL is not valid. Check the client's base URL.")
    }
    var request = HTTPRequest(.post, url, fields: ["Accept": "multipart/mixed"])
    request.fields["Content-Type"] = "multipart/mixed; boundary=\(boundary)"
    request.body = body
    request.isRepeatable = requests.allSatisfy(\.isRepeatable)
    return request
  }

  private var body: [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(requests.reduce(128) { $0 + ($1.body?.count ?? 0) + 512 })
    for (index, request) in requests.enumerated() {
      body.append(
        contentsOf: "--\(boundary)\r\nContent-Type: application/http\r\nContent-ID: <\(id(index))>\r\n\r\n".utf8)
      let query = request.url.query(percentEncoded: true).map { "?\($0)" } ?? ""
      body.append(contentsOf: "\(request.method) \(request.url.path(percentEncoded: true))\(query) HTTP/1.1\r\n".utf8)
      body.append(linesOf: request.fields)
      if let content = request.body { body.append(contentsOf: "Content-Length: \(content.count)\r\n".utf8) }
      body.append(contentsOf: "\r\n".utf8)
      body.append(contentsOf: request.body ?? [])
      body.append(contentsOf: "\r\n".utf8)
    }
    body.append(contentsOf: "--\(boundary)--\r\n".utf8)
    return body
  }

  /// Returns the `Content-ID` of a request, without angle brackets.
  ///
  /// The identifier also contains the batch's boundary. A response to another batch is therefore detected.
  private func id(_ index: Int) -> String { "\(index)@\(boundary)" }

  /// Returns the response to each request, in the order of the requests.
  ///
  /// - Throws: ``CalendarError`` with code ``CalendarError/Code/malformedResponse`` if the response cannot be split into parts.
  func responses(in response: HTTPResponse) throws(CalendarError) -> [Result<HTTPResponse, CalendarError>] {
    guard requests.count > 1 else { return requests.map { _ in .success(response) } }
    var byRequest: [Result<HTTPResponse, CalendarError>?] = requests.map { _ in nil }
    do throws(MultipartError) {
      var reader = try MultipartReader(response)
      while let part = try reader.next() {
        guard let index = index(of: part) else { throw .unknownPart }
        guard byRequest[index] == nil else { throw .repeatedPart }
        byRequest[index] = part.httpResponse
      }
    } catch {
      throw CalendarError(malformed: error, status: response.status)
    }
    return byRequest.map { $0 ?? .failure(CalendarError(malformed: .missingPart, status: response.status)) }
  }

  /// Returns the index of the request belonging to a part, or `nil` if there is none.
  private func index(of part: MultipartReader.Part) -> Int? {
    let ids = part.fields.values(for: "Content-ID")
    guard ids.count == 1, var id = ids.first?[...] else { return nil }
    if id.hasPrefix("<"), id.hasSuffix(">") { id = id.dropFirst().dropLast() }
    guard id.hasPrefix("response-"), id.hasSuffix("@\(boundary)"),
      let index = Int(id.dropFirst("response-".count).dropLast(boundary.count + 1)), requests.indices.contains(index),
      id == "response-\(self.id(index))"
    else { return nil }
    return index
  }
}
