// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport

/// A transport's connections and their thread, which end with this object.
final class CurlConnections: Sendable {
  let limits: TransportLimits
  private let setup: EasyHandle.Setup
  private let thread = TransportThread()

  init(limits: TransportLimits, setup: EasyHandle.Setup) {
    self.limits = limits
    self.setup = setup
  }

  deinit { thread.stop() }

  /// Sends one request and returns its complete response, which may be a redirect.
  func exchange(_ request: HTTPRequest, deadline: Deadline) async throws -> HTTPResponse {
    let target = try RequestTarget(request)
    if !thread.isStarted { try await start() }
    let exchange = Exchange(request, to: target, setup: setup, deadline: deadline, limits: limits)
    // Only a streamed response has an outcome before its end.
    guard case .ended(let result) = try await run(exchange) else { throw CancellationError() }
    let response = try result.get()
    return HTTPResponse(status: response.status, fields: HTTPFields(head: response.head), body: response.body)
  }

  /// Sends one request and returns the head of its response, which may be a redirect, and its body as it arrives.
  func stream(
    _ request: HTTPRequest, body: BodyStream?, deadline: Deadline
  ) async throws -> StreamedResponse {
    let download = DownloadChannel()
    let upload = body.map { UploadChannel(length: $0.length) }
    let target = try RequestTarget(request)
    if !thread.isStarted { try await start() }
    let exchange = Exchange(
      request, to: target, setup: setup, deadline: deadline, limits: limits, download: download, upload: upload)
    let outcome: Exchange.Outcome
    if let body { upload?.start(body) { [weak self] in self?.goOn(exchange) } }
    do {
      outcome = try await run(exchange)
    } catch {
      // The upload ends with the transfer, which may not have begun.
      upload?.cancel()
      throw error
    }
    switch outcome {
    case .head(let head):
      // Both closures keep the transport's thread running.
      let received = ReceivedBody(download, goOn: { self.goOn(exchange) }, end: { self.end(exchange) })
      return StreamedResponse(
        status: head.status, fields: head.fields, body: BodyStream(received, length: head.length))
    case .ended(.failure(let error)): throw error
    case .ended(.success): throw CancellationError()
    }
  }

  /// Starts the thread.
  ///
  /// The first one of a process initializes libcurl, which takes milliseconds.
  @concurrent private func start() async throws(TransportError) {
    try thread.start { () throws(TransportError) in try TransferLoop.start(limits: limits, thread: thread) }
  }

  /// Ends the transfer of an exchange in any state.
  private func end(_ exchange: Exchange) { thread.submit(.end(exchange)) }

  /// Resumes a paused exchange.
  private func goOn(_ exchange: Exchange) { thread.submit(.goOn(exchange)) }

  /// Submits an exchange to the thread, and waits for its end or the head of its response.
  private func run(_ exchange: Exchange) async throws -> Exchange.Outcome {
    try await withTaskCancellationHandler {
      // Safe: the exchange resumes it exactly once, under its lock.
      try await unsafe withUnsafeThrowingContinuation { continuation in
        if unsafe exchange.begin(continuation) { thread.submit(.start(exchange)) }
      }
    } onCancel: {
      if exchange.cancel() { end(exchange) }
    }
  }
}
