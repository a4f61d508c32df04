// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import TransportKit

extension TransportDefects {
  /// Keeps memory for ever: little for each request to the root, and much for any other.
  static let hoarding = TransportDefect(
    "hoards memory", [:],
    change: { transport, _ in
      let base = transport
      transport.sending = { request in
        hoard.change { $0.append(Array(repeating: 1, count: request.url.path() == "/" ? 16_384 : 16 << 20)) }
        return try await base.send(request)
      }
      transport.streaming = { request, body in
        hoard.change { $0.append(Array(repeating: 1, count: 16 << 20)) }
        return try await base.stream(request, body: body)
      }
    })
  private static let hoard = Shared<[[UInt8]]>([])
}
