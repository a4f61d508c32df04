// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Timekeeping

/// A request of a batch with any type of response.
///
/// Only the task that sends the batch uses it.
protocol BatchMember: AnyObject {
  /// The HTTP request to send, or `nil` if there is a result or nothing to send.
  var httpRequest: HTTPRequest? { get }
  /// The attempts to send the request, including the next one.
  var attempts: RequestAttempts { get set }
  /// Whether the request is sent on its own instead of within a batch.
  var isAlone: Bool { get set }
  /// Whether the server rejected the access token within a batch.
  var wasUnauthorized: Bool { get set }

  /// Creates the HTTP request. If that fails, the error is the result.
  func prepare(below baseURL: String, _ options: CalendarClient.Options)

  /// Decodes a response, which becomes the result if it is a success.
  func read(_ response: HTTPResponse) throws(CalendarError)

  /// Determines from an error response whether an earlier attempt completed the request.
  ///
  /// If the response reveals the outcome, the member then has a result, or a request that determines the result.
  ///
  /// - Returns: Whether the response reveals the outcome of an earlier attempt.
  func complete(after error: CalendarError) -> Bool

  /// Sets a failure as the result.
  ///
  /// - Parameter error: The error of a response, or of the transport.
  func fail(_ error: any Error)

  /// Whether the request may have been carried out without a confirming response.
  var isOfUnknownOutcome: Bool { get }
}

/// A request of a batch with its result.
final class BatchItem<Response: Sendable>: BatchMember {
  private var request: CalendarRequest<Response>
  private var result: Result<Response, CalendarError>?
  /// The original request with its attempts, while the current request determines the outcome of the original one.
  private var checked: (request: CalendarRequest<Response>, attempts: RequestAttempts)?
  private(set) var httpRequest: HTTPRequest?
  var attempts: RequestAttempts
  var isAlone: Bool
  var wasUnauthorized = false

  init(_ request: CalendarRequest<Response>, began: Timestamp) {
    self.request = request
    attempts = RequestAttempts(began: began)
    isAlone = !request.descriptor.batch.includes(request.body)
  }

  /// The result, once the batch is finished.
  var outcome: Result<Response, CalendarError> { result ?? .failure(.noResponse()) }

  func prepare(below baseURL: String, _ options: CalendarClient.Options) {
    do throws(CalendarError) {
      let httpRequest = try request.httpRequest(below: baseURL, options)
      // Transports do not validate requests within a batch.
      do {
        try httpRequest.validate()
      } catch {
        throw CalendarError(
          .invalidRequest, "The URL or a header field of the request is not valid. Check the entity tags.",
          cause: error)
      }
      self.httpRequest = httpRequest
    } catch {
      fail(error)
    }
  }

  func read(_ response: HTTPResponse) throws(CalendarError) {
    result = .success(try request.response(response))
    httpRequest = nil
  }

  func complete(after error: CalendarError) -> Bool {
    switch request.outcome(after: error, attempts) {
    case .done(let response)?:
      result = .success(response)
      httpRequest = nil
    case .check(let check)?:
      checked = (request, attempts)
      request = check
      attempts = RequestAttempts(began: attempts.began)
    case .unknown(let error)?: fail(error)
    case nil: return false
    }
    return true
  }

  func fail(_ error: any Error) {
    let failure =
      checked.map { $0.request.failure(ofCheck: error, $0.attempts) } ?? request.failure(after: error, attempts)
    result = .failure(failure as? CalendarError ?? .noResponse(cause: failure))
    httpRequest = nil
  }

  var isOfUnknownOutcome: Bool {
    switch result {
    case .failure(let error)?: error.code == .outcomeUnknown
    case .success?: false
    case nil: checked != nil || request.descriptor.effect.repetition != .reads && attempts.mayHaveSucceeded
    }
  }
}
