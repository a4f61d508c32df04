// SPDX-License-Identifier: Apache-2.0

import CLibsecret
import TokenStore

/// The functions of libsecret that can fail, and their errors.
struct KeyringCalls {
  /// A place for the error of a function.
  typealias ErrorPlace = UnsafeMutablePointer<UnsafeMutablePointer<almanac_secret_error>?>

  let cancellation: KeyringCancellation

  /// Calls a function.
  ///
  /// - Parameters:
  ///   - action: The attempted action, as in "could not …".
  ///   - timeout: The error after the time limit. Defaults to one that names the action.
  ///   - function: The call, with GLib's cancellation.
  /// - Throws: `TokenStorageError`; `CancellationError`.
  func make<Output>(
    _ action: String, afterTimeLimit timeout: TokenStorageError? = nil,
    _ function: (_ cancellable: OpaquePointer?, ErrorPlace) -> Output
  ) throws -> Output {
    var place: UnsafeMutablePointer<almanac_secret_error>?
    // Safe: the call writes an error that it allocates, or leaves NULL.
    let output = unsafe function(cancellation.object, &place)
    guard let error = unsafe place else { return output }
    defer { unsafe almanac_g_error_free(error) }
    // Safe: the names of domains are constants. The message can contain text of other programs, and is not read.
    let domain = unsafe almanac_g_quark_to_string(error.pointee.domain).map { unsafe String(cString: $0) } ?? "unknown"
    let code = unsafe error.pointee.code
    switch cancellation.cause {
    case .task: throw CancellationError()
    case .timeLimit: throw timeout ?? .noResponse(to: action)
    case nil: break
    }
    if domain == "secret-error", code == ALMANAC_SECRET_IS_LOCKED { throw TokenStorageError.keyringLocked }
    throw TokenStorageError.keyringFailed(to: action, domain: domain, code: code)
  }

  /// Calls a function that returns an object.
  ///
  /// - Parameters:
  ///   - missing: The error if there is no object. If `action` is `nil`, it replaces the function's error too.
  ///   - action: The attempted action.
  ///   - timeout: The error after the time limit.
  ///   - function: The call, with GLib's cancellation.
  /// - Throws: `TokenStorageError`; `CancellationError`.
  func object(
    otherwise missing: TokenStorageError, _ action: String? = nil, afterTimeLimit timeout: TokenStorageError? = nil,
    _ function: (_ cancellable: OpaquePointer?, ErrorPlace) -> OpaquePointer?
  ) throws -> GLibObject {
    do {
      let pointer = unsafe try make(action ?? "open the keyring", afterTimeLimit: timeout, function)
      guard let object = unsafe GLibObject(owning: pointer) else { throw missing }
      return object
    } catch let error as TokenStorageError where action == nil && cancellation.cause == nil {
      throw error.code == .keyringLocked ? error : missing
    }
  }
}
