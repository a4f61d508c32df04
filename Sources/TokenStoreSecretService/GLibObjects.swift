// SPDX-License-Identifier: Apache-2.0

import CLibsecret
import PlatformFoundation

/// A reference to an object of GLib.
///
/// `@safe` because the object is valid from `init` to `deinit`.
@safe
final class GLibObject {
  let pointer: OpaquePointer

  /// Takes ownership of a reference; `nil` if there is no object.
  init?(owning pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.pointer = pointer
  }

  deinit { unsafe almanac_g_object_unref(UnsafeMutableRawPointer(pointer)) }
}

extension [String] {
  /// Takes ownership of texts, whose last element is NULL.
  static func taking(_ texts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> [String] {
    defer { unsafe almanac_g_strfreev(texts) }
    var copies: [String] = []
    // Safe: the loop ends at the last element, and copies each text before all are freed.
    while let text = unsafe texts?[copies.count] { unsafe copies.append(String(cString: text)) }
    return copies
  }
}

/// The attributes of an item, or of all items of a service.
///
/// `@safe` because the table is valid from `init` to `deinit`.
@safe
final class KeyringAttributes {
  let table: OpaquePointer?

  init(service: String, name: String?) {
    // Safe: the call copies the texts.
    unsafe table = almanac_secret_attributes(service, name)
  }

  deinit { unsafe almanac_g_hash_table_unref(table) }
}

/// A secret in libsecret's memory, which the system does not swap out if possible.
///
/// `@safe` because the value is valid from `init` to `deinit`.
@safe
final class KeyringSecret {
  let value: OpaquePointer

  /// Takes ownership of a value; `nil` if there is none.
  init?(owning value: OpaquePointer?) {
    guard let value = unsafe value else { return nil }
    unsafe self.value = value
  }

  /// Copies bytes, which must be text.
  convenience init?(_ data: Data) {
    // Safe: the call copies the bytes, and the pointer is valid for its duration.
    unsafe self.init(
      owning: data.withUnsafeBytes {
        unsafe almanac_secret_value_new(
          $0.bindMemory(to: CChar.self).baseAddress, $0.count, "text/plain")
      })
  }

  deinit { unsafe almanac_secret_value_unref(UnsafeMutableRawPointer(value)) }

  /// The bytes, without a copy.
  ///
  /// libsecret overwrites them when the data and this value are released.
  var data: Data {
    var length = 0
    // Safe: the value owns the bytes, does not change them, and lives as long as the data.
    guard let bytes = unsafe almanac_secret_value_get(value, &length), length > 0 else {
      return Data()
    }
    return unsafe Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes), count: length,
      deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
  }
}
