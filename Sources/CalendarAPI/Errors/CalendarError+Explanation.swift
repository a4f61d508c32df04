// SPDX-License-Identifier: Apache-2.0

extension CalendarError {
  /// This module's explanation of an error response: the problem and its remedy.
  ///
  /// The reason and the exact text of known messages from Google determine the explanation. It never contains text from the
  /// server.
  struct Explanation {
    /// The problem, as the end of a sentence.
    let finding: String
    /// The remedy, as a sentence, or `nil` for the advice of ``CalendarError/remedy``.
    let advice: String?

    init(_ finding: String, _ advice: String? = nil) {
      self.finding = finding
      self.advice = advice
    }
  }
}

extension CalendarError.Explanation {
  /// Returns the explanation of an error response.
  ///
  /// - Parameters:
  ///   - code: The reason.
  ///   - status: The status of the response.
  ///   - message: The server's message.
  ///   - location: The parameter or field named by the server, if the request has it.
  /// - Returns: The explanation, or `nil` for an unknown reason.
  static func find(
    _ code: CalendarError.Code, status: Int, message: String?, location: String?
  ) -> CalendarError.Explanation? {
    // With this status, the request has no valid access token, regardless of the reason.
    if status == 401 { return byCode[.authError] }
    if let message, let known = byMessage[message.hasSuffix(".") ? String(message.dropLast()) : message] {
      return known
    }
    if code == .invalid, location == "pageToken" { return pageToken }
    return byCode[code]
  }

  private static let pageToken = Self(
    "the page token is not valid for this request", "Start again with the first page, and keep the parameters the same."
  )

  /// Explanations by the server's message without its final period.
  ///
  /// Several problems share a reason.
  private static let byMessage: [String: Self] = [
    "Missing start time": Self("the event has no start", "Set its start."),
    "Missing end time": Self("the event has no end", "Set its end."),
    "Invalid start time": Self(
      "the event's start is not valid", "Set a day, or a time with its UTC offset or time zone."),
    "Invalid end time": Self("the event's end is not valid", "Set a day, or a time with its UTC offset or time zone."),
    "Missing time zone definition for start time": Self(
      "the start has no time zone", "Set timeZone. A recurring event needs one in addition to the UTC offset."),
    "Missing time zone definition for end time": Self(
      "the end has no time zone", "Set timeZone. A recurring event needs one in addition to the UTC offset."),
    "Invalid time zone definition for start time": Self(
      "the time zone of the start is unknown", "Use a name of the IANA database, such as Europe/Berlin."),
    "Invalid time zone definition for end time": Self(
      "the time zone of the end is unknown", "Use a name of the IANA database, such as Europe/Berlin."),
    "Start and end times must either both be date or both be dateTime": Self(
      "the event starts with a day and ends with a time, or the reverse", "Set days for both, or times for both."),
    "Invalid recurrence rule": Self(
      "a recurrence rule is not valid", "Use the lines of RFC 5545, without DTSTART and DTEND."),
    "Invalid attendee email": Self("an attendee's e-mail address is not valid", "Correct or remove the address."),
    "Invalid resource id value": Self(
      "the identifier is not valid", "Use 5 to 1,024 characters from a to v and 0 to 9."),
    "Invalid page token value": pageToken,
    "The requested ordering is not available for the particular query": Self(
      "this order needs single events", "Set singleEvents, or omit orderBy."),
  ]

  private static let byCode: [CalendarError.Code: Self] = [
    .invalid: Self("a parameter or field is not valid"),
    .invalidParameter: Self("a parameter has a value that is not allowed"),
    .required: Self("a parameter or field is missing"),
    .badRequest: Self("it is malformed, or its parameters cannot be combined"),
    .parseError: Self("the server cannot read its body"),
    .timeRangeEmpty: Self("the end of the time range is not after its start"),
    .authError: Self("the access token is not valid"),
    .userRateLimitExceeded: Self("the user has sent too many requests in a short time"),
    .rateLimitExceeded: Self("too many requests came in a short time"),
    .quotaExceeded: Self("a usage limit of Google Calendar is exhausted"),
    .dailyLimitExceeded: Self(
      "the project's daily quota is exhausted", "Stop until the next day, or raise the project's quota."),
    .forbidden: Self("the account has no access", "Ask the owner for access, or use another account."),
    .forbiddenForNonOrganizer: Self(
      "only the organizer may change these fields", "Patch only the fields of the user's own copy."),
    .requiredAccessLevel: Self(
      "the account's access to the calendar is too low", "Ask the owner for more access, or use another account."),
    .insufficientPermissions: Self(
      "the granted scopes do not allow it", "Sign in again for a scope that the method accepts."),
    .accessNotConfigured: Self(
      "the client's project does not use the Calendar API", "Enable the API in the Google Cloud console."),
    .notFound: Self(
      "the resource does not exist, or the account cannot see it", "Check the identifiers and the account."),
    .duplicate: Self(
      "the identifier is in use",
      "If an earlier attempt may have used it, read that resource. Otherwise, use another identifier."),
    .conflict: Self("it conflicts with another change"),
    .fullSyncRequired: Self("the sync token has expired"),
    .updatedMinTooLongAgo: Self("updatedMin is too long ago"),
    .invalidSyncToken: Self("the sync token is not valid"),
    .invalidSequence: Self("the event's sequence number is too low"),
    .conditionNotMet: Self("the resource has changed since the version in the request"),
    .backendError: Self("the server has a temporary fault"),
    .internalError: Self("the server has a temporary fault"),
  ]
}

extension CalendarError {
  /// The remedy for an error.
  ///
  /// Future releases may add remedies: keep a `default` in a `switch`.
  public struct Remedy: Sendable, Hashable, CustomStringConvertible {
    /// The remedy's name.
    public let description: String
    /// The instruction, as a sentence.
    let advice: String

    /// Whether both are the same.
    public static func == (left: Remedy, right: Remedy) -> Bool { left.description == right.description }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// Change the request: it will not succeed unchanged.
    public static let changeRequest = Remedy(
      description: "changeRequest", advice: "Change the request. The same request will fail again.")
    /// Refresh the access token once.
    ///
    /// If the new one is rejected too, ask the user to sign in again.
    public static let signIn = Remedy(
      description: "signIn", advice: "Refresh the access token once. If the request fails again, sign in again.")
    /// Send the same request again, with exponential backoff and jitter.
    public static let backOff = Remedy(
      description: "backOff", advice: "Send the request again with exponential backoff and jitter.")
    /// Stop sending requests for now: a quota is exhausted, possibly for hours.
    public static let pause = Remedy(
      description: "pause", advice: "Stop sending requests. The quota can stay exhausted for hours.")
    /// Obtain access: the account, the application or the granted scopes do not allow the request.
    ///
    /// Shortly after a calendar was created, the error may be temporary.
    public static let obtainAccess = Remedy(
      description: "obtainAccess",
      advice: "The account, the application or its scopes do not allow it. Ask for access.")
    /// Read the resource again, apply the change to the current version, and send it: another client has changed the
    /// resource.
    public static let refetch = Remedy(
      description: "refetch", advice: "Read the resource again, apply the change to that version, and send it.")
    /// Read the resource, and make the change only if it is missing: the server may have carried it out.
    public static let checkOutcome = Remedy(
      description: "checkOutcome", advice: "Read the resource, and repeat the change only if it is missing.")
    /// Discard the sync token and the stored items, and list the whole collection again.
    public static let synchronizeFully = Remedy(
      description: "synchronizeFully", advice: "Discard the sync token and the stored items, and list everything again."
    )
    /// Treat the request as done: the resource was already deleted.
    public static let treatAsDone = Remedy(
      description: "treatAsDone", advice: "The resource is already deleted. Treat a deletion as successful.")
    /// Use the stored copy with this entity tag: the resource has not changed.
    public static let useStored = Remedy(
      description: "useStored", advice: "The resource has not changed. Use the stored copy.")
    /// Check the server, the URL and any proxy: the response is not from the Calendar API.
    public static let inspectServer = Remedy(
      description: "inspectServer", advice: "Check the URL and any proxy between this program and the server.")
  }
}

extension CalendarError.Remedy {
  /// Creates the remedy for a status, if the server gave no known reason.
  init(status: Int?) {
    self =
      switch status ?? 0 {
      case 401: .signIn
      case 403: .obtainAccess
      case 412: .refetch
      case 408, 429, 500...: .backOff
      case 400..<500: .changeRequest
      default: .inspectServer
      }
  }
}
