// SPDX-License-Identifier: Apache-2.0

import Foundation
package import HTTPTransport
import Synchronization

/// Notes every request that goes to the sandbox.
package final class RecordingTransport: Transport {
  private let base: any Transport
  private let sent = Mutex<[HTTPRequest]>([])

  package init(_ base: any Transport) { self.base = base }

  package var requests: [HTTPRequest] { sent.withLock { $0 } }

  /// The requests for a path of the sandbox.
  package func requests(for path: String) -> [HTTPRequest] {
    requests.filter { $0.url.path(percentEncoded: true) == path }
  }

  package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    sent.withLock { $0.append(request) }
    return try await base.send(request)
  }
}
