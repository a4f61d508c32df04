import HTTPTransport

#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
#else
  import Foundation
#endif

/// Owns the sessions, and invalidates them at the end of its life: a session and its delegate hold each other until then.
final class SessionConnections: Sendable {
  private let session: URLSession
  #if !canImport(FoundationNetworking)
    /// Bypasses the system's proxies.
    private let loopbackSession: URLSession
  #endif
  private let delegate: SessionDelegate

  init(configuration: URLSessionConfiguration, limits: TransportLimits) {
    let configuration = Self.stateless(configuration, limits: limits)
    delegate = SessionDelegate(maximumBytes: limits.bodyBytes)
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    #if !canImport(FoundationNetworking)
      configuration.connectionProxyDictionary = [:]
      loopbackSession = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    #endif
  }

  deinit {
    session.invalidateAndCancel()
    #if !canImport(FoundationNetworking)
      loopbackSession.invalidateAndCancel()
    #endif
  }

  /// Sends one request and returns its answer, a redirect included.
  ///
  /// - Throws: `CancellationError` or `TransportError`.
  func exchange(_ request: HTTPRequest, limit: Duration) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let task = session(for: request).dataTask(with: URLRequest(request, limit: limit))
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        delegate.start(task, for: request, continuation)
        // The handler may have run before there was anything to cancel.
        if Task.isCancelled { delegate.cancel(task) }
      }
    } onCancel: {
      delegate.cancel(task)
    }
  }

  private func session(for request: HTTPRequest) -> URLSession {
    #if canImport(FoundationNetworking)
      if Origin(request.url)?.isLoopback == true { ProxyExemption.applyOnce }
      return session
    #else
      return Origin(request.url)?.isLoopback == true ? loopbackSession : session
    #endif
  }

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

extension URLRequest {
  /// The platform's form of a request.
  ///
  /// - Parameter limit: The limit of the whole exchange. The transport keeps it; the session's own limit, which counts
  ///   from the last byte, must merely not be shorter.
  fileprivate init(_ request: HTTPRequest, limit: Duration) {
    self.init(url: request.url)
    httpMethod = request.method.rawValue
    // The session sets the fields that frame the message.
    for field in request.fields
    where !["content-length", "transfer-encoding", "connection"].contains(field.name.lowercased()) {
      addValue(field.value, forHTTPHeaderField: field.name)
    }
    if let body = request.body { httpBody = Data(body) }
    timeoutInterval = TimeInterval(min(max(limit.components.seconds, 0), 86_400) + 60)
  }
}
