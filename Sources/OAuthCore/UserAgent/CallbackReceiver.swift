import HTTPTransport
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Answers what arrives at the loopback address, and keeps the one callback that belongs to the pending authorization.
final class CallbackReceiver: Sendable {
  private struct State {
    var pending: PendingAuthorization?
    var callback: URL?
    var waiter: CheckedContinuation<URL, any Error>?
    var isCancelled = false
  }

  private let path: String
  private let state = Mutex(State())

  init(path: String) { self.path = path }

  /// Names the authorization whose answer counts. Until then every request is refused.
  func expect(_ pending: PendingAuthorization) {
    state.withLock { $0.pending = pending }
  }

  /// Waits for the callback. One task waits, once.
  func callback() async throws -> URL {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<URL, any Error>? = state.withLock { state in
          if let callback = state.callback { return .success(callback) }
          if state.isCancelled { return .failure(CancellationError()) }
          state.waiter = continuation
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.isCancelled = true
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume(throwing: CancellationError())
    }
  }

  @Sendable func answer(_ request: HTTPRequest) async -> HTTPResponse {
    guard request.url.path(percentEncoded: true) == path else { return .page(404, "There is nothing at this address.") }
    guard request.method == .get else {
      var refusal = HTTPResponse.page(405, "Only GET is answered here.")
      refusal.fields["Allow"] = "GET"
      return refusal
    }
    let (isFirst, waiter) = state.withLock { state in
      guard let pending = state.pending, state.callback == nil, pending.isAnswered(by: request.url) else {
        return (false, CheckedContinuation<URL, any Error>?.none)
      }
      state.callback = request.url
      defer { state.waiter = nil }
      return (true, state.waiter)
    }
    guard isFirst else {
      return .page(400, "This does not belong to the sign-in that is under way. Go back to the application.")
    }
    waiter?.resume(returning: request.url)
    return .page(200, "The application has your answer. You can close this window and go back to it.")
  }
}

extension HTTPResponse {
  /// A page with one sentence, which loads nothing and is kept nowhere.
  fileprivate static func page(_ status: Int, _ sentence: String) -> HTTPResponse {
    let html = """
      <!doctype html>
      <html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>Sign-in</title><p>\(sentence)</p></html>
      """
    return HTTPResponse(
      status: status,
      fields: [
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
      ], body: Array(html.utf8))
  }
}
