// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why a token could not be read or written.
public struct TokenStorageError: Error, Sendable, CustomStringConvertible {
  /// What kind of fault it was.
  ///
  /// More may be added: keep a `default` in a `switch`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// The record is damaged.
    ///
    /// It was set aside, or will be by the caller that has exclusive access now; the account reads as empty from then on.
    public static let corrupted = Code(description: "corrupted")
    /// The storage cannot be reached, does not allow access, is full, or holds what a newer version wrote.
    ///
    /// Nothing was changed, unless ``TokenStorageError/message`` says so.
    public static let unavailable = Code(description: "unavailable")
    /// Another process had exclusive access for longer than the storage waits.
    ///
    /// Nothing was read or written.
    public static let busy = Code(description: "busy")
    /// The storage is not safe to use: others could read or redirect it.
    ///
    /// Nothing was read or written.
    public static let insecure = Code(description: "insecure")
    /// The account's name cannot be stored: empty or too long.
    public static let invalidAccount = Code(description: "invalidAccount")
  }

  /// The kind of fault.
  public let code: Code
  /// What happened, where, and what to do; never a token.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The ``message``.
  public var description: String { message }
}

extension TokenStorageError {
  static let emptyAccount = TokenStorageError(.invalidAccount, "An account's name must not be empty.")
}

extension TokenStorageError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}
