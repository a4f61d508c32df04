// SPDX-License-Identifier: Apache-2.0

/// Which invitations are declined while the user is away or concentrates.
public struct AutoDeclineMode: OpenEnumeration {
  /// The value as it is sent.
  public let rawValue: String

  /// Creates a value from its text as it is sent.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// None.
  public static let declineNone: AutoDeclineMode = "declineNone"
  /// All that overlap, those already there included.
  public static let declineAllConflictingInvitations: AutoDeclineMode = "declineAllConflictingInvitations"
  /// Those that overlap and arrive from now on.
  public static let declineOnlyNewConflictingInvitations: AutoDeclineMode = "declineOnlyNewConflictingInvitations"
}
