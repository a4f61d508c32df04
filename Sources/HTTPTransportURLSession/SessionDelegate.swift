import HTTPTransport
import Synchronization

#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
#else
  import Foundation
#endif

/// Collects the answers of a session's tasks, and refuses whatever the session would do by itself.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private struct Exchange {
    let request: HTTPRequest
    let continuation: CheckedContinuation<HTTPResponse, any Error>
    var body: [UInt8] = []
  }

  private let maximumBytes: Int
  private let exchanges = Mutex<[ObjectIdentifier: Exchange]>([:])

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  /// Starts `task`, and resumes `continuation` once, with its outcome.
  func start(
    _ task: URLSessionTask, for request: HTTPRequest, _ continuation: CheckedContinuation<HTTPResponse, any Error>
  ) {
    exchanges.withLock {
      $0[ObjectIdentifier(task)] = Exchange(request: request, continuation: continuation)
    }
    task.resume()
  }

  /// Ends the exchange at once, without waiting for the session.
  func cancel(_ task: URLSessionTask) {
    finish(task, throwing: CancellationError())
    task.cancel()
  }

  // MARK: The session's callbacks

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // On Linux the completion handler ends the process if the task is cancelled before it is heard. So it is not called:
      // what was answered is taken as it is, and the task, which waits for the handler, is ended.
      exchanges.withLock { $0.removeValue(forKey: ObjectIdentifier(task)) }.map {
        $0.continuation.resume(returning: HTTPResponse(response, body: $0.body))
      }
      task.cancel()
    #else
      completionHandler(nil)
    #endif
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    // What an informational answer may have brought is not part of the final one.
    exchanges.withLock { $0[ObjectIdentifier(dataTask)]?.body = [] }
    completionHandler(.allow)
    if response.expectedContentLength > Int64(maximumBytes), dataTask.originalRequest?.httpMethod != "HEAD" {
      refuseAsTooLarge(dataTask)
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let fits = exchanges.withLock { exchanges in
      guard data.count <= maximumBytes - (exchanges[ObjectIdentifier(dataTask)]?.body.count ?? 0) else { return false }
      exchanges[ObjectIdentifier(dataTask)]?.body.append(contentsOf: data)
      return true
    }
    if !fits { refuseAsTooLarge(dataTask) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // On Linux a challenge comes after the whole 401 has, and no disposition would let the task complete with it.
      complete(task, error: nil)
      completionHandler(.cancelAuthenticationChallenge, nil)
    #else
      completionHandler(.performDefaultHandling, nil)
    #endif
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    complete(task, error: error)
  }

  // MARK: Outcomes

  private func complete(_ task: URLSessionTask, error: (any Error)?) {
    guard let exchange = exchanges.withLock({ $0.removeValue(forKey: ObjectIdentifier(task)) }) else { return }
    // Linux does not report every redirect before it completes the task, so the task is asked.
    let answer = (task.response as? HTTPURLResponse).map { HTTPResponse($0, body: exchange.body) }
    let request = exchange.request
    let outcome: Result<HTTPResponse, any Error> =
      if let error {
        .failure(TransportError(error, request: request, answer: answer))
      } else if let answer {
        answer.isShorterThanAnnounced(for: request.method)
          ? .failure(TransportError.truncated(request)) : .success(answer)
      } else {
        .failure(TransportError.notHTTP(request))
      }
    exchange.continuation.resume(with: outcome)
  }

  private func refuseAsTooLarge(_ task: URLSessionTask) {
    finish(
      task,
      throwing: TransportError(.tooLarge, "The answer is larger than the transport's limit of \(maximumBytes) bytes."))
    task.cancel()
  }

  private func finish(_ task: URLSessionTask, throwing error: any Error) {
    exchanges.withLock { $0.removeValue(forKey: ObjectIdentifier(task)) }?.continuation.resume(throwing: error)
  }
}

extension HTTPResponse {
  fileprivate init(_ response: HTTPURLResponse, body: [UInt8]) {
    self.init(status: response.statusCode, body: body)
    for case (let name as String, let value as String) in response.allHeaderFields { fields.append(name, value) }
  }

  /// Whether less content came than `Content-Length` says. It counts encoded bytes, so it tells nothing about a content
  /// that has been decoded.
  func isShorterThanAnnounced(for method: HTTPMethod) -> Bool {
    guard method != .head, status != 204, status != 304, fields["Content-Encoding"] == nil,
      let announced = fields["Content-Length"].flatMap({ Int($0) })
    else { return false }
    return body.count < announced
  }
}
