// SPDX-License-Identifier: Apache-2.0

import PlatformFoundation
import Synchronization

/// The records of a storage in a keychain.
///
/// An item's name is the account's encoded file name. It is unique even if the keychain ignores case. A renamed damaged item is not
/// listed as an account.
final class KeychainRecords: TokenRecords {
  private let items: any KeychainItems
  /// The accounts with an item for reserving space.
  private let reserved = Mutex<Set<AccountFileName>>([])

  init(items: some KeychainItems) { self.items = items }

  func read(_ name: AccountFileName) throws -> [UInt8]? { try items.read(name.encoded).map { Array($0) } }

  func reserve(_ name: AccountFileName) throws {
    guard !reserved.withLock({ $0.contains(name) }) else { return }
    try items.write(Self.space, to: name.temporary)
    reserved.withLock { _ = $0.insert(name) }
  }

  func release(_ name: AccountFileName) {
    // The next reservation replaces an item that cannot be removed.
    if reserved.withLock({ $0.remove(name) }) != nil { try? items.remove(name.temporary) }
  }

  func replace(_ name: AccountFileName, with record: [UInt8]) throws {
    let record = Data(record)
    do {
      try items.write(record, to: name.encoded)
    } catch {
      // The record may need the reserved space.
      guard reserved.withLock({ $0.contains(name) }) else { throw error }
      release(name)
      try items.write(record, to: name.encoded)
    }
    release(name)
  }

  func remove(_ name: AccountFileName) throws {
    try items.remove(name.encoded)
    // Killed processes leave these items.
    try items.remove(name.temporary)
    try removeTrials(of: name)
  }

  func checkWritable(_ name: AccountFileName) throws {
    try removeTrials(of: name)
    let trial = name.trial()
    try items.write(Self.space, to: trial)
    try items.remove(trial)
  }

  /// Removes the trial items of killed processes.
  ///
  /// The item of a running trial may be removed too, which does not affect the trial.
  private func removeTrials(of name: AccountFileName) throws {
    for item in try items.names() where item.hasPrefix(name.encoded + ".") && item.hasSuffix(".trial") {
      try items.remove(item)
    }
  }

  /// The content of an item for reserving space for the largest record.
  private static var space: Data { Data(repeating: 0x20, count: TokenRecord.maximumSize) }

  func setAside(_ name: AccountFileName) throws -> String {
    let aside = name.setAside()
    try items.rename(name.encoded, to: aside)
    return aside
  }

  func location(of name: AccountFileName) -> String { "The \(items.kind) \(name.encoded) of \(items.service)" }

  func accounts() throws -> [String] {
    try items.names().compactMap { account(of: AccountFileName.meaning(ofEncoded: $0)) }
  }
}

extension LockedTokenStorage {
  /// Creates a storage of records in a keychain.
  ///
  /// - Parameters:
  ///   - items: The keychain.
  ///   - directory: The directory of the lock files, as an absolute path within reach of all processes sharing the
  ///     items.
  package init(items: some KeychainItems, locksIn directory: String) {
    self.init(directory: directory, records: KeychainRecords(items: items))
  }
}
