// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HTTPTransport

#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
#else
  import Foundation
#endif

/// The sessions of a transport, which are invalidated on deinitialization.
///
/// Until then, a session and its delegate retain each other.
final class SessionConnections: Sendable {
  /// The queue for calls into sessions.
  ///
  /// Such a call may wait for the session's own queue, on Linux without end, and must not block a thread that runs tasks. On
  /// Linux, one queue serves all sessions of a process, so one queue is enough here too.
  private static let calls = DispatchQueue(label: "URLSessionTransport")

  private let limits: TransportLimits
  private let session: URLSession
  private let delegate: SessionDelegate
  #if canImport(FoundationNetworking)
    private let configuration: URLSessionConfiguration
    private let limiter: ConnectionLimiter
  #else
    /// A session that bypasses the system's proxies.
    private let loopbackSession: URLSession
  #endif

  init(configuration: URLSessionConfiguration, limits: TransportLimits) {
    let configuration = Self.stateless(configuration, limits: limits)
    self.limits = limits
    delegate = SessionDelegate(limits: limits)
    session = URLSession(configuration, delegate)
    #if canImport(FoundationNetworking)
      self.configuration = configuration
      limiter = ConnectionLimiter(limits)
    #else
      configuration.connectionProxyDictionary = [:]
      loopbackSession = URLSession(configuration, delegate)
    #endif
  }

  deinit {
    #if canImport(FoundationNetworking)
      Self.calls.async { [session] in session.invalidateAndCancel() }
    #else
      session.invalidateAndCancel()
      loopbackSession.invalidateAndCancel()
    #endif
  }

  /// Sends one request and returns the head of the response, which may be a redirect, and its body.
  ///
  /// - Parameter buffer: The maximum number of bytes of the body stored until the caller reads them.
  /// - Throws: `CancellationError`, `TransportError`, or any error of iterating `body`.
  func exchange(
    _ request: HTTPRequest, body: BodyStream?, buffer: Int, deadline: Deadline
  ) async throws -> StreamedResponse {
    try Task.checkCancellation()
    #if canImport(FoundationNetworking)
      var request = request
      if let body { request.body = try await body.collected(before: deadline, for: request) }
      let exchange = try await limited(request, buffer, deadline)
      let urlRequest = URLRequest(request, limit: deadline.limit)
    #else
      let pump = try body.map { try RequestBodyPump($0) }
      let exchange = Exchange(request, limits: .init(body: limits.bodyBytes, buffer: buffer)) { pump?.stop() }
      let urlRequest = URLRequest(request, limit: deadline.limit, body: pump)
    #endif
    deadline.whenOver { [weak exchange] in exchange?.expire() }
    start(exchange, urlRequest)
    #if !canImport(FoundationNetworking)
      pump?.start(for: exchange)
    #endif
    let head = try await exchange.head()
    let body = ResponseBody(of: exchange, deadline: deadline, connections: self)
    return StreamedResponse(status: head.status, fields: head.fields, body: BodyStream(body))
  }

  private func start(_ exchange: Exchange, _ urlRequest: URLRequest) {
    // The task must not retain the sessions, which are invalidated when the last transport is released.
    let delegate = delegate
    #if canImport(FoundationNetworking)
      if exchange.request.origin?.isBeyondProxies == true { ProxyExemption.applyOnce }
      // libcurl itself sends a request again, without the body, if a kept connection turns out to be closed.
      let takesKeptConnection = exchange.request.isRepeatable && exchange.request.body == nil
      let shared = takesKeptConnection ? session : nil
      let configuration = configuration
    #else
      let shared: URLSession? = exchange.request.origin?.isBeyondProxies == true ? loopbackSession : session
    #endif
    Self.calls.async {
      guard !exchange.isOver else { return }
      #if canImport(FoundationNetworking)
        let session = shared ?? URLSession(configuration, delegate)
      #else
        guard let session = shared else { return }
      #endif
      let task = session.dataTask(with: urlRequest)
      delegate.add(exchange, for: task)
      let transfer = SessionTransfer(
        task: task, ownSession: shared == nil ? session : nil, delegate: delegate, calls: Self.calls)
      if exchange.begin(transfer) { task.resume() } else { transfer.end(isComplete: false) }
    }
  }

  #if canImport(FoundationNetworking)
    /// Returns an exchange as soon as the limits allow a connection for it.
    private func limited(_ request: HTTPRequest, _ buffer: Int, _ deadline: Deadline) async throws -> Exchange {
      let limits = Exchange.Limits(body: limits.bodyBytes, buffer: buffer)
      guard let origin = request.origin else { return Exchange(request, limits: limits) {} }
      try await limiter.enter(origin, deadline)
      return Exchange(request, limits: limits) { [limiter] in limiter.leave(origin) }
    }
  #endif

  private static func stateless(
    _ configuration: URLSessionConfiguration, limits: TransportLimits
  ) -> URLSessionConfiguration {
    let copy = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
    copy.httpCookieStorage = nil
    copy.httpCookieAcceptPolicy = .never
    copy.httpShouldSetCookies = false
    copy.urlCache = nil
    copy.requestCachePolicy = .reloadIgnoringLocalCacheData
    copy.urlCredentialStorage = nil
    copy.httpMaximumConnectionsPerHost = max(1, limits.connectionsPerHost)
    return copy
  }
}

/// A session's task that belongs to an exchange.
private struct SessionTransfer: Transfer {
  let task: URLSessionTask
  /// The session, if it was created for this task only.
  let ownSession: URLSession?
  let delegate: SessionDelegate
  let calls: DispatchQueue

  func setPaused(_ isPaused: Bool) {
    // On Linux, a suspended task starts again from the beginning.
    #if !canImport(FoundationNetworking)
      if isPaused { task.suspend() } else if task.state == .suspended { task.resume() }
    #endif
  }

  func end(isComplete: Bool) {
    delegate.remove(task)
    guard !isComplete || ownSession != nil else { return }
    calls.async {
      if !isComplete { task.cancel() }
      ownSession?.finishTasksAndInvalidate()
    }
  }
}

extension URLSession {
  fileprivate convenience init(_ configuration: URLSessionConfiguration, _ delegate: SessionDelegate) {
    #if canImport(FoundationNetworking)
      self.init(configuration: configuration, delegate: delegate, delegateQueue: InlineQueue())
    #else
      self.init(configuration: configuration, delegate: delegate, delegateQueue: nil)
    #endif
  }
}

#if canImport(FoundationNetworking)
  /// A queue that runs each operation immediately, on the adding thread.
  ///
  /// Foundation adds every chunk of a body as an operation, without waiting for it. On a separate queue, a fast server would
  /// fill the memory with chunks before the limits are checked.
  private final class InlineQueue: OperationQueue, @unchecked Sendable {  // it adds no state to its superclass
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
  }
#endif

extension URLRequest {
  /// Creates the platform's form of a request.
  ///
  /// - Parameter limit: The time limit of the whole exchange, which the transport enforces. The session's own limit counts from
  ///   the last received byte, and must not be shorter.
  fileprivate init(_ request: HTTPRequest, limit: Duration) {
    self.init(url: request.url)
    httpMethod = request.method.rawValue
    // The session sets the fields that frame the message.
    for field in request.fields
    where !["content-length", "transfer-encoding", "connection"].contains(field.name.lowercased()) {
      addValue(field.value, forHTTPHeaderField: field.name)
    }
    if let body = request.body { httpBody = Data(body) }
    timeoutInterval = TimeInterval(min(max(limit, .zero), .seconds(86_400)).components.seconds + 60)
  }

  #if !canImport(FoundationNetworking)
    fileprivate init(_ request: HTTPRequest, limit: Duration, body: RequestBodyPump?) {
      self.init(request, limit: limit)
      guard let body else { return }
      httpBodyStream = unsafe body.input  // handed to the session, which alone uses it from here on
      if let length = body.length { setValue("\(length)", forHTTPHeaderField: "Content-Length") }
    }
  #endif
}
