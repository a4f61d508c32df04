// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
  import Foundation
  import Security

  /// The calls of the system's keychain, without other logic.
  struct SystemKeychain: KeychainItems {
    let service: String
    let accessGroup: String?
    let accessibility: KeychainTokenStorage.Accessibility

    func names() throws -> [String] {
      var query = query()
      query[kSecMatchLimit] = kSecMatchLimitAll
      query[kSecReturnAttributes] = true
      let items = try copyMatching(query) as? [NSDictionary] ?? []
      return items.compactMap { $0[kSecAttrAccount] as? String }
    }

    func read(_ name: String) throws -> Data? {
      var query = query(name)
      query[kSecMatchLimit] = kSecMatchLimitOne
      query[kSecReturnData] = true
      guard let item = try copyMatching(query) else { return nil }
      return item as? Data ?? Data()
    }

    func write(_ data: Data, to name: String) throws {
      let content: [CFString: Any] = [kSecValueData: data, kSecAttrAccessible: accessibility.attribute]
      var status = SecItemUpdate(query(name) as CFDictionary, content as CFDictionary)
      if status == errSecItemNotFound {
        status = SecItemAdd(query(name).merging(content) { $1 } as CFDictionary, nil)
      }
      try check(status, "write")
    }

    func rename(_ name: String, to newName: String) throws {
      let change: [CFString: Any] = [kSecAttrAccount: newName]
      try check(SecItemUpdate(query(name) as CFDictionary, change as CFDictionary), "rename")
    }

    func remove(_ name: String) throws {
      let status = SecItemDelete(query(name) as CFDictionary)
      if status != errSecItemNotFound { try check(status, "remove") }
    }
  }

  extension SystemKeychain {
    /// Returns the query for the item called `name`, or for all items of the service.
    private func query(_ name: String? = nil) -> [CFString: Any] {
      var query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecUseDataProtectionKeychain: true,
      ]
      if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
      if let name { query[kSecAttrAccount] = name }
      return query
    }

    private func copyMatching(_ query: [CFString: Any]) throws -> CFTypeRef? {
      var result: CFTypeRef?
      // Safe: the pointer is valid for the call, which sets it to a retained object or leaves it unchanged.
      let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
      if status == errSecItemNotFound { return nil }
      try check(status, "read")
      return result
    }

    private func check(_ status: OSStatus, _ action: String) throws {
      if status == errSecSuccess { return }
      let reason =
        switch status {
        case errSecInteractionNotAllowed: "the device is locked. Try again when it is unlocked."
        case errSecMissingEntitlement: "the process may not use it. Check its signature and its keychain access groups."
        default: "try again, and restart the device if that does not help."
        }
      throw TokenStorageError(
        .unavailable, "Could not \(action) the keychain item of \(service) (status \(status)): \(reason)")
    }
  }
#endif
