import CLibcurl
import HTTPTransport
import Synchronization

/// Owns a transport's connections and the thread that serves them; both go with it.
final class CurlConnections: Sendable {
  private struct State {
    var inbox: TransferInbox?
    var idleHandles: [EasyHandle] = []
  }

  private let limits: TransportLimits
  private let state = Mutex(State())

  init(limits: TransportLimits) { self.limits = limits }

  deinit { state.withLock { $0.inbox }?.submit(.stop) }

  /// Sends one request and returns its complete response, a redirect included.
  func exchange(
    _ request: HTTPRequest, setup: EasyHandle.Setup, limits: TransportLimits, deadline: Deadline
  ) async throws -> HTTPResponse {
    let handle = try takeHandle()
    try handle.prepare(request, .whole, setup: setup)
    let exchange = Exchange(request, handle: handle, deadline: deadline, limits: limits)
    if case .ended(let result) = try await run(exchange), let error = exchange.error(result) { throw error }
    let response = exchange.response()
    keep(handle)
    return response
  }

  /// Sends one request and returns the head of its response, a redirect included, and its body as it arrives.
  func stream(
    _ request: HTTPRequest, body: BodyStream?, setup: EasyHandle.Setup, limits: TransportLimits, deadline: Deadline
  ) async throws -> StreamedResponse {
    let handle = try takeHandle()
    try handle.prepare(request, .streamed(hasBody: body != nil, length: body?.length), setup: setup)
    let download = DownloadChannel()
    let upload = body.map { UploadChannel(length: $0.length) }
    let exchange = Exchange(
      request, handle: handle, deadline: deadline, limits: limits, download: download, upload: upload)
    if let body { upload?.start(body) { [weak self] in self?.goOn(exchange) } }
    switch try await run(exchange) {
    case .head(let head):
      let received = ReceivedBody(exchange, download, self)
      return StreamedResponse(
        status: head.status, fields: head.fields, body: BodyStream(received, length: head.length))
    case .ended(let result): throw exchange.error(result) ?? CancellationError()
    }
  }

  /// Ends the transfer of an exchange, wherever it is.
  func end(_ exchange: Exchange) { inbox?.submit(.end(exchange)) }

  /// Goes on with a paused exchange.
  func goOn(_ exchange: Exchange) { inbox?.submit(.goOn(exchange)) }

  private func run(_ exchange: Exchange) async throws -> Exchange.Outcome {
    try Task.checkCancellation()
    let inbox = try startedInbox()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if exchange.begin(continuation) { inbox.submit(.start(exchange)) }
      }
    } onCancel: {
      if exchange.cancel() { inbox.submit(.end(exchange)) }
    }
  }

  private var inbox: TransferInbox? { state.withLock { $0.inbox } }

  private func startedInbox() throws -> TransferInbox {
    try state.withLock { state in
      if let inbox = state.inbox { return inbox }
      let inbox = try TransferLoop.start(limits: limits)
      state.inbox = inbox
      return inbox
    }
  }

  // MARK: Handles

  private static let maximumIdleHandles = 64

  private func takeHandle() throws -> EasyHandle {
    if let handle = state.withLock({ $0.idleHandles.popLast() }) { return handle }
    guard let handle = EasyHandle() else {
      throw TransportError(.invalidRequest, "libcurl has no memory for another transfer.")
    }
    return handle
  }

  /// Keeps a handle that has finished its transfer for the next one.
  private func keep(_ handle: EasyHandle) {
    handle.reset()
    state.withLock { if $0.idleHandles.count < Self.maximumIdleHandles { $0.idleHandles.append(handle) } }
  }
}
