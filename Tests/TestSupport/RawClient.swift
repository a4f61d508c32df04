// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A TCP connection to a loopback port that sends exactly the given bytes.
///
/// The calls block, so they run on a queue of the connection.
package final class RawClient: Sendable {
  package enum Fault: Error { case cannotConnect, timedOut }

  package let socket: Socket
  private let queue = DispatchQueue(label: "RawClient")
  /// The time limit in milliseconds, for a server that hangs, not for one that is slow.
  private static let patience = 300_000

  private init(socket: Socket) { self.socket = socket }

  deinit { socket.close() }

  /// Connects to a port.
  ///
  /// - Parameter user: The owner of the socket, which only the superuser can change.
  package static func connect(
    to port: Int, address: UInt32 = Socket.loopback, asUser user: UInt32? = nil
  ) async throws -> RawClient {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "RawClient.connect").async {
        let socket = Socket.connected(to: port, address: address, asUser: user)
        continuation.resume(with: socket.map { .success(RawClient(socket: $0)) } ?? .failure(Fault.cannotConnect))
      }
    }
  }

  package func send(_ text: String) async { await send(Array(text.utf8)) }

  package func send(_ bytes: [UInt8]) async {
    await onQueue { [socket] in
      var rest = bytes[...]
      while !rest.isEmpty, socket.waitToWrite(milliseconds: Self.patience), let count = socket.write(rest) {
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Ends the sending side.
  package func finish() async { await onQueue { [socket] in socket.shutDownWriting() } }

  /// Reads until the server ends the connection.
  package func readToEnd() async throws -> String { try await read(until: nil) }

  /// Reads until `isEnough` returns `true` or the server ends the connection.
  package func read(until isEnough: (@Sendable (String) -> Bool)?) async throws -> String {
    try await onQueue { [socket] () -> Result<String, any Error> in
      var bytes: [UInt8] = []
      while isEnough.map({ !$0(String(decoding: bytes, as: UTF8.self)) }) ?? true {
        guard socket.waitToRead(milliseconds: Self.patience) else { return .failure(Fault.timedOut) }
        let more = socket.read()
        if more.isEmpty { break }
        bytes += more
      }
      return .success(String(decoding: bytes, as: UTF8.self))
    }.get()
  }

  /// Waits up to ten milliseconds for input.
  package func hasInput() async -> Bool { await onQueue { [socket] in socket.waitToRead(milliseconds: 10) } }

  private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }
}
