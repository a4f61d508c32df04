// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization

#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
#else
  import Foundation
#endif

/// A delegate that passes a session's events to exchanges, and declines the session's own redirects and repeated bodies.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private let limits: TransportLimits
  private let exchanges = Mutex<[ObjectIdentifier: Exchange]>([:])

  init(limits: TransportLimits) { self.limits = limits }

  func add(_ exchange: Exchange, for task: URLSessionTask) {
    exchanges.withLock { $0[ObjectIdentifier(task)] = exchange }
  }

  func remove(_ task: URLSessionTask) {
    exchanges.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(task)) }
  }

  private func exchange(of task: URLSessionTask) -> Exchange? {
    exchanges.withLock { $0[ObjectIdentifier(task)] }
  }

  // MARK: The session's callbacks

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // On Linux, the completion handler ends the process if the task was cancelled before the call, so it is not called. The
      // exchange completes with the head alone, because Foundation does not deliver the body. The task, which waits for the
      // handler, is then ended.
      guard let exchange = exchange(of: task) else { return }
      receive(response, exchange)
      exchange.completeWithoutBody()
    #else
      completionHandler(nil)
    #endif
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    completionHandler(.allow)
    guard let exchange = exchange(of: dataTask), let response = response as? HTTPURLResponse else { return }
    // An informational response is not final.
    if response.statusCode >= 200 { receive(response, exchange) }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(of: dataTask)?.receive(Array(data))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // On Linux, a challenge arrives after the whole 401 response, and no disposition lets the task complete with it.
      complete(task, error: nil, isTransferComplete: false)
    #else
      completionHandler(.performDefaultHandling, nil)
    #endif
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    // A streamed body can be read once.
    completionHandler(nil)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    complete(task, error: error)
  }

  private func complete(_ task: URLSessionTask, error: (any Error)?, isTransferComplete: Bool = true) {
    guard let exchange = exchange(of: task) else { return }
    // Linux does not report the head of every redirect before it completes the task, so the task's own response is used.
    if error == nil, let response = task.response as? HTTPURLResponse { receive(response, exchange) }
    exchange.complete(error, isTransferComplete: isTransferComplete)
  }

  private func receive(_ response: HTTPURLResponse, _ exchange: Exchange) {
    let head = ResponseHead(response)
    do {
      try head.check(limits, for: exchange.request)
      exchange.receive(head)
    } catch {
      exchange.fail(error)
    }
  }
}
