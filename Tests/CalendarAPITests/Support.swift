// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport

func fields(of json: String) throws -> [String: JSONValue] { try fields(of: Array(json.utf8)) }

func fields(of json: [UInt8]) throws -> [String: JSONValue] { try JSONValue(json: json).object ?? [:] }

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
