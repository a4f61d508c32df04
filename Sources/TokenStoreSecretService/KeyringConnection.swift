// SPDX-License-Identifier: Apache-2.0

import CLibsecret
import PlatformFoundation
import TokenStore

/// A connection to the keyring, for one call.
///
/// All methods block until the keyring responds, or the call is cancelled.
struct KeyringConnection {
  private static let defaultAlias = "default"

  private let service: GLibObject
  private let calls: KeyringCalls

  /// Opens a connection.
  ///
  /// - Throws: `TokenStorageError` with code `keyringMissing` if there is no keyring; `CancellationError`.
  init(_ cancellation: KeyringCancellation) throws {
    guard almanac_secret_load() else { throw TokenStorageError.noLibrary }
    calls = KeyringCalls(cancellation: cancellation)
    let bus = try unsafe calls.object(otherwise: .noBus) { cancellable, error in
      unsafe almanac_g_bus_get_sync(Int32(ALMANAC_BUS_SESSION), cancellable, error)
    }
    // GLib would end the process with the session bus.
    unsafe almanac_g_dbus_connection_set_exit_on_close(bus.pointer, 0)
    service = try unsafe calls.object(otherwise: .noService) { cancellable, error in
      unsafe almanac_secret_service_open_sync(
        almanac_secret_service_get_type(), nil, UInt32(ALMANAC_SERVICE_OPEN_SESSION), cancellable, error)
    }
  }

  /// Returns the default collection, or `nil` if there is none.
  func defaultCollection() throws -> KeyringCollection? {
    let collection = try unsafe calls.make("open the keyring") { cancellable, error in
      unsafe almanac_secret_collection_for_alias_sync(
        service.pointer, Self.defaultAlias, UInt32(ALMANAC_COLLECTION_NONE), cancellable, error)
    }
    return unsafe GLibObject(owning: collection).map { KeyringCollection(collection: $0, calls: calls) }
  }

  /// Unlocks a collection, with a prompt if necessary.
  func unlock(_ collection: KeyringCollection) throws {
    let list = unsafe almanac_g_list_append(nil, UnsafeMutableRawPointer(collection.collection.pointer))
    defer { unsafe almanac_g_list_free(list) }
    let count = try unsafe calls.make("unlock the keyring", afterTimeLimit: .promptNotAnswered) { cancellable, error in
      unsafe almanac_secret_service_unlock_sync(service.pointer, list, cancellable, nil, error)
    }
    if count < 1 { throw TokenStorageError.promptEnded }
  }

  /// Creates the default collection, for which the user chooses a password.
  func createDefaultCollection() throws {
    _ = try unsafe calls.object(otherwise: .promptEnded, afterTimeLimit: .promptNotAnswered) { cancellable, error in
      unsafe almanac_secret_collection_create_sync(
        service.pointer, "Default keyring", Self.defaultAlias, 0, cancellable, error)
    }
  }
}

/// The default collection of the keyring, for one call.
struct KeyringCollection {
  fileprivate let collection: GLibObject
  fileprivate let calls: KeyringCalls

  var isLocked: Bool { unsafe almanac_secret_collection_get_locked(collection.pointer) != 0 }

  /// Returns the items of a service, or those with a name.
  func items(service: String, name: String? = nil, loading: Bool = false) throws -> [GLibObject] {
    let attributes = KeyringAttributes(service: service, name: name)
    let flags = ALMANAC_SEARCH_ALL | (loading ? ALMANAC_SEARCH_LOAD_SECRETS : 0)
    let list = try unsafe calls.make("search the keyring") { cancellable, error in
      unsafe almanac_secret_collection_search_sync(
        collection.pointer, nil, attributes.table, UInt32(flags), cancellable, error)
    }
    return unsafe GLibObject.taking(list)
  }

  /// Returns the name of an item.
  func name(_ item: GLibObject) -> String? {
    let table = unsafe almanac_secret_item_get_attributes(item.pointer)
    defer { unsafe almanac_g_hash_table_unref(table) }
    // Safe: the table owns the text, which is copied.
    return unsafe almanac_g_hash_table_lookup(table, "name").map {
      unsafe String(cString: $0.assumingMemoryBound(to: CChar.self))
    }
  }

  /// Returns the secret of an item that was loaded.
  func secret(of item: GLibObject) throws -> KeyringSecret {
    guard let secret = unsafe KeyringSecret(owning: almanac_secret_item_get_secret(item.pointer)) else {
      throw TokenStorageError.keyringLocked
    }
    return secret
  }

  /// Adds an item, or replaces its secret.
  func write(_ data: Data, service: String, name: String) throws {
    let (attributes, secret) = (KeyringAttributes(service: service, name: name), KeyringSecret(data))
    _ = try unsafe calls.object(otherwise: .promptEnded, "write to the keyring") { cancellable, error in
      unsafe almanac_secret_item_create_sync(
        collection.pointer, nil, attributes.table, Self.label(service, name), secret?.value,
        UInt32(ALMANAC_ITEM_CREATE_REPLACE), cancellable, error)
    }
  }

  func rename(_ item: GLibObject, service: String, name: String) throws {
    let attributes = KeyringAttributes(service: service, name: name)
    try unsafe calls.make("rename an item of the keyring") { cancellable, error in
      _ = unsafe almanac_secret_item_set_attributes_sync(item.pointer, nil, attributes.table, cancellable, error)
    }
    try unsafe calls.make("rename an item of the keyring") { cancellable, error in
      _ = unsafe almanac_secret_item_set_label_sync(item.pointer, Self.label(service, name), cancellable, error)
    }
  }

  func remove(_ item: GLibObject) throws {
    try unsafe calls.make("remove an item from the keyring") { cancellable, error in
      _ = unsafe almanac_secret_item_delete_sync(item.pointer, cancellable, error)
    }
  }

  private static func label(_ service: String, _ name: String) -> String { "\(service): \(name)" }
}
