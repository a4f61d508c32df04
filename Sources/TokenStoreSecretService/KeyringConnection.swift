// SPDX-License-Identifier: Apache-2.0

import CLibsecret
import PlatformFoundation
import TokenStore

/// A connection to the keyring, for one operation.
///
/// All methods block until the keyring responds, or the operation ends.
struct KeyringConnection {
  private static let defaultAlias = "default"

  private let operation: KeyringOperation
  /// The process's connection to the session bus, which libsecret uses too.
  private let bus: GLibObject
  private let service: GLibObject

  /// Opens a connection.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - hasSession: Whether to open a session for secrets, which ``close()`` closes.
  /// - Throws: `KeyringFault`; `CancellationError`.
  init(_ operation: KeyringOperation, hasSession: Bool) throws {
    self.operation = operation
    bus = try Self.connect(operation)
    // GLib would end the process with the session bus.
    unsafe almanac_g_dbus_connection_set_exit_on_close(bus.pointer, 0)
    service = try unsafe operation.object(.open) { cancellable, callback, data in
      unsafe almanac_secret_service_open(
        almanac_secret_service_get_type(), nil, UInt32(hasSession ? ALMANAC_SERVICE_OPEN_SESSION : 0),
        cancellable, callback, data)
    } finish: { result, error in
      unsafe almanac_secret_service_open_finish(result, error)
    }
    operation.watch(service)
  }

  /// Connects to the session bus.
  ///
  /// All operations that connect at the same time share one attempt, which the cancellation of one of them ends.
  private static func connect(_ operation: KeyringOperation) throws -> GLibObject {
    for _ in 1..<10 {
      do { return try connectOnce(operation) } catch let fault as KeyringFault where fault.kind == .cancelled {}
    }
    return try connectOnce(operation)
  }

  private static func connectOnce(_ operation: KeyringOperation) throws -> GLibObject {
    try unsafe operation.object(.connect) { cancellable, callback, data in
      unsafe almanac_g_bus_get(Int32(ALMANAC_BUS_SESSION), cancellable, callback, data)
    } finish: { result, error in
      unsafe almanac_g_bus_get_finish(result, error)
    }
  }

  /// Closes the session, without waiting for the service.
  ///
  /// The service would otherwise keep it until the process's connection to the bus is closed.
  func close() {
    guard let session = unsafe almanac_secret_service_get_session_dbus_path(service.pointer) else { return }
    // Without a callback, GLib requests no reply.
    unsafe almanac_g_dbus_connection_call(
      bus.pointer, prompts.name, session, "org.freedesktop.Secret.Session", "Close", nil, nil,
      Int32(ALMANAC_CALL_NO_AUTO_START), -1, nil, nil, nil)
  }

  /// Returns the default collection, or `nil` if there is none.
  func defaultCollection() throws -> KeyringCollection? {
    let collection = try unsafe operation.call(.open) { cancellable, callback, data in
      unsafe almanac_secret_collection_for_alias(
        service.pointer, Self.defaultAlias, UInt32(ALMANAC_COLLECTION_NONE), cancellable, callback,
        data)
    } finish: { result, error in
      unsafe GLibObject(owning: almanac_secret_collection_for_alias_finish(result, error))
    }
    return collection.map {
      KeyringCollection(collection: $0, service: service, operation: operation)
    }
  }

  /// Unlocks a collection, with a prompt if necessary.
  func unlock(_ collection: KeyringCollection) throws {
    // Safe: the proxy owns the text, which is copied. The path of an object contains no quotation mark.
    let path = unsafe String(
      cString: almanac_g_dbus_proxy_get_object_path(collection.collection.pointer))
    try prompts.perform("Unlock", "([objectpath '\(path)'],)", .unlock)
  }

  /// Creates the default collection, for which the user chooses a password.
  func createDefaultCollection() throws {
    try prompts.perform(
      "CreateCollection",
      "({'org.freedesktop.Secret.Collection.Label': <'Default keyring'>}, '\(Self.defaultAlias)')",
      .create)
  }

  private var prompts: KeyringPrompts {
    KeyringPrompts(operation: operation, bus: bus, service: service)
  }
}

/// The default collection of the keyring, for one operation.
struct KeyringCollection {
  fileprivate let collection: GLibObject
  fileprivate let service: GLibObject
  fileprivate let operation: KeyringOperation

  var isLocked: Bool { unsafe almanac_secret_collection_get_locked(collection.pointer) != 0 }

  /// Returns the items of a service, or those with a name.
  ///
  /// An item that another process removes meanwhile is omitted. A search for objects would fail as a whole in libsecret.
  ///
  /// libsecret reports each failure to examine an item as an item that is gone, so a second search decides.
  func items(service name: String, name item: String? = nil) throws -> [GLibObject] {
    let attributes = KeyringAttributes(service: name, name: item)
    var missing: [String: KeyringFault] = [:]
    let items = try paths(of: attributes).compactMap { path -> GLibObject? in
      do {
        return try unsafe operation.object(.search) { cancellable, callback, data in
          unsafe almanac_secret_item_new_for_dbus_path(
            service.pointer, path, UInt32(ALMANAC_ITEM_NONE), cancellable, callback, data)
        } finish: { result, error in
          unsafe almanac_secret_item_new_for_dbus_path_finish(result, error)
        }
      } catch let fault as KeyringFault where fault.kind == .itemGone {
        missing[path] = fault
        return nil
      }
    }
    if !missing.isEmpty, let fault = try paths(of: attributes).lazy.compactMap({ missing[$0] }).first { throw fault }
    return items
  }

  /// Returns the paths of the items with attributes.
  private func paths(of attributes: KeyringAttributes) throws -> [String] {
    try unsafe operation.call(.search) { cancellable, callback, data in
      unsafe almanac_secret_collection_search_for_dbus_paths(
        collection.pointer, nil, attributes.table, cancellable, callback, data)
    } finish: { result, error in
      unsafe [String].taking(
        almanac_secret_collection_search_for_dbus_paths_finish(collection.pointer, result, error))
    }
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

  /// Returns the secret of an item.
  func secret(of item: GLibObject) throws -> KeyringSecret {
    _ = try unsafe operation.call(.read) { cancellable, callback, data in
      unsafe almanac_secret_item_load_secret(item.pointer, cancellable, callback, data)
    } finish: { result, error in
      unsafe almanac_secret_item_load_secret_finish(item.pointer, result, error)
    }
    guard let secret = unsafe KeyringSecret(owning: almanac_secret_item_get_secret(item.pointer))
    else {
      throw TokenStorageError.keyringLocked
    }
    return secret
  }

  /// Adds an item, or replaces its secret.
  func write(_ data: Data, service: String, name: String) throws {
    let (attributes, secret) = (
      KeyringAttributes(service: service, name: name), KeyringSecret(data)
    )
    let item = try unsafe operation.call(
      .write, hiding: { [String(decoding: data, as: UTF8.self)] }
    ) {
      cancellable, callback, data in
      unsafe almanac_secret_item_create(
        collection.pointer, nil, attributes.table, Self.label(service, name), secret?.value,
        UInt32(ALMANAC_ITEM_CREATE_REPLACE), cancellable, callback, data)
    } finish: { result, error in
      unsafe GLibObject(owning: almanac_secret_item_create_finish(result, error))
    }
    if item == nil { throw operation.dismissal(of: .write) }
  }

  func rename(_ item: GLibObject, service: String, name: String) throws {
    let attributes = KeyringAttributes(service: service, name: name)
    // The label first: if the operation fails between the calls, the item still has its name.
    _ = try unsafe operation.call(.rename) { cancellable, callback, data in
      unsafe almanac_secret_item_set_label(
        item.pointer, Self.label(service, name), cancellable, callback, data)
    } finish: { result, error in
      unsafe almanac_secret_item_set_label_finish(item.pointer, result, error)
    }
    _ = try unsafe operation.call(.rename) { cancellable, callback, data in
      unsafe almanac_secret_item_set_attributes(
        item.pointer, nil, attributes.table, cancellable, callback, data)
    } finish: { result, error in
      unsafe almanac_secret_item_set_attributes_finish(item.pointer, result, error)
    }
  }

  /// Removes the items with a name.
  ///
  /// The keyring may ask the user about each. libsecret does not report whether the user has agreed, so the items are searched for again.
  func remove(service: String, name: String) throws {
    let items = try items(service: service, name: name)
    for item in items {
      _ = try unsafe operation.call(.remove) { cancellable, callback, data in
        unsafe almanac_secret_item_delete(item.pointer, cancellable, callback, data)
      } finish: { result, error in
        unsafe almanac_secret_item_delete_finish(item.pointer, result, error)
      }
    }
    guard try items.isEmpty || self.items(service: service, name: name).isEmpty else {
      throw operation.dismissal(of: .remove)
    }
  }

  private static func label(_ service: String, _ name: String) -> String { "\(service): \(name)" }
}
