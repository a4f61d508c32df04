// SPDX-License-Identifier: Apache-2.0

import Support
import TokenStore

extension OAuthAccount {
  /// Signs in on another device, and stores the new tokens.
  ///
  /// ```swift
  /// try await account.signInOnDevice { device in
  ///   print("Open \(device.verificationURI) and enter \(device.userCode)")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - parameters: Further parameters of the request, in addition to the account's.
  ///   - show: Shows the user where to go and what to enter. Called once, on the caller's actor.
  /// - Throws: As ``beginDeviceSignIn(parameters:)`` and ``completeDeviceSignIn(_:)``; what `show` throws.
  @discardableResult
  nonisolated(nonsending) public func signInOnDevice(
    parameters: AuthorizationParameters = [:], _ show: (DeviceAuthorization) async throws -> Void
  ) async throws -> AccessToken {
    let device = try await beginDeviceSignIn(parameters: parameters)
    try await show(device)
    return try await completeDeviceSignIn(device)
  }

  /// Returns an access token: the stored one, else a refreshed one, else one from a new sign-in on another device.
  ///
  /// As ``authorize()``, it also signs in for scopes of the account that are new, once, and together with those that were requested
  /// before. The user whose tokens are stored has to sign in again then; what was stored is kept otherwise.
  ///
  /// - Parameters:
  ///   - parameters: Further parameters of a request for a code, in addition to the account's.
  ///   - show: Shows the user where to go and what to enter. Called on the caller's actor, once if a sign-in is needed.
  /// - Throws: As ``signInOnDevice(parameters:_:)``, and ``OAuthError`` with code ``OAuthError/Code/subjectMismatch`` if another user
  ///   signs in for new scopes.
  @discardableResult
  nonisolated(nonsending) public func authorizeOnDevice(
    parameters: AuthorizationParameters = [:], _ show: (DeviceAuthorization) async throws -> Void
  ) async throws -> AccessToken {
    let token: StoredToken
    do {
      token = try await tokens.currentRecord()
    } catch let error as OAuthError where error.code == .signInRequired {
      return try await signInOnDevice(parameters: parameters, show)
    }
    guard lacksNewScopes(token) else { return AccessToken(token) }
    return try await signInForNewScopes(besides: token) { scopes, stored in
      let device = try await beginDeviceSignIn(scopes: scopes, parameters: parameters)
      try await show(device)
      return try await completeDeviceSignIn(device, continuing: stored)
    }
  }

  /// Begins a sign-in on another device, for the account's scopes.
  ///
  /// - Parameter parameters: Further parameters of the request, in addition to the account's.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/unsupported`` if the server has no endpoint for it;
  ///   `TokenStorageError` if the tokens could not be stored; `TransportError`; `CancellationError`.
  public func beginDeviceSignIn(parameters: AuthorizationParameters = [:]) async throws -> DeviceAuthorization {
    try await beginDeviceSignIn(scopes: scopes, parameters: parameters)
  }

  private func beginDeviceSignIn(
    scopes: [String], parameters: AuthorizationParameters
  ) async throws -> DeviceAuthorization {
    try await tokens.record.checkWritable()
    return try await OAuthError.naming(account: name) {
      try await client.beginDeviceAuthorization(scopes: scopes, parameters: self.parameters.merging(parameters))
    }
  }

  /// Requests the tokens until the user has decided, and stores them.
  ///
  /// See ``OAuthClient/completeDeviceAuthorization(_:)`` for the waits. A request that was sent is carried through even if the
  /// current task is cancelled then. Tokens that the verifier refuses are revoked. So are tokens that cannot be stored,
  /// provided that the storage holds no other tokens of the account.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/accessDenied`` or ``OAuthError/Code/signInTimedOut``;
  ///   `TransportError`, `TokenStorageError`; `CancellationError`, promptly, when the current task is cancelled. What was stored
  ///   is kept.
  @discardableResult
  public func completeDeviceSignIn(_ device: DeviceAuthorization) async throws -> AccessToken {
    try await completeDeviceSignIn(device, continuing: nil)
  }

  private func completeDeviceSignIn(
    _ device: DeviceAuthorization, continuing stored: StoredToken?
  ) async throws -> AccessToken {
    try await OAuthError.naming(account: name) {
      try await client.approval(of: device) {
        try await shielded { [self] in
          let token = try await client.requestToken(for: device)
          return try await store(token, continuing: stored) { try await $0.verify(token, for: device) }
        }
      }
    }
  }
}
