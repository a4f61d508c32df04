// SPDX-License-Identifier: Apache-2.0

import Support
import TokenStore

extension OAuthAccount {
  /// Signs in on another device, and stores the new tokens.
  ///
  /// ```swift
  /// try await account.signInOnDevice { device in
  ///   let text = "Open \(device.verificationURI) and enter \(device.userCode)\n"
  ///   FileHandle.standardError.write(Data(text.utf8))  // `print` buffers its output if it is a pipe
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - parameters: Further parameters of the request, in addition to the account's.
  ///   - show: Shows the user the verification URL and the code. Called once, on its own actor, or on none.
  /// - Throws: The errors of ``beginDeviceSignIn(parameters:)``, ``completeDeviceSignIn(_:)`` and `show`.
  @discardableResult
  public func signInOnDevice(
    parameters: AuthorizationParameters = [:], _ show: @concurrent (DeviceAuthorization) async throws -> Void
  ) async throws -> AccessToken {
    let device = try await beginDeviceSignIn(parameters: parameters)
    try await show(device)
    return try await completeDeviceSignIn(device)
  }

  /// Returns an access token: the stored one, else a refreshed one, else one from a new sign-in on another device.
  ///
  /// Like ``authorize()``, it also signs in once for new scopes of the account, together with all previously requested scopes. The
  /// user whose tokens are stored must sign in. If another user does, the method throws and keeps the stored tokens.
  ///
  /// - Parameters:
  ///   - parameters: Further parameters of a device authorization request, in addition to the account's.
  ///   - show: Shows the user the verification URL and the code. Called once, on its own actor, or on none, if a sign-in is needed.
  /// - Throws: The errors of ``signInOnDevice(parameters:_:)``. Also ``OAuthError`` with code
  ///   ``OAuthError/Code/subjectMismatch`` if another user signs in for new scopes.
  @discardableResult
  public func authorizeOnDevice(
    parameters: AuthorizationParameters = [:], _ show: @concurrent (DeviceAuthorization) async throws -> Void
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
  /// - Throws: ``OAuthError``, with code ``OAuthError/Code/unsupported`` if the server has no device authorization
  ///   endpoint, or `TokenStorageError` if the storage cannot store the tokens. Also `TransportError` and
  ///   `CancellationError`.
  public func beginDeviceSignIn(parameters: AuthorizationParameters = [:]) async throws -> DeviceAuthorization {
    try await beginDeviceSignIn(scopes: scopes, parameters: parameters)
  }

  private func beginDeviceSignIn(
    scopes: [Scope], parameters: AuthorizationParameters
  ) async throws -> DeviceAuthorization {
    try await tokens.record.checkWritable()
    return try await OAuthError.naming(account: name) {
      try await client.beginDeviceAuthorization(scopes: scopes, parameters: self.parameters.merging(parameters))
    }
  }

  /// Polls for the tokens until the user has decided, and stores them.
  ///
  /// For the intervals, see ``OAuthClient/completeDeviceAuthorization(_:)``. A sent request is completed even if the
  /// current task is cancelled. If the verifier rejects the tokens, they are revoked. If the tokens cannot be stored,
  /// they are revoked unless the storage holds other tokens of the account.
  ///
  /// - Throws: ``OAuthError``, such as with code ``OAuthError/Code/accessDenied`` or
  ///   ``OAuthError/Code/signInTimedOut``. Also `TransportError`, `TokenStorageError`, and `CancellationError`,
  ///   immediately, when the current task is cancelled. The previously stored tokens are kept.
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
          try await store(continuing: stored) { slot in
            try await self.client.requestToken(for: device) {
              try await slot.prepare(&$0, spending: device.deviceCode)
            }
          } ifAccepted: {
            try await $1.verify($0, for: device)
          }
        }
      }
    }
  }
}
