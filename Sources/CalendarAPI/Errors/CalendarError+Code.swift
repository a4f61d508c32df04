// SPDX-License-Identifier: Apache-2.0

extension CalendarError {
  /// The reason for an error.
  ///
  /// Google's reasons are kept unchanged, including those without a constant here.
  public struct Code: OpenEnumeration {
    /// The reason in the API.
    public let rawValue: String

    /// Creates a code from a reason in the API.
    public init(rawValue: String) { self.rawValue = rawValue }
  }
}

// Google's own reasons:
// https://developers.google.com/workspace/calendar/api/guides/errors
extension CalendarError.Code {
  /// The request or one of its parameters is not valid.
  public static let invalid: Self = "invalid"
  /// A parameter has an invalid value.
  public static let invalidParameter: Self = "invalidParameter"
  /// A parameter or a field of the body is missing.
  ///
  /// With status 401, the access token is missing.
  public static let required: Self = "required"
  /// The request is malformed, or its parameters are mutually exclusive.
  public static let badRequest: Self = "badRequest"
  /// The server cannot read the body.
  public static let parseError: Self = "parseError"
  /// The time range is empty or ends before it starts.
  public static let timeRangeEmpty: Self = "timeRangeEmpty"
  /// The access token is not valid or has expired.
  public static let authError: Self = "authError"
  /// This user has sent too many requests in a short time.
  public static let userRateLimitExceeded: Self = "userRateLimitExceeded"
  /// Too many requests were sent in a short time.
  public static let rateLimitExceeded: Self = "rateLimitExceeded"
  /// A usage limit of Google Calendar is exhausted.
  ///
  /// The user may be unable to write for hours.
  public static let quotaExceeded: Self = "quotaExceeded"
  /// The application's daily quota is exhausted.
  public static let dailyLimitExceeded: Self = "dailyLimitExceeded"
  /// The user has no access.
  public static let forbidden: Self = "forbidden"
  /// Only the organizer may change the shared properties of an event.
  ///
  /// A `PUT` that omits a shared property also changes it.
  public static let forbiddenForNonOrganizer: Self = "forbiddenForNonOrganizer"
  /// The user's access level for the calendar is too low.
  ///
  /// Shortly after the calendar was created, the error may be temporary.
  public static let requiredAccessLevel: Self = "requiredAccessLevel"
  /// The granted scopes do not allow the method.
  ///
  /// Shortly after a calendar was created, the error may be temporary.
  public static let insufficientPermissions: Self = "insufficientPermissions"
  /// The Calendar API is not enabled for the application's project.
  public static let accessNotConfigured: Self = "accessNotConfigured"
  /// The resource does not exist, or the user cannot see it.
  ///
  /// For a deletion, treat the error as success. Shortly after the resource was created, the error may be temporary. If
  /// you know the resource exists, send the request again with exponential backoff. The client does not retry: it
  /// reports missing resources immediately.
  public static let notFound: Self = "notFound"
  /// The identifier is taken.
  ///
  /// If an insertion with a generated identifier was sent twice, the first attempt succeeded.
  public static let duplicate: Self = "duplicate"
  /// The request conflicts with another change, such as one in the same batch.
  public static let conflict: Self = "conflict"
  /// The sync token has expired.
  public static let fullSyncRequired: Self = "fullSyncRequired"
  /// The value of `updatedMin` is too long ago.
  public static let updatedMinTooLongAgo: Self = "updatedMinTooLongAgo"
  /// The resource was already deleted.
  public static let deleted: Self = "deleted"
  /// The resource no longer has the entity tag of `If-Match`.
  public static let conditionNotMet: Self = "conditionNotMet"
  /// Google's server failed.
  public static let backendError: Self = "backendError"
  /// Google's server failed internally.
  public static let internalError: Self = "internalError"
}

// Reasons that this module defines.
extension CalendarError.Code {
  /// The sync token is not valid.
  ///
  /// Google's reason is `invalid`. Its message distinguishes this error.
  public static let invalidSyncToken: Self = "invalidSyncToken"
  /// The event's sequence number is too low.
  ///
  /// Google's reason is `invalid`. Its message distinguishes this error.
  public static let invalidSequence: Self = "invalidSequence"
  /// The resource still has the entity tag of `If-None-Match`: the caller's copy is up to date.
  public static let notModified: Self = "notModified"
  /// The server rejected the request without a readable reason.
  ///
  /// Only the status is known.
  public static let unexplained: Self = "unexplained"
  /// The status is a success, but the response is not JSON, is truncated, or has another structure.
  public static let malformedResponse: Self = "malformedResponse"
  /// The server returned the same page token of a list twice.
  public static let repeatedPage: Self = "repeatedPage"
  /// The server rejected a batch as a whole for a reason unrelated to its requests, for example because it does not
  /// support batches.
  ///
  /// Nothing was carried out.
  public static let batchRefused: Self = "batchRefused"
  /// A request of a batch received no response, while others had a result.
  ///
  /// ``CalendarError/cause`` is the reason.
  ///
  /// The request only reads, or was not sent.
  public static let noResponse: Self = "noResponse"
  /// The outcome of a write is unknown: the server may have carried it out, but no response confirms it.
  ///
  /// ``CalendarError/unknownOutcome`` has the identifier and a request that reads the current state.
  /// ``CalendarError/cause`` is the original error. If the write is not ``CalendarError/UnknownOutcome/isRepeatable``,
  /// read the current state before you send the write again.
  public static let outcomeUnknown: Self = "outcomeUnknown"
  /// The arguments do not make a valid request.
  ///
  /// Nothing was sent.
  public static let invalidRequest: Self = "invalidRequest"
}

extension CalendarError.Code {
  /// The remedy, or `nil` for a reason without a constant here.
  var remedy: CalendarError.Remedy? {
    switch self {
    case .authError: .signIn
    case .userRateLimitExceeded, .rateLimitExceeded, .conflict, .backendError, .internalError, .noResponse:
      .backOff
    case .quotaExceeded, .dailyLimitExceeded: .pause
    case .forbidden, .forbiddenForNonOrganizer, .requiredAccessLevel, .insufficientPermissions, .accessNotConfigured:
      .obtainAccess
    case .invalid, .invalidParameter, .required, .badRequest, .parseError, .timeRangeEmpty, .notFound, .duplicate,
      .invalidRequest:
      .changeRequest
    case .fullSyncRequired, .updatedMinTooLongAgo, .invalidSyncToken: .synchronizeFully
    case .deleted: .treatAsDone
    case .notModified: .useStored
    case .conditionNotMet, .invalidSequence: .refetch
    case .outcomeUnknown: .checkOutcome
    case .malformedResponse, .repeatedPage, .batchRefused: .inspectServer
    default: nil
    }
  }
}
