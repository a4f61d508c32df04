// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import Synchronization
import Testing

/// A scripted Calendar API, with a response for each method and path, and a record of the requests.
final class ScriptedCalendarAPI: Sendable {
  typealias Handler = @Sendable (HTTPRequest) throws -> HTTPResponse

  private struct State {
    var handlers: [String: Handler] = [:]
    var requests: [HTTPRequest] = []
  }

  private let state = Mutex(State())

  /// Sets the response to a method and a path below `calendar/v3/`.
  func on(_ call: String, _ handler: @escaping Handler) { state.withLock { $0.handlers[call] = handler } }

  func on(_ call: String, _ json: String, status: Int = 200) {
    on(call) { _ in HTTPResponse(status: status, fields: ["Content-Type": "application/json"], body: Array(json.utf8)) }
  }

  /// All requests, in order.
  var requests: [HTTPRequest] { state.withLock { $0.requests } }

  /// The requests of the methods that change something.
  var writes: [HTTPRequest] { state.withLock { $0.requests.filter { $0.method != .get } } }

  /// Returns a transport that responds to the API's requests and sends the others through `base`.
  func transport(over base: any Transport) -> any Transport {
    StubTransport { [self] request in
      let path = request.url.path(percentEncoded: false)
      guard path.hasPrefix("/calendar/v3/") else { return try await base.send(request) }
      let call = "\(request.method.rawValue) \(path.dropFirst("/calendar/v3/".count))"
      let handler = state.withLock { state in
        state.requests.append(request)
        return state.handlers[call]
      }
      return try handler?(request)
        ?? HTTPResponse(status: 404, body: Array(#"{"error":{"errors":[{"reason":"notFound"}],"code":404}}"#.utf8))
    }
  }
}

extension ScriptedCalendarAPI {
  /// Runs a command with this API, requires success, and returns its output.
  ///
  /// - Parameter arguments: The arguments, separated by spaces.
  func output(_ arguments: String) async throws -> String {
    let harness = try await CommandHarness.signedIn(to: self)
    let result = await harness.run(arguments.split(separator: " ").map(String.init))
    #expect(result.status == .success, "\(result.errors)")
    return result.output
  }
}

extension HTTPResponse {
  /// Returns an error response with a reason of Google's.
  static func refusal(_ status: Int, _ reason: String) -> HTTPResponse {
    HTTPResponse(status: status, body: Array(#"{"error":{"errors":[{"reason":"\#(reason)"}],"code":\#(status)}}"#.utf8))
  }
}

extension HTTPRequest {
  /// The body as JSON.
  var json: JSONValue? { body.flatMap { try? JSONValue(json: $0) } }

  /// The parameters of the query.
  var parameters: [String: String] {
    FormEncoding.form.decode(url.query(percentEncoded: true) ?? "").reduce(into: [:]) { $0[$1.name] = $1.value }
  }
}
