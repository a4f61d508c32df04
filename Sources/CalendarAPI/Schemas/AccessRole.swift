// SPDX-License-Identifier: Apache-2.0

/// What somebody may do with a calendar, from the least to the most.
public struct AccessRole: OpenEnumeration {
  /// The value as it is sent.
  public let rawValue: String

  /// Creates a value from its text as it is sent.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Nothing.
  public static let none: AccessRole = "none"
  /// See when it is busy.
  public static let freeBusyReader: AccessRole = "freeBusyReader"
  /// Read it; private events show as busy.
  public static let reader: AccessRole = "reader"
  /// Read and write it; private events show as busy.
  public static let writerWithoutPrivateAccess: AccessRole = "writerWithoutPrivateAccess"
  /// Read and write it.
  public static let writer: AccessRole = "writer"
  /// Everything, access rules included.
  public static let owner: AccessRole = "owner"
}
