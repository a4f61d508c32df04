// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
  import Security

  extension KeychainTokenStorage {
    /// When the items can be read, and whether a backup may take them to another device.
    public enum Accessibility: Sendable, Hashable {
      /// From the first unlocking after a start on; stays on this device.
      case afterFirstUnlockThisDeviceOnly
      /// From the first unlocking after a start on; an encrypted backup takes it along.
      case afterFirstUnlock
      /// While the device is unlocked; stays on this device.
      case whenUnlockedThisDeviceOnly
      /// While the device is unlocked; an encrypted backup takes it along.
      case whenUnlocked
      /// While the device is unlocked, and only if it has a passcode; removed when that is. Stays on this device.
      case whenPasscodeSetThisDeviceOnly
    }
  }

  extension KeychainTokenStorage.Accessibility {
    /// The value of `kSecAttrAccessible`.
    var attribute: CFString {
      switch self {
      case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
      case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
      case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
      case .whenUnlocked: kSecAttrAccessibleWhenUnlocked
      case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
      }
    }
  }
#endif
