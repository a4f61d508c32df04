// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import Timekeeping

/// What a refusal says about a request that may have been carried out before.
enum RequestOutcome<Response: Sendable>: Sendable {
  /// It was carried out.
  case done(Response)
  /// Another request has its response, or finds out whether it was carried out.
  ///
  /// If that one fails, ``CalendarRequest/failure(ofCheck:_:)`` is the failure.
  case check(CalendarRequest<Response>)
  /// Whether it was carried out cannot be told.
  case unknown(CalendarError)
}

extension CalendarRequest {
  /// What a refusal says about the request; `nil` if it only refuses.
  func outcome(after error: CalendarError, _ attempts: RequestAttempts) -> RequestOutcome<Response>? {
    switch completion {
    case .gone(let response) where error.isAbsence: .done(response)
    case .exists(let always, let read) where error.isDuplicate && (always || attempts.mayHaveSucceeded): .check(read())
    // The change that the server met may be the request's own.
    case _ where error.remedy == .refetch && attempts.mayHaveSucceeded && method != .get:
      check(after: error, attempts).map { .check($0) }
        ?? .unknown(outcomeUnknown("The resource was changed since", cause: error, attempts))
    default: nil
    }
  }

  /// Returns the request that reads the resource, whose response is this one's if the resource is as this one leaves it;
  /// `nil` after a POST, which has no resource of its own at its path.
  private func check(after refusal: CalendarError, _ attempts: RequestAttempts) -> CalendarRequest? {
    guard method != .post, let lookup = descriptor.effect.lookup?(attempts.began) else { return nil }
    let (method, body, completion, read) = (method, body, completion, read)
    let unknown = outcomeUnknown("The resource is not as the change leaves it", cause: refusal, attempts)
    var check = CalendarRequest(lookup.descriptor, lookup.path, lookup.query, lookup.body, completion) {
      (response) throws(CalendarError) in
      guard let resource = try? JSONValue(json: response.body), resource.object != nil else {
        throw CalendarError(
          .malformedResponse, "The content is not a JSON object. \(CalendarError.Remedy.inspectServer.advice)",
          status: response.status)
      }
      if case .gone(let deleted) = completion {
        // What is still there was not deleted, so that another client has changed it.
        guard resource.isDeleted else { throw refusal }
        return deleted
      }
      guard let sent = body.json,
        method == .patch && resource.isResult(ofPatch: sent) || method == .put && resource.isResult(of: sent)
      else { throw unknown }
      return try read(response)
    }
    check.quotaUser = quotaUser
    return check
  }
}

extension CalendarRequest {
  /// The error of a request that is not sent again, whose last attempt failed with `error`.
  ///
  /// If an attempt may have been carried out, the outcome of a write is unknown.
  func failure(after error: any Error, _ attempts: RequestAttempts) -> any Error {
    guard descriptor.effect.repetition != .reads else { return error }
    let finding: String
    switch error {
    case is CancellationError: return error
    case let error as CalendarError where error.leavesOutcomeOpen:
      finding =
        error.code == .malformedResponse
        ? "The response cannot be read" : "The server failed (status \(error.status.map(String.init) ?? "unknown"))"
    case let error as TransportError where error.leavesOutcomeOpen: finding = "No complete response came"
    default:
      // A fault of the last attempt hides that of an earlier one.
      guard attempts.mayHaveSucceeded else { return error }
      finding = "An earlier attempt failed without a clear response"
    }
    return outcomeUnknown(finding, cause: error, attempts)
  }

  /// The error of a request whose outcome was to be found out by another one, which failed.
  func failure(ofCheck error: any Error, _ attempts: RequestAttempts) -> CalendarError {
    guard let error = error as? CalendarError, error.code == .outcomeUnknown || error.remedy == .refetch else {
      return outcomeUnknown("The resource could not be read", cause: error, attempts)
    }
    return error
  }

  /// The error of a request that may have been carried out.
  ///
  /// - Parameter finding: What is known, as a sentence without its full stop.
  fileprivate func outcomeUnknown(
    _ finding: String, cause: any Error, _ attempts: RequestAttempts
  ) -> CalendarError {
    let effect = descriptor.effect
    // A condition is met once.
    let isRepeatable = effect.repetition == .sets && ifMatch == nil
    var advice =
      isRepeatable ? "Send the same request again: it has no further effect." : CalendarError.Remedy.checkOutcome.advice
    if !isRepeatable, effect.repetition == .adds, effect.identifier != nil { advice += " Keep its identifier." }
    let refusal = cause as? CalendarError
    var error = CalendarError(
      .outcomeUnknown, "\(finding), and the request may have been carried out. \(advice)", status: refusal?.status,
      serverMessage: refusal?.serverMessage, details: refusal?.details ?? [], cause: cause)
    // The clocks of client and server may differ.
    let lookup = effect.lookup.map { $0(attempts.began + .seconds(-3600)) }
    error.unknownOutcome = CalendarError.UnknownOutcome(
      method: name, identifier: effect.identifier, lookup: lookup, isRepeatable: isRepeatable)
    return error
  }
}
