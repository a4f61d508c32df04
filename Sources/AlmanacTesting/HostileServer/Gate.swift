// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Lets the scripts of a ``HostileServer`` wait for the test.
///
/// ```swift
/// let gate = try Gate()
/// let server = try HostileServer(.wait(gate), .response(204))
/// …
/// gate.open()
/// ```
public final class Gate: Sendable {
  let waitingEnd: Socket
  private let openingEnd: Mutex<Socket?>

  /// Creates a gate that is closed.
  ///
  /// - Throws: ``SocketError`` if the system has no socket left.
  public init() throws {
    let ends = try Socket.pair()
    waitingEnd = ends.0
    openingEnd = Mutex(ends.1)
  }

  deinit {
    open()
    waitingEnd.close()
  }

  /// Opens the gate, for good.
  public func open() {
    // The end of the stream is there for everyone who waits.
    openingEnd.withLock {
      $0?.close()
      $0 = nil
    }
  }
}
