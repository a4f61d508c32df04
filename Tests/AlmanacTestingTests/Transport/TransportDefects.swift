// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import Synchronization
import TransportKit

/// The defects that ``TransportConformance`` reports.
enum TransportDefects {
  static let all =
    requests + responses + redirects + faults + cancellation + connections + streamedResponses
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
}

extension String {
  var bytes: [UInt8] { Array(utf8) }
}
