// SPDX-License-Identifier: Apache-2.0

/// Where records are, one an account.
///
/// All calls block and throw ``TokenStorageError``; what changes a record is for the holder of the account's lock only.
protocol TokenRecords: Sendable {
  /// Reads a record. Another process may replace it meanwhile; what is returned is then the old record or the new one.
  func find(_ name: AccountFileName) throws -> TokenRecord.Found

  /// Replaces the record: at every instant a power cut leaves either the old or the new one.
  func replace(_ name: AccountFileName, with token: StoredToken) throws

  /// Removes the record, for good when the call returns.
  func remove(_ name: AccountFileName) throws

  /// Checks that a record could be written, and leaves nothing behind.
  func checkWritable(_ name: AccountFileName) throws

  /// Renames a damaged record to a name that nothing has yet.
  ///
  /// - Returns: Where it is now.
  func setAside(_ name: AccountFileName) throws -> String

  /// Says where a record is, to be shown.
  func location(of name: AccountFileName) -> String

  /// Returns the accounts that have a record.
  func accounts() throws -> [String]
}
