// SPDX-License-Identifier: Apache-2.0

/// What a user may do with a calendar, least first.
enum AccessRole: String, Sendable, CaseIterable, Comparable {
  case none, freeBusyReader, reader, writerWithoutPrivateAccess, writer, owner

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  static func < (left: AccessRole, right: AccessRole) -> Bool { left.rank < right.rank }
}
