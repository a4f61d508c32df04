// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why a call of the Calendar API failed, although a response came or because the request could not be made.
///
/// Branch on ``code``, or on ``remedy`` when only the next step matters, never on ``status``: Google gives 403 both for
/// a calendar that the account may not see and for a request that came too soon.
///
/// The description has the finding and the remedy in words of this module, the code, the status, and the ``location`` if the
/// server names something that the request has. It may be logged. The server's own text is in ``serverMessage`` alone: it may
/// repeat any part of the request, such as users, identifiers and tokens.
public struct CalendarError: Error, Sendable {
  /// What went wrong: the reason that Google gave, or one of this module's own.
  public let code: Code
  /// The status of the response; `nil` when no response was involved.
  public let status: Int?
  /// What happened and what to do, in a sentence or two.
  ///
  /// It may be shown and logged.
  public let message: String
  /// The server's message, for developers.
  ///
  /// It is unchecked text of any length, and may repeat anything from the request: e-mail addresses, identifiers, and the
  /// access token too. Do not log it. Before you show it, clean and cut it, and replace the token.
  public let serverMessage: String?
  /// Every fault that Google lists, the first of which gives ``code``.
  ///
  /// Most error responses have one.
  public let details: [Detail]
  /// The underlying error, for a debugger; never part of a description.
  public let cause: (any Error)?
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
  /// One of the faults that Google lists.
  public struct Detail: Sendable, Hashable {
    /// What the reason belongs to, such as `global`, `usageLimits` or `calendar`.
    public let domain: String?
    /// The reason.
    public let reason: String?
    /// What Google says.
    ///
    /// It may name e-mail addresses, ids and values from the request.
    public let serverMessage: String?
    /// Where ``location`` is: `parameter` or `header`.
    public let locationType: String?
    /// The parameter or header field that is at fault, as the server names it.
    ///
    /// It is unchecked text. ``CalendarError/location`` is the one to show.
    public let location: String?
    /// The kind of what ``location`` names, if the request has something of this name.
    let locationKind: String?
  }
}

extension CalendarError {
  /// The parameter, header field or field of the body that the server names as wrong, such as `orderBy`; `nil` if the request
  /// has nothing of that name.
  ///
  /// It may be shown and logged: it is a name, and the request has it.
  public var location: String? { details.lazy.compactMap { $0.locationKind == nil ? nil : $0.location }.first }

  /// What to do next.
  public var remedy: Remedy {
    if let unknownOutcome { return unknownOutcome.isRepeatable ? .backOff : .checkOutcome }
    return status == 401 ? .signIn : code.remedy ?? Remedy(status: status)
  }

  /// Whether the same request may succeed when it is sent again after a pause that grows from try to try and is not the
  /// same for everybody (truncated exponential backoff with jitter).
  ///
  /// A request that is not idempotent may have been carried out already.
  public var isRetryable: Bool { remedy == .backOff }
}

extension CalendarError: CustomStringConvertible, CustomReflectable {
  /// The message, with code and status.
  public var description: String {
    "\(message) [\(code)\(status.map { ", status \($0)" } ?? "")]"
  }

  /// Without what Google says, which may name users.
  public var customMirror: Mirror {
    Mirror(self, children: ["code": code, "status": status as Any, "message": message])
  }
}

extension CalendarError.Detail {
  /// The name at fault with its kind, such as `parameter "orderBy"`, if the request has it.
  var place: String? {
    guard let locationKind, let location else { return nil }
    return "\(locationKind) \"\(location)\""
  }

  /// A name of the server's, if it is one.
  private func shown(_ name: String?) -> String { name.flatMap { $0.isReason ? $0 : nil } ?? "?" }
}

extension CalendarError.Detail: CustomStringConvertible, CustomReflectable {
  /// Domain, reason, and the location if the request has it.
  public var description: String { "\(shown(domain)): \(shown(reason))\(place.map { " (\($0))" } ?? "")" }

  /// Without what Google says, which may name users.
  public var customMirror: Mirror {
    Mirror(self, children: ["domain": shown(domain), "reason": shown(reason), "place": place as Any])
  }
}

extension CalendarError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
  /// What to do, by the ``remedy-swift.property``.
  public var recoverySuggestion: String? { remedy.advice }
}
