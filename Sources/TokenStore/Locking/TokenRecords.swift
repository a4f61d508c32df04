// SPDX-License-Identifier: Apache-2.0

/// The records of a ``LockedTokenStorage``, one per account.
///
/// All calls block and throw ``TokenStorageError``. Only the holder of the account's lock may change a record.
protocol TokenRecords: Sendable {
  /// Returns the bytes of a record, or `nil` if there is none.
  ///
  /// Another process may replace the record meanwhile. The result is then the old record or the new one.
  func read(_ name: AccountFileName) throws -> [UInt8]?

  /// Reserves durable space for the largest record, for the next ``replace(_:with:)``.
  ///
  /// Repeated calls do nothing.
  func reserve(_ name: AccountFileName) throws

  /// Ends an unused reservation.
  func release(_ name: AccountFileName)

  /// Replaces the record: a power cut at any instant leaves either the old or the new one.
  func replace(_ name: AccountFileName, with record: [UInt8]) throws

  /// Removes the record durably.
  func remove(_ name: AccountFileName) throws

  /// Checks that a record could be written, and leaves nothing behind.
  func checkWritable(_ name: AccountFileName) throws

  /// Renames a damaged record to an unused name.
  ///
  /// - Returns: The new location.
  func setAside(_ name: AccountFileName) throws -> String

  /// Returns the location of a record, for display.
  func location(of name: AccountFileName) -> String

  /// Returns the accounts with a record.
  func accounts() throws -> [String]
}

extension TokenRecords {
  /// Reads a record, and decodes it.
  func find(_ name: AccountFileName) throws -> TokenRecord.Found {
    try decode(read(name), name)
  }

  /// Decodes the bytes of a record.
  func decode(_ record: [UInt8]?, _ name: AccountFileName) throws -> TokenRecord.Found {
    try TokenRecord.decode(record, at: location(of: name), of: name.longAccount)
  }

  /// Returns the account of a record, or `nil` if there is none.
  ///
  /// A record whose name is shortened is read. If it is damaged or cannot be read, its account is unknown.
  func account(of meaning: AccountFileName.Meaning?) -> String? {
    switch meaning {
    case .account(let account): return account
    case .inRecord(let name):
      guard let record = try? read(name), let account = TokenRecord.account(of: record) else { return nil }
      return (try? AccountFileName(account))?.encoded == name.encoded ? account : nil
    case nil: return nil
    }
  }
}
