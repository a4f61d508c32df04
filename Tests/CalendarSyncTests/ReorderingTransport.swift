// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import JSONCoding
import Synchronization
import TestSupport

/// A transport that changes the order of the elements of lists, repeats some, and moves some to the next page.
///
/// A list that changes while its pages are read has such pages.
final class ReorderingTransport: Transport {
  private struct Place: Hashable {
    let path: String
    let pageToken: String
  }

  private struct State {
    var numbers: SeededNumbers
    /// The elements that were moved to a page.
    var moved: [Place: [JSONValue]] = [:]
  }

  private let base: any Transport
  private let state: Mutex<State>

  init(_ base: any Transport, seed: UInt64) {
    self.base = base
    state = Mutex(State(numbers: SeededNumbers(seed: seed)))
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var response = try await base.send(request)
    let (path, token) = Self.parts(of: request)
    guard request.method == .get, response.status == 200, let page = try? JSONValue(json: response.body),
      var fields = page.object, var items = fields["items"]?.array
    else { return response }
    state.withLock { state in
      items += state.moved[Place(path: path, pageToken: token)] ?? []
      items.shuffle(using: &state.numbers)
      if let item = items.first, Bool.random(using: &state.numbers) { items.append(item) }
      if let next = fields["nextPageToken"]?.string, items.count > 1, Bool.random(using: &state.numbers) {
        // A program that reads the page again moves the same elements again, or others.
        let item = items.removeLast()
        if !items.contains(item) { state.moved[Place(path: path, pageToken: next), default: []].append(item) }
      }
    }
    fields["items"] = .array(items)
    response.body = JSONValue.object(fields).json()
    return response
  }

  /// Returns the path of a request with the parameters that stay the same, and its page token.
  private static func parts(of request: HTTPRequest) -> (path: String, pageToken: String) {
    let parts = request.url.absoluteString.split(separator: "?", maxSplits: 1).map(String.init)
    let parameters = (parts.count > 1 ? parts[1] : "").split(separator: "&").map(String.init)
    let token = parameters.first { $0.hasPrefix("pageToken=") }.map { String($0.dropFirst("pageToken=".count)) } ?? ""
    return (parts[0], token.removingPercentEncoding ?? token)
  }
}
