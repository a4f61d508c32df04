// SPDX-License-Identifier: Apache-2.0

public import TokenStore

/// The result of ``SealedTokenStorage/reseal()``.
public struct ResealReport: Sendable {
  /// A record left unchanged because of an error.
  public struct Failure: Sendable {
    /// The account of the record.
    public let account: String
    /// The reason.
    public let error: TokenStorageError
  }

  /// The number of records newly sealed with the first key.
  public internal(set) var resealed = 0
  /// The number of records already sealed with the first key, or removed meanwhile.
  public internal(set) var unchanged = 0
  /// The records that could not be opened or written.
  public internal(set) var failures: [Failure] = []
}
