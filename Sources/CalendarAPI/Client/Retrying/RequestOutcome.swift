// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import Timekeeping

/// The outcome of a request after an error response, if an earlier attempt may have completed it.
enum RequestOutcome<Response: Sendable>: Sendable {
  /// The request was carried out.
  case done(Response)
  /// The outcome depends on another request, which returns the response or determines whether the request was carried out.
  ///
  /// If the other request fails, the error is ``CalendarRequest/failure(ofCheck:_:)``.
  case check(CalendarRequest<Response>)
  /// The outcome is unknown.
  case unknown(CalendarError)
}

extension CalendarRequest {
  /// Returns the outcome of the request after an error response, or `nil` if the response does not reveal it.
  func outcome(after error: CalendarError, _ attempts: RequestAttempts) -> RequestOutcome<Response>? {
    switch completion {
    case .gone(let response) where error.isAbsence: .done(response)
    case .exists(let always, let read) where error.isDuplicate && (always || attempts.mayHaveSucceeded): .check(read())
    // The conflicting change may be the request's own.
    case _ where error.remedy == .refetch && attempts.mayHaveSucceeded && method != .get:
      check(after: error, attempts).map { .check($0) }
        ?? .unknown(outcomeUnknown("The resource has changed in the meantime", cause: error, attempts))
    default: nil
    }
  }

  /// Returns a request that reads the resource and succeeds if the resource matches this change.
  ///
  /// - Returns: The request, or `nil` for a POST, which has no resource at its path.
  private func check(after refusal: CalendarError, _ attempts: RequestAttempts) -> CalendarRequest? {
    guard method != .post, let lookup = descriptor.effect.lookup?(attempts.began) else { return nil }
    let (method, body, completion, read) = (method, body, completion, read)
    let unknown = outcomeUnknown("The resource does not match the change", cause: refusal, attempts)
    var check = CalendarRequest(lookup.descriptor, lookup.path, lookup.query, lookup.body, completion) {
      (response) throws(CalendarError) in
      guard let resource = try? JSONValue(json: response.body), resource.object != nil else {
        throw CalendarError(
          .malformedResponse, "The response is not a JSON object. \(CalendarError.Remedy.inspectServer.advice)",
          status: response.status)
      }
      if case .gone(let deleted) = completion {
        // The resource still exists: another client has changed it, and the deletion was rejected.
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
  /// Returns the error of a request after its last attempt failed with `error`.
  ///
  /// If the server may have carried out an attempt, the outcome of a write is unknown.
  func failure(after error: any Error, _ attempts: RequestAttempts) -> any Error {
    guard descriptor.effect.repetition != .reads else { return error }
    let finding: String
    switch error {
    case is CancellationError: return error
    case let error as CalendarError where error.leavesOutcomeOpen:
      finding =
        error.code == .malformedResponse
        ? "The response cannot be read" : "The server failed (status \(error.status.map(String.init) ?? "unknown"))"
    case let error as TransportError where error.leavesOutcomeOpen: finding = "No complete response was received"
    default:
      // The last error does not reveal the outcome of an earlier attempt.
      guard attempts.mayHaveSucceeded else { return error }
      finding = "An earlier attempt failed without a clear response"
    }
    return outcomeUnknown(finding, cause: error, attempts)
  }

  /// Returns the error of this request after the request that determines its outcome failed.
  func failure(ofCheck error: any Error, _ attempts: RequestAttempts) -> CalendarError {
    guard let error = error as? CalendarError, error.code == .outcomeUnknown || error.remedy == .refetch else {
      return outcomeUnknown("The resource could not be read", cause: error, attempts)
    }
    return error
  }

  /// Returns the error of a request with an unknown outcome.
  ///
  /// - Parameter finding: The known facts, as a sentence without its full stop.
  fileprivate func outcomeUnknown(
    _ finding: String, cause: any Error, _ attempts: RequestAttempts
  ) -> CalendarError {
    let effect = descriptor.effect
    // A condition can be met only once.
    let isRepeatable = effect.repetition == .sets && ifMatch == nil
    var advice =
      isRepeatable
      ? "Send the same request again. If it was carried out, nothing changes."
      : CalendarError.Remedy.checkOutcome.advice
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
