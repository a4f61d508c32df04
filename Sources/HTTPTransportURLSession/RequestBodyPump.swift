// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationNetworking)
  extension BodyStream {
    /// The maximum size of a collected request body, in bytes.
    private static let largest = 16 << 20

    /// Returns the whole body.
    ///
    /// Foundation can read a stream only by blocking the one queue that serves every session of the process.
    func collected(before deadline: Deadline, for request: HTTPRequest) async throws -> [UInt8] {
      let reading = Task<[UInt8], any Error> {
        do {
          return try await bytes(upTo: Self.largest)
        } catch let error as TransportError where error.code == .tooLarge {
          throw TransportError(
            .invalidRequest, "On this platform, a streamed request body can have at most \(Self.largest) bytes.",
            cause: error)
        }
      }
      deadline.whenOver { reading.cancel() }
      let result = await withTaskCancellationHandler {
        await reading.result
      } onCancel: {
        reading.cancel()
      }
      // A sequence may end rather than throw when its task is cancelled.
      try Task.checkCancellation()
      if deadline.isOver { throw TransportError.fault(.timedOut, .connecting, at: request.origin) }
      let collected = try result.get()
      guard length == nil || length == collected.count else { throw TransportError.lengthMismatch }
      return collected
    }
  }
#else
  import Foundation
  import Synchronization

  /// A pump that moves the chunks of a request body to a session's stream.
  final class RequestBodyPump: Sendable {
    /// The stream for the session to read.
    nonisolated(unsafe) let input: InputStream  // used by the session alone, once `init` has made it
    /// The number of bytes, or `nil` if unknown.
    var length: Int? { body.length }
    private let body: BodyStream
    nonisolated(unsafe) private let output: OutputStream  // used on `queue` alone, once `init` has made it
    private let queue = DispatchQueue(label: "RequestBodyPump")
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ body: BodyStream) throws {
      var input: InputStream?
      var output: OutputStream?
      // Both variables live through the call, which sets them.
      unsafe Stream.getBoundStreams(withBufferSize: 65_536, inputStream: &input, outputStream: &output)
      guard let input, let output else {
        throw TransportError(.invalidRequest, "The system could not create a stream for the request body.")
      }
      self.body = body
      unsafe self.input = input
      unsafe self.output = output
    }

    /// Starts to move chunks until the body ends, the session accepts no more, or `stop` is called.
    func start(for exchange: Exchange) {
      let mover = Task { [self] in
        do {
          try await move()
        } catch {
          exchange.fail(error)
        }
        queue.async { [self] in unsafe output.close() }
      }
      task.withLock { $0 = mover }
      if exchange.isOver { stop() }
    }

    func stop() { task.withLock { $0 }?.cancel() }

    private func move() async throws {
      queue.async { [self] in unsafe output.open() }
      var rest = body.length
      for try await chunk in body {
        if let known = rest {
          guard chunk.count <= known else { throw TransportError.lengthMismatch }
          rest = known - chunk.count
        }
        guard await write(chunk) else { return }
      }
      try Task.checkCancellation()
      guard rest ?? 0 == 0 else { throw TransportError.lengthMismatch }
    }

    /// Writes all of `chunk`, and returns whether more can be written.
    private func write(_ chunk: [UInt8]) async -> Bool {
      await withCheckedContinuation { continuation in
        queue.async { [self] in
          var rest = chunk[...]
          while !rest.isEmpty {
            // The pointer and the count are the slice's own. The call waits until the session has read enough.
            let count = unsafe rest.withUnsafeBufferPointer { buffer in
              unsafe buffer.baseAddress.map { unsafe output.write($0, maxLength: buffer.count) } ?? 0
            }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
          }
          continuation.resume(returning: rest.isEmpty)
        }
      }
    }
  }
#endif

extension TransportError {
  fileprivate static var lengthMismatch: TransportError {
    TransportError(.invalidRequest, "The request body's length differs from its stated length.")
  }
}
