// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import Synchronization

/// The defects that ``TransportConformance`` reports.
enum TransportDefects {
  static let all =
    requests + responses + redirects + faults + limits + cancellation + connections + streamedResponses
    + streamedRequests

  static func url(_ text: String) -> URL { URL(string: text) ?? URL(filePath: "/") }
}

/// A value that the requests of a transport share.
final class Shared<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: sending Value) { state = Mutex(value) }

  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  func change(_ body: (inout Value) -> Void) { state.withLock { body(&$0) } }

  /// Replaces the value by another one that is made of it, and returns the old one.
  func exchange(_ change: (Value) -> Value) -> Value {
    state.withLock { state in
      defer { state = change(state) }
      return state
    }
  }

  func exchange(with value: Value) -> Value {
    state.withLock { state in
      defer { state = value }
      return state
    }
  }
}

extension String {
  var bytes: [UInt8] { Array(utf8) }
}
