// SPDX-License-Identifier: Apache-2.0

/// Why a call of the Calendar API failed, although a response came or because the request could not be made.
///
/// Branch on ``code``, or on ``remedy`` when only the next step matters, never on ``status``: Google gives 403 both for
/// a calendar that the account may not see and for a request that came too soon. The description tells code, status and
/// what to do; it never shows the response, nor what Google says in it, which may name users and ids.
public struct CalendarError: Error, Sendable {
  /// What went wrong: the reason that Google gave, or one of this module's own.
  public let code: Code
  /// The status of the response; `nil` when no response was involved.
  public let status: Int?
  /// What happened and what to do, in a sentence or two.
  ///
  /// It may be shown and logged.
  public let message: String
  /// What Google says, for a developer's eyes.
  ///
  /// It may name e-mail addresses, ids and values from the request.
  public let serverMessage: String?
  /// Every fault that Google lists, the first of which gives ``code``.
  ///
  /// Most error responses have one.
  public let details: [Detail]
  /// The underlying error, for a debugger; never part of a description.
  public let cause: (any Error)?

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
    /// The parameter or header field that is at fault.
    public let location: String?
  }
}

extension CalendarError {
  /// What to do next.
  public var remedy: Remedy { status == 401 ? .signIn : code.remedy ?? Remedy(status: status) }

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

extension CalendarError.Detail: CustomStringConvertible, CustomReflectable {
  /// Domain and reason.
  public var description: String { "\(domain ?? "?"): \(reason ?? "?")" }

  /// Without what Google says, which may name users.
  public var customMirror: Mirror { Mirror(self, children: ["domain": domain as Any, "reason": reason as Any]) }
}
