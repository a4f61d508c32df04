// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestSupport

/// A gate at which the scripts of a ``HostileServer`` wait for the test.
///
/// ```swift
/// let gate = try Gate()
/// let server = try HostileServer(.wait(gate), .response(204))
/// …
/// gate.open()
/// ```
package final class Gate: Sendable {
  let waitingEnd: Socket
  private let openingEnd: Mutex<Socket?>

  /// Creates a closed gate.
  ///
  /// - Throws: ``SocketError`` if the system cannot create a socket.
  package init() throws {
    let ends = try Socket.pair()
    waitingEnd = ends.0
    openingEnd = Mutex(ends.1)
  }

  deinit {
    open()
    waitingEnd.close()
  }

  /// Opens the gate permanently.
  package func open() {
    // The end of the stream is visible to all waiting scripts.
    openingEnd.withLock {
      $0?.close()
      $0 = nil
    }
  }
}
