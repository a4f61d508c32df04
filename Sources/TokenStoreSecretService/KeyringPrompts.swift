// SPDX-License-Identifier: Apache-2.0

import CLibsecret
import TokenStore

/// The methods of the service that show a prompt, by D-Bus.
///
/// libsecret's own functions do not end if the user dismisses the prompt (asynchronous) or the service stops (synchronous).
struct KeyringPrompts {
  private static let interface = "org.freedesktop.Secret.Prompt"

  let operation: KeyringOperation
  let bus: GLibObject
  let service: GLibObject

  /// Calls a method, and shows the prompt that it returns.
  ///
  /// If the operation is cancelled, the prompt is dismissed, without waiting for the service.
  ///
  /// - Parameters:
  ///   - method: A method that returns a prompt in second place, or `/` for none.
  ///   - parameters: The method's parameters, in GVariant's text format.
  ///   - action: The attempted action.
  /// - Throws: `KeyringFault`; `TokenStorageError`; `CancellationError`.
  func perform(_ method: String, _ parameters: String, _ action: KeyringAction) throws {
    let reply = try call(
      method, parameters, at: "/org/freedesktop/secrets", "org.freedesktop.Secret.Service", action)
    guard let prompt = reply?.child(1)?.text else { throw TokenStorageError.noResponse(to: action) }
    if prompt == "/" { return }
    let end = PromptEnd()
    try withExtendedLifetime(end) {
      // Safe: the subscription ends before `end` is released.
      let number = unsafe almanac_g_dbus_connection_signal_subscribe(
        bus.pointer, name, Self.interface, "Completed", prompt, nil, 0, PromptEnd.callback,
        Unmanaged.passUnretained(end).toOpaque(), nil)
      defer { unsafe almanac_g_dbus_connection_signal_unsubscribe(bus.pointer, number) }
      do {
        _ = try call("Prompt", "('',)", at: prompt, Self.interface, action)
        try operation.wait(action) { end.isDismissed != nil }
      } catch {
        if operation.wasCancelled { dismiss(prompt) }
        throw error
      }
    }
    if end.isDismissed != false { throw TokenStorageError.promptEnded(action) }
  }

  /// Dismisses a prompt, without waiting for the service.
  private func dismiss(_ prompt: String) {
    // Without a callback, GLib requests no reply.
    unsafe almanac_g_dbus_connection_call(
      bus.pointer, name, prompt, Self.interface, "Dismiss", nil, nil,
      Int32(ALMANAC_CALL_NO_AUTO_START), -1, nil, nil, nil)
    unsafe operation.finish { callback, data in
      unsafe almanac_g_dbus_connection_flush(bus.pointer, nil, callback, data)
    }
  }

  /// The service's name on the bus.
  var name: String {
    // Safe: the proxy owns the text, which is copied.
    unsafe String(cString: almanac_g_dbus_proxy_get_name(service.pointer))
  }

  private func call(
    _ method: String, _ parameters: String, at path: String, _ interface: String,
    _ action: KeyringAction
  ) throws -> KeyringReply? {
    // Safe: GLib keeps a reference of its own during the call.
    let parameters = unsafe KeyringReply(
      owning: almanac_g_variant_parse(nil, parameters, nil, nil, nil))
    return try unsafe operation.call(action) { cancellable, callback, data in
      unsafe almanac_g_dbus_connection_call(
        bus.pointer, name, path, interface, method, parameters?.value, nil, 0, -1, cancellable,
        callback, data)
    } finish: { result, error in
      unsafe KeyringReply(owning: almanac_g_dbus_connection_call_finish(bus.pointer, result, error))
    }
  }
}

/// A value of D-Bus.
///
/// `@safe` because the value is valid from `init` to `deinit`.
@safe
private final class KeyringReply {
  let value: OpaquePointer

  /// Takes ownership of a value; `nil` if there is none.
  init?(owning value: OpaquePointer?) {
    guard let value = unsafe value else { return nil }
    unsafe self.value = value
  }

  deinit { unsafe almanac_g_variant_unref(value) }

  /// The value's type, as in `(aoo)`.
  private var type: String { unsafe String(cString: almanac_g_variant_get_type_string(value)) }

  /// Returns a member of a reply, if its type is one of those that the package knows.
  func child(_ index: Int) -> KeyringReply? {
    guard ["(aoo)", "(oo)", "(bv)"].contains(type) else { return nil }
    return unsafe KeyringReply(owning: almanac_g_variant_get_child_value(value, index))
  }

  /// The path, or `nil` for a value of another type.
  var text: String? {
    type == "o" ? unsafe String(cString: almanac_g_variant_get_string(value, nil)) : nil
  }

  /// The Boolean, or `nil` for a value of another type.
  var flag: Bool? { type == "b" ? unsafe almanac_g_variant_get_boolean(value) != 0 : nil }
}

/// The end of a prompt.
private final class PromptEnd {
  /// Whether the user dismissed the prompt, or `nil` while it is open.
  var isDismissed: Bool?

  /// A callback of GLib, whose data is a prompt's end.
  static let callback: almanac_secret_signal_callback = { _, _, _, _, _, parameters, data in
    guard let data = unsafe data, let parameters = unsafe parameters else { return }
    // Safe: the caller's reference lasts only for the call, so the reply takes one of its own.
    let reply = unsafe KeyringReply(owning: almanac_g_variant_ref(parameters))
    unsafe Unmanaged<PromptEnd>.fromOpaque(data).takeUnretainedValue().isDismissed =
      reply?.child(0)?.flag ?? true
  }
}
