// SPDX-License-Identifier: Apache-2.0

public import OAuthScope
public import PlatformFoundation

/// An error of a Calendar API call: the server rejected the request, or the request or the response is not valid.
///
/// Branch on ``code``, or on ``remedy-swift.property`` if only the next step matters. Do not branch on ``status``:
/// Google responds with 403 both for a calendar the account may not see and for a rate limit.
///
/// The description contains this module's message, the code, the status, and the ``location`` if the request has it. It is safe
/// to log. Only ``serverMessage`` and ``details`` contain the server's text, which may repeat any part of the request, such as
/// users, identifiers and tokens.
public struct CalendarError: Error, Sendable {
  /// The reason: Google's, or one defined by this module.
  public let code: Code
  /// The status of the response, or `nil` if no response was involved.
  public let status: Int?
  /// A message that states the failure and its remedy.
  ///
  /// It is safe to show and to log.
  public let message: String
  /// The server's message, for developers.
  ///
  /// It is unchecked text of any length, and may repeat any part of the request, including e-mail addresses, identifiers and
  /// the access token. Do not log it. Before you show it, sanitize and truncate it, and redact the token.
  public let serverMessage: String?
  /// The errors listed by Google.
  ///
  /// The first one determines ``code``.
  ///
  /// Most error responses have one.
  public let details: [Detail]
  /// The underlying error, for debugging.
  ///
  /// It is never part of a description.
  public let cause: (any Error)?
  /// The scopes of which the access token needs one, for code ``Code/insufficientPermissions``, or empty for any other
  /// code.
  ///
  /// They are the scopes of the server's challenge
  /// ([RFC 6750 § 3](https://www.rfc-editor.org/rfc/rfc6750.html#section-3)), or the method's accepted scopes if the
  /// server names none. The caller chooses the narrowest sufficient one. A token that already has one of them cannot
  /// access this calendar with it, as with `.calendarAppCreated` for a calendar of another app.
  ///
  /// ```swift
  /// do {
  ///   try await client.events.insert(event, in: "primary")
  /// } catch let error as CalendarError where error.acceptedScopes.contains(.calendarEvents) {
  ///   print("Allow changes to events.")  // `authorize(adding: [.calendarEvents])` of the account asks the user
  /// }
  /// ```
  public package(set) var acceptedScopes: [Scope] = []
  /// The write whose outcome is unknown, for code ``Code/outcomeUnknown``.
  public package(set) var unknownOutcome: UnknownOutcome?

  /// Creates an error.
  public init(
    _ code: Code, _ message: String, status: Int? = nil, serverMessage: String? = nil, details: [Detail] = [],
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.status = status
    self.message = message
    self.serverMessage = serverMessage
    self.details = details
    self.cause = cause
  }
}

extension CalendarError {
  /// One of the errors listed by Google.
  public struct Detail: Sendable, Hashable {
    /// The domain of the reason, such as `global`, `usageLimits` or `calendar`.
    public let domain: String?
    /// The reason.
    public let reason: String?
    /// The server's message.
    ///
    /// It may contain e-mail addresses, identifiers and values from the request.
    public let serverMessage: String?
    /// The kind of ``location``: `parameter` or `header`.
    public let locationType: String?
    /// The invalid parameter or header field, as the server names it.
    ///
    /// It is unchecked text. Show ``CalendarError/location`` instead.
    public let location: String?
    /// The kind of item at ``location``, if the request has it.
    let locationKind: String?
  }
}

extension CalendarError {
  /// The parameter, header field or body field reported as invalid, such as `orderBy`, or `nil` if the request does not
  /// have it.
  ///
  /// It is safe to show and to log, because it is a name from the request.
  public var location: String? { details.lazy.compactMap { $0.locationKind == nil ? nil : $0.location }.first }

  /// The remedy for the error.
  public var remedy: Remedy {
    if let unknownOutcome { return unknownOutcome.isRepeatable ? .backOff : .checkOutcome }
    return status == 401 ? .signIn : code.remedy ?? Remedy(status: status)
  }

  /// Whether the same request may succeed if it is sent again with truncated exponential backoff and jitter.
  ///
  /// The server may already have carried out a non-idempotent request.
  public var isRetryable: Bool { remedy == .backOff }
}

extension CalendarError: CustomStringConvertible, CustomReflectable {
  /// The message with the code and the status.
  public var description: String {
    "\(message) [\(code)\(status.map { ", status \($0)" } ?? "")]"
  }

  /// A mirror without the server's text, which may name users.
  public var customMirror: Mirror {
    Mirror(self, children: ["code": code, "status": status as Any, "message": message])
  }
}

extension CalendarError.Detail {
  /// The invalid item with its kind, such as `parameter "orderBy"`, if the request has it.
  var place: String? {
    guard let locationKind, let location else { return nil }
    return "\(locationKind) \"\(location)\""
  }

  /// Returns a name from the server, or a question mark if it is not a single word.
  private func shown(_ name: String?) -> String { name.flatMap { $0.isReason ? $0 : nil } ?? "?" }
}

extension CalendarError.Detail: CustomStringConvertible, CustomReflectable {
  /// The domain, the reason, and the location if the request has it.
  public var description: String { "\(shown(domain)): \(shown(reason))\(place.map { " (\($0))" } ?? "")" }

  /// A mirror without the server's text, which may name users.
  public var customMirror: Mirror {
    Mirror(self, children: ["domain": shown(domain), "reason": shown(reason), "place": place as Any])
  }
}

extension CalendarError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
  /// The instruction of the ``remedy-swift.property``.
  public var recoverySuggestion: String? { remedy.advice }
}
