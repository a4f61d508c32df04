// SPDX-License-Identifier: Apache-2.0

import CLibsecret
import TokenStore

/// One operation of the keyring: calls of libsecret in an event loop of their own, on the calling thread.
///
/// No call blocks in libsecret, whose synchronous functions can wait for a prompt without end. A call can outlast its cancellation only if
/// the keyring shows a prompt for a write or a removal, and does not respond, or if the keyring's process ends during the call. The operation
/// then leaves the call's memory and event descriptor behind, but no thread.
///
/// `@safe` because GLib's objects are valid from `init` to the end of ``run(_:within:_:)``, on one thread.
@safe
final class KeyringOperation {
  /// A place for the error of a function.
  typealias ErrorPlace = UnsafeMutablePointer<UnsafeMutablePointer<almanac_secret_error>?>

  private let context: OpaquePointer
  private let cancellable: OpaquePointer
  private let cancellation: KeyringCancellation
  private var isCancelled = false
  /// The keyring's service, and the name of its process on the bus.
  private var service: (proxy: GLibObject, owner: String)?

  /// Takes the thread's event loop.
  private init(_ cancellation: KeyringCancellation) {
    self.cancellation = cancellation
    unsafe context = almanac_g_main_context_new()
    unsafe cancellable = almanac_g_cancellable_new()
    unsafe almanac_g_main_context_push_thread_default(context)
  }

  /// Runs an operation, and releases everything that its calls have left on the event loop.
  ///
  /// Blocks.
  ///
  /// - Parameters:
  ///   - cancellation: The cancellation of the operation.
  ///   - limit: The maximum duration.
  ///   - body: The calls. It must not keep an object of GLib.
  /// - Throws: `TokenStorageError`; `CancellationError`; any other error of `body`.
  static func run<Output>(
    _ cancellation: KeyringCancellation, within limit: Duration,
    _ body: (KeyringOperation) throws -> Output
  ) throws -> Output {
    guard almanac_secret_load() else { throw TokenStorageError.noLibrary }
    let operation = KeyringOperation(cancellation)
    defer { operation.end() }
    do {
      return try unsafe cancellation.run(within: limit, waking: operation.context) {
        try body(operation)
      }
    } catch let fault as KeyringFault {
      throw TokenStorageError(fault)
    }
  }

  /// Ends the thread's event loop.
  private func end() {
    service = nil
    // Signals and objects are released by the event loop. Without this, each operation would leak them, and the connection too.
    while unsafe almanac_g_main_context_iteration(context, 0) != 0 {}
    unsafe almanac_g_main_context_pop_thread_default(context)
    unsafe almanac_g_main_context_unref(context)
    unsafe almanac_g_object_unref(UnsafeMutableRawPointer(cancellable))
  }

  /// Ends each following call when the service's process ends, during a prompt too.
  func watch(_ proxy: GLibObject) {
    service = Self.owner(of: proxy).map { (proxy, $0) }
  }

  /// Whether the operation was cancelled or has reached its time limit.
  var wasCancelled: Bool { cancellation.cause != nil }

  /// Makes a call.
  ///
  /// - Parameters:
  ///   - action: The attempted action.
  ///   - secret: The record that the call sends, which an error must not show.
  ///   - start: Starts the call, with GLib's cancellation and the arguments of the callback.
  ///   - finish: Returns the call's result.
  /// - Throws: `KeyringFault`; `TokenStorageError`; `CancellationError`.
  func call<Output>(
    _ action: KeyringAction, hiding secret: () -> [String] = { [] },
    _ start: (OpaquePointer, almanac_secret_callback, UnsafeMutableRawPointer) -> Void,
    finish: (_ result: OpaquePointer, ErrorPlace) -> Output
  ) throws -> Output {
    if let cause = cancellation.cause { throw Self.error(of: cause, action) }
    let completion = Completion()
    // Safe: the callback releases the completion. An abandoned call leaks it, so a late callback would still find it.
    unsafe start(cancellable, Completion.callback, Unmanaged.passRetained(completion).toOpaque())
    while completion.result == nil, !cancellation.isAbandoned {
      if cancellation.cause != nil, !isCancelled {
        isCancelled = true
        // On this thread: libsecret closes the prompt by a call that belongs to this event loop.
        unsafe almanac_g_cancellable_cancel(cancellable)
      } else {
        try iterate(action)
      }
    }
    guard let result = completion.result else {
      throw Self.error(of: cancellation.cause ?? .timeLimit, action)
    }
    var place: UnsafeMutablePointer<almanac_secret_error>?
    // Safe: the call writes an error that it allocates, or leaves NULL.
    let output = unsafe finish(result.pointer, &place)
    guard let error = unsafe place else { return output }
    defer { unsafe almanac_g_error_free(error) }
    if let cause = cancellation.cause { throw Self.error(of: cause, action) }
    // Safe: the error is valid until it is freed above.
    throw unsafe KeyringFault(action, error.pointee, hiding: secret())
  }

  /// Waits until the event loop has made a condition true.
  ///
  /// - Throws: `TokenStorageError`; `CancellationError`, at once.
  func wait(_ action: KeyringAction, until isDone: () -> Bool) throws {
    while !isDone() {
      if let cause = cancellation.cause { throw Self.error(of: cause, action) }
      try iterate(action)
    }
  }

  /// Makes a call without a result, and waits for its end until the cancelled operation is abandoned.
  func finish(_ start: (almanac_secret_callback, UnsafeMutableRawPointer) -> Void) {
    let completion = Completion()
    // Safe: as above.
    unsafe start(Completion.callback, Unmanaged.passRetained(completion).toOpaque())
    while completion.result == nil, cancellation.cause != nil, !cancellation.isAbandoned {
      _ = unsafe almanac_g_main_context_iteration(context, 1)
    }
  }

  /// Waits for the next event, unless the service has ended.
  private func iterate(_ action: KeyringAction) throws {
    if let service, Self.owner(of: service.proxy) != service.owner {
      throw TokenStorageError.serviceEnded(during: action)
    }
    _ = unsafe almanac_g_main_context_iteration(context, 1)
  }

  /// Makes a call that returns an object, or else an error.
  func object(
    _ action: KeyringAction,
    _ start: (OpaquePointer, almanac_secret_callback, UnsafeMutableRawPointer) -> Void,
    finish: (_ result: OpaquePointer, ErrorPlace) -> OpaquePointer?
  ) throws -> GLibObject {
    let object = try unsafe call(action, start) { unsafe GLibObject(owning: finish($0, $1)) }
    guard let object else { throw TokenStorageError.noResponse(to: action) }
    return object
  }

  /// Returns the error of a prompt that ended without its action.
  ///
  /// libsecret reports a cancelled prompt as dismissed.
  func dismissal(of action: KeyringAction) -> any Error {
    if let cause = cancellation.cause { return Self.error(of: cause, action) }
    return action == .remove ? TokenStorageError.removalDismissed : .promptEnded(action)
  }

  private static func error(of cause: KeyringCancellation.Cause, _ action: KeyringAction)
    -> any Error
  {
    switch cause {
    case .task: CancellationError()
    case .timeLimit:
      action.showsPrompt ? TokenStorageError.promptNotAnswered(action) : .noResponse(to: action)
    }
  }

  /// Returns the name of the process that is a service on the bus, or `nil` if there is none.
  private static func owner(of proxy: GLibObject) -> String? {
    guard let name = unsafe almanac_g_dbus_proxy_get_name_owner(proxy.pointer) else { return nil }
    defer { unsafe almanac_g_free(name) }
    // Safe: the text is copied before it is freed.
    return unsafe String(cString: name)
  }
}

/// The end of a call.
private final class Completion {
  var result: GLibObject?

  /// A callback of GLib, whose data is a retained completion.
  static let callback: almanac_secret_callback = { _, result, data in
    guard let data = unsafe data, let result = unsafe result else { return }
    let completion = unsafe Unmanaged<Completion>.fromOpaque(data).takeRetainedValue()
    completion.result = unsafe GLibObject(
      owning: OpaquePointer(almanac_g_object_ref(UnsafeMutableRawPointer(result))))
  }
}
