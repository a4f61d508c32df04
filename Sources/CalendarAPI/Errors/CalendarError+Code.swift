// SPDX-License-Identifier: Apache-2.0

extension CalendarError {
  /// What went wrong.
  ///
  /// Google's reasons are kept as they are, also those that have no name here.
  public struct Code: OpenEnumeration {
    /// The value as it is sent.
    public let rawValue: String

    /// Creates a value from its text as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }
  }
}

// Google's own reasons:
// https://developers.google.com/workspace/calendar/api/guides/errors
extension CalendarError.Code {
  /// The request, or a parameter of it, is not valid.
  public static let invalid: Self = "invalid"
  /// A parameter has a value that is not allowed.
  public static let invalidParameter: Self = "invalidParameter"
  /// Something is missing: a parameter, or with status 401 the access token.
  public static let required: Self = "required"
  /// The request is malformed, or its parameters exclude each other.
  public static let badRequest: Self = "badRequest"
  /// The server cannot read the body.
  public static let parseError: Self = "parseError"
  /// The end of the time range is not after its start.
  public static let timeRangeEmpty: Self = "timeRangeEmpty"
  /// The access token is not valid, or no longer.
  public static let authError: Self = "authError"
  /// This user has sent too many requests in a short time.
  public static let userRateLimitExceeded: Self = "userRateLimitExceeded"
  /// Too many requests were sent in a short time.
  public static let rateLimitExceeded: Self = "rateLimitExceeded"
  /// A limit of Google Calendar itself is used up.
  ///
  /// The user may be unable to write for hours.
  public static let quotaExceeded: Self = "quotaExceeded"
  /// The application's requests for the day are used up.
  public static let dailyLimitExceeded: Self = "dailyLimitExceeded"
  /// The user has no access.
  public static let forbidden: Self = "forbidden"
  /// Only the organizer may change what the event's copies share.
  ///
  /// A `PUT` that leaves such a field out changes it too.
  public static let forbiddenForNonOrganizer: Self = "forbiddenForNonOrganizer"
  /// The user's access to the calendar is too low.
  ///
  /// Just after the calendar was created, this may pass.
  public static let requiredAccessLevel: Self = "requiredAccessLevel"
  /// The granted scopes do not allow the method.
  ///
  /// Just after a calendar was created, this may pass.
  public static let insufficientPermissions: Self = "insufficientPermissions"
  /// The Calendar API is not switched on for the application's project.
  public static let accessNotConfigured: Self = "accessNotConfigured"
  /// There is no such resource, or the user cannot see it.
  ///
  /// On a deletion, treat it as done. Just after the resource was created, this may pass: a caller who knows that it exists
  /// sends the request again after a growing pause. The client does not, to be prompt about what does not exist.
  public static let notFound: Self = "notFound"
  /// The id is taken.
  ///
  /// After an insertion that was sent twice, the first one has succeeded.
  public static let duplicate: Self = "duplicate"
  /// Two changes met, as happens within a batch.
  public static let conflict: Self = "conflict"
  /// The sync token has expired.
  public static let fullSyncRequired: Self = "fullSyncRequired"
  /// The `updatedMin` is too long ago.
  public static let updatedMinTooLongAgo: Self = "updatedMinTooLongAgo"
  /// The resource is deleted already.
  public static let deleted: Self = "deleted"
  /// The resource is no longer the version that `If-Match` names.
  public static let conditionNotMet: Self = "conditionNotMet"
  /// A fault of Google's.
  public static let backendError: Self = "backendError"
  /// A fault of Google's.
  public static let internalError: Self = "internalError"
}

// Reasons of this module's own.
extension CalendarError.Code {
  /// The sync token is not valid: what Google gives as `invalid` with a message about it.
  public static let invalidSyncToken: Self = "invalidSyncToken"
  /// The event's sequence number is too low: what Google gives as `invalid` with a message about it.
  public static let invalidSequence: Self = "invalidSequence"
  /// The resource still has the entity tag that `If-None-Match` names: what is at hand is up to date.
  public static let notModified: Self = "notModified"
  /// The server refused and gave no reason that can be read; only the status is known.
  public static let unexplained: Self = "unexplained"
  /// The server agreed, but its response is not JSON, is cut, or has another shape.
  public static let malformedResponse: Self = "malformedResponse"
  /// The server named a page of a list twice.
  public static let repeatedPage: Self = "repeatedPage"
  /// The server refused a batch as a whole, for no reason that concerns its requests: it knows no batches, say.
  ///
  /// Nothing was carried out.
  public static let batchRefused: Self = "batchRefused"
  /// No response came to a request of a batch, while others had a result; ``CalendarError/cause`` tells why.
  ///
  /// The request only reads, or was not sent.
  public static let noResponse: Self = "noResponse"
  /// A write may have been carried out, although no response says so.
  ///
  /// ``CalendarError/unknownOutcome`` has its identifier and a request that reads what is there; ``CalendarError/cause`` is the
  /// original error. Never send the write again before that, unless ``CalendarError/UnknownOutcome/isRepeatable``.
  public static let outcomeUnknown: Self = "outcomeUnknown"
  /// The request cannot be made of what was given.
  ///
  /// Nothing was sent.
  public static let invalidRequest: Self = "invalidRequest"
}

extension CalendarError.Code {
  /// What to do; `nil` for a reason that has no name here.
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
