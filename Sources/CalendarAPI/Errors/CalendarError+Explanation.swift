// SPDX-License-Identifier: Apache-2.0

extension CalendarError {
  /// The fault of a refused request and its remedy, in words of this module.
  ///
  /// The words are chosen by the reason, and by messages of Google's that are known word for word. No text of the server is
  /// part of them.
  struct Explanation {
    /// The fault, as the end of a sentence.
    let finding: String
    /// The remedy, as a sentence; `nil` for the advice of ``CalendarError/remedy``.
    let advice: String?

    init(_ finding: String, _ advice: String? = nil) {
      self.finding = finding
      self.advice = advice
    }
  }
}

extension CalendarError.Explanation {
  /// Finds the explanation of a refusal.
  ///
  /// - Parameters:
  ///   - code: The reason.
  ///   - status: The status of the response.
  ///   - message: The server's message.
  ///   - location: The name that the server gives, if the request has it.
  /// - Returns: The explanation, or `nil` for a reason that is not known.
  static func find(
    _ code: CalendarError.Code, status: Int, message: String?, location: String?
  ) -> CalendarError.Explanation? {
    // Whatever the reason says, the request has no valid access token.
    if status == 401 { return byCode[.authError] }
    if let message, let known = byMessage[message.hasSuffix(".") ? String(message.dropLast()) : message] {
      return known
    }
    if code == .invalid, location == "pageToken" { return pageToken }
    return byCode[code]
  }

  private static let pageToken = Self(
    "the page token is not valid for it", "Start again with the first page, and keep the parameters the same.")

  /// By the server's message, without the period at its end: several faults share a reason.
  private static let byMessage: [String: Self] = [
    "Missing start time": Self("the event has no start", "Set its start."),
    "Missing end time": Self("the event has no end", "Set its end."),
    "Invalid start time": Self(
      "the event's start is not valid", "Set a day, or a time with its UTC offset or time zone."),
    "Invalid end time": Self("the event's end is not valid", "Set a day, or a time with its UTC offset or time zone."),
    "Missing time zone definition for start time": Self(
      "the start has no time zone", "Set timeZone: a recurring event needs one beside the UTC offset."),
    "Missing time zone definition for end time": Self(
      "the end has no time zone", "Set timeZone: a recurring event needs one beside the UTC offset."),
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
      "the identifier is not valid", "Use 5 to 1,024 of the characters a to v and 0 to 9."),
    "Invalid page token value": pageToken,
    "The requested ordering is not available for the particular query": Self(
      "this order needs single events", "Set singleEvents, or leave orderBy out."),
  ]

  private static let byCode: [CalendarError.Code: Self] = [
    .invalid: Self("a parameter or field is not valid"),
    .invalidParameter: Self("a parameter has a value that is not allowed"),
    .required: Self("a parameter or field is missing"),
    .badRequest: Self("it is malformed, or its parameters exclude each other"),
    .parseError: Self("the server cannot read its body"),
    .timeRangeEmpty: Self("the end of the time range is not after its start"),
    .authError: Self("the access token is not valid"),
    .userRateLimitExceeded: Self("the user has sent too many requests in a short time"),
    .rateLimitExceeded: Self("too many requests came in a short time"),
    .quotaExceeded: Self("a limit of Google Calendar is used up"),
    .dailyLimitExceeded: Self(
      "the project's requests of the day are used up", "Stop until the next day, or raise the project's quota."),
    .forbidden: Self("the account has no access", "Ask the owner for access, or use another account."),
    .forbiddenForNonOrganizer: Self(
      "only the organizer may change these fields", "Change only what belongs to the user's own copy, with a patch."),
    .requiredAccessLevel: Self(
      "the account's access to the calendar is too low", "Ask the owner for more access, or use another account."),
    .insufficientPermissions: Self(
      "the granted scopes do not allow it", "Sign in again for a scope that the method accepts."),
    .accessNotConfigured: Self(
      "the client's project does not use the Calendar API", "Enable the API in the Google Cloud console."),
    .notFound: Self(
      "there is no such resource, or the account cannot see it", "Check the identifiers and the account."),
    .duplicate: Self(
      "the identifier is taken", "If it was sent before, read what has it; otherwise use another identifier."),
    .conflict: Self("it met another change"),
    .fullSyncRequired: Self("the sync token has expired"),
    .updatedMinTooLongAgo: Self("updatedMin is too long ago"),
    .invalidSyncToken: Self("the sync token is not valid"),
    .invalidSequence: Self("the event's sequence number is too low"),
    .conditionNotMet: Self("the resource is no longer the version that the request names"),
    .backendError: Self("the server has a temporary fault"),
    .internalError: Self("the server has a temporary fault"),
  ]
}

extension CalendarError {
  /// What to do about an error.
  ///
  /// More may be added: keep a `default` in a `switch`.
  public struct Remedy: Sendable, Hashable, CustomStringConvertible {
    /// The remedy's name.
    public let description: String
    /// What to do, in a sentence.
    let advice: String

    /// Whether both are the same.
    public static func == (left: Remedy, right: Remedy) -> Bool { left.description == right.description }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// Change the request: as it is, it will never succeed.
    public static let changeRequest = Remedy(
      description: "changeRequest", advice: "Change the request: as it is, it will not succeed.")
    /// The access token was refused: refresh it once, and if that does not help, have the user sign in again.
    public static let signIn = Remedy(
      description: "signIn", advice: "Refresh the access token once; if that does not help, sign in again.")
    /// Send the same request again after a growing, jittered pause.
    public static let backOff = Remedy(
      description: "backOff", advice: "Send the request again after a growing, jittered pause.")
    /// A quota is used up, and may stay so for hours: stop until later.
    public static let pause = Remedy(
      description: "pause", advice: "Stop for now: the quota may stay used up for hours.")
    /// The account, the application or the granted scopes do not allow it.
    ///
    /// Just after a calendar was created, it may pass.
    public static let obtainAccess = Remedy(
      description: "obtainAccess",
      advice: "Ask for access: the account, the application or its scopes do not allow this.")
    /// Another client changed it first: read the resource again, apply the change to it, and send that.
    public static let refetch = Remedy(
      description: "refetch", advice: "Read the resource again, apply the change to that version, and send it.")
    /// The change may have been made: read the resource, and make the change only if it is not there.
    public static let checkOutcome = Remedy(
      description: "checkOutcome", advice: "Read the resource, and make the change only if it is not there.")
    /// What was kept of the collection is out of date: forget it and its sync token, and list everything again.
    public static let synchronizeFully = Remedy(
      description: "synchronizeFully", advice: "Forget the sync token and what was kept, and list everything again.")
    /// What was requested is so already, such as the deletion of a deleted event: treat it as done.
    public static let treatAsDone = Remedy(
      description: "treatAsDone", advice: "The resource is deleted already: treat a deletion as done.")
    /// The resource has not changed: use the copy that the entity tag is of.
    public static let useStored = Remedy(
      description: "useStored", advice: "Use the stored copy: the resource has not changed.")
    /// The response is not one of the Calendar API: look at the server, the URL and what is between.
    public static let inspectServer = Remedy(
      description: "inspectServer", advice: "Check the URL, and whatever is between this program and the server.")
  }
}

extension CalendarError.Remedy {
  /// The remedy when the server gave no reason that is known: all that is left is the status.
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
