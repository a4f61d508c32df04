/// Which invitations are declined while the user is away or concentrates.
public struct AutoDeclineMode: OpenEnumeration {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// None.
  public static let declineNone: AutoDeclineMode = "declineNone"
  /// All that overlap, those already there included.
  public static let declineAllConflictingInvitations: AutoDeclineMode = "declineAllConflictingInvitations"
  /// Those that overlap and arrive from now on.
  public static let declineOnlyNewConflictingInvitations: AutoDeclineMode = "declineOnlyNewConflictingInvitations"
}
