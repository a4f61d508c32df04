// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport

/// A schema that knows no field, so that a test can look at all of them.
struct AnyObjectSchema: CalendarSchema {
  var additionalFields: [String: JSONValue] = [:]
  init() {}
  mutating func visitFields(_ field: inout FieldVisitor) {}
}

func fields(of json: String) throws -> [String: JSONValue] {
  try AnyObjectSchema(json: Array(json.utf8)).additionalFields
}

func fields(of json: [UInt8]) throws -> [String: JSONValue] { try AnyObjectSchema(json: json).additionalFields }

extension HTTPResponse {
  static func json(_ text: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, fields: ["Content-Type": "application/json; charset=UTF-8"], body: Array(text.utf8))
  }
}

extension StubTransport {
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
