// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import Synchronization
import Testing

func fields(of json: String) throws -> [String: JSONValue] { try fields(of: Array(json.utf8)) }

func fields(of json: [UInt8]) throws -> [String: JSONValue] { try JSONValue(json: json).object ?? [:] }

extension HTTPResponse {
  static func json(_ text: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, fields: ["Content-Type": "application/json; charset=UTF-8"], body: Array(text.utf8))
  }
}

extension StubTransport {
  /// A transport whose function gets the number of each request, from 1.
  static func numbered(
    _ respond: @escaping @Sendable (Int, HTTPRequest) throws -> HTTPResponse
  ) -> StubTransport {
    let count = Mutex(0)
    return StubTransport { request in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return try respond(number, request)
    }
  }

  /// The addresses asked for, from the version of the API on.
  var paths: [String] {
    requests.map { request in
      let address = request.url.absoluteString
      return address.split(separator: "/calendar/v3/", maxSplits: 1).last.map(String.init) ?? address
    }
  }
}

/// Cancels the task that calls it.
func cancelCurrentTask() {
  // The task is the one that runs this, so that it exists.
  unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
}

/// Expects that a piece of code fails with a ``CalendarError`` of `code`.
@discardableResult
func expectFailure<Value>(
  _ code: CalendarError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async -> CalendarError? {
  let error = await #expect(throws: CalendarError.self, sourceLocation: sourceLocation) { _ = try await body() }
  #expect(error?.code == code, "\(error?.message ?? "")", sourceLocation: sourceLocation)
  return error
}
