// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding

/// What a refusal says about a request that may have been carried out before.
enum RequestOutcome<Response: Sendable>: Sendable {
  /// It was carried out.
  case done(Response)
  /// Another request has its response, or finds out whether it was carried out.
  ///
  /// If that one fails, ``CalendarError/ofCheck(_:)`` is the failure.
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
    // The change that the server met may be the request's own. A POST has no resource of its own at its path.
    case _ where error.remedy == .refetch && attempts.mayHaveSucceeded && method == .post:
      .unknown(.outcomeUnknown("the resource was changed", cause: error))
    case _ where error.remedy == .refetch && attempts.mayHaveSucceeded && method != .get: .check(check(after: error))
    default: nil
    }
  }

  /// The request that reads the resource, and takes what it finds for the response if that is what this one leaves behind.
  private func check(after refusal: CalendarError) -> CalendarRequest {
    let (method, body, completion, read) = (method, body, completion, read)
    var check = CalendarRequest(
      "\(name.prefix { $0 != "." }).get", .get, path, QueryItems(), .none, completion, true
    ) { (response) throws(CalendarError) in
      guard let resource = try? JSONValue(json: response.body), resource.object != nil else {
        throw CalendarError(
          .malformedAnswer, "The content is not a JSON object. \(CalendarError.Remedy.inspectServer.advice)",
          status: response.status)
      }
      if case .gone(let deleted) = completion {
        // What is still there was not deleted, so that another client has changed it.
        guard resource.isDeleted else { throw refusal }
        return deleted
      }
      guard case .json(let json) = body, let sent = try? JSONValue(json: json),
        method == .patch && resource.isResult(ofPatch: sent) || method == .put && resource.isResult(of: sent)
      else { throw .outcomeUnknown("the resource is not as the change leaves it") }
      return try read(response)
    }
    check.quotaUser = quotaUser
    return check
  }
}

extension CalendarError {
  /// A request of which cannot be told whether it was carried out.
  ///
  /// - Parameter finding: What is known about the resource, as the end of a sentence.
  static func outcomeUnknown(_ finding: String, cause: (any Error)? = nil) -> CalendarError {
    CalendarError(
      .outcomeUnknown,
      "An attempt whose response was lost may have been carried out, and \(finding). \(Remedy.checkOutcome.advice)",
      cause: cause)
  }

  /// The error of a request whose outcome was to be found out by another one, which failed.
  static func ofCheck(_ error: any Error) -> CalendarError {
    guard let error = error as? CalendarError, error.code == .outcomeUnknown || error.remedy == .refetch else {
      return outcomeUnknown("the resource could not be read", cause: error)
    }
    return error
  }
}
