// SPDX-License-Identifier: Apache-2.0

import PlatformFoundation

/// The records of a storage in a keychain.
///
/// An item's name is the account's encoded file name. The keychain's comparison of letters therefore does not matter, and an
/// item that was set aside is no account.
struct KeychainRecords: TokenRecords {
  let items: any KeychainItems

  func read(_ name: AccountFileName) throws -> Data? { try items.read(name.encoded) }

  func replace(_ name: AccountFileName, with record: Data) throws { try items.write(record, to: name.encoded) }

  func remove(_ name: AccountFileName) throws { try items.remove(name.encoded) }

  func checkWritable(_ name: AccountFileName) throws {
    let trial = name.trial()
    try items.write(Data(), to: trial)
    try items.remove(trial)
  }

  func setAside(_ name: AccountFileName) throws -> String {
    let aside = name.setAside()
    try items.rename(name.encoded, to: aside)
    return aside
  }

  func location(of name: AccountFileName) -> String { "The keychain item \(name.encoded) of \(items.service)" }

  func accounts() throws -> [String] {
    try items.names().compactMap { try account(of: AccountFileName.meaning(ofEncoded: $0)) }
  }
}

extension LockedTokenStorage {
  /// Creates a storage of records in a keychain.
  ///
  /// - Parameters:
  ///   - items: The keychain.
  ///   - directory: The directory of the lock files, as an absolute path that all processes that share the items can reach.
  package init(items: some KeychainItems, locksIn directory: String) {
    self.init(directory: directory, records: KeychainRecords(items: items))
  }
}
