// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Sandbox {
  /// Responds to an authorization request as the user in front of the browser would.
  ///
  /// It takes the way that the browser takes: the request is checked, the consent page is shown and its form sent once.
  ///
  /// - Parameters:
  ///   - authorizationURL: The URL that the application opens in the browser.
  ///   - deny: Whether the user refuses.
  ///   - scopes: What the user ticks, where that is less than what is requested.
  ///   - user: The e-mail address of the user who signs in, where there are several. Defaults to the one that the
  ///     application expects, or else the first.
  /// - Returns: The callback URL, with a code or an error.
  /// - Throws: ``SandboxError`` if the browser would show an error page instead of going back to the application.
  public func approve(
    _ authorizationURL: URL, deny: Bool = false, granting scopes: Set<String>? = nil, as user: String? = nil
  ) throws -> URL {
    let parameters = Parameters(authorizationURL.query(percentEncoded: true) ?? "")
    let server = authorizationServer(for: authorizationURL)
    var outcome = authorize(parameters, at: server)
    if case .consent(let id, _) = outcome {
      outcome = decide(consent: id, deny ? .deny : .allow(scopes, user: user), at: server)
    }
    switch outcome {
    case .redirect(let address):
      guard let callback = URL(string: address) else {
        throw SandboxError("The redirect URI is not a URL. Register another for the client.")
      }
      return callback
    case .refused(let reason): throw SandboxError(reason)
    case .consent: throw SandboxError("The form of the consent page was not sent.")
    }
  }

  /// Responds to an authorization request whose response the browser posts, as ``Dialect/postsResponses`` says.
  ///
  /// - Parameters:
  ///   - authorizationURL: The URL that the application opens in the browser.
  ///   - deny: Whether the user refuses.
  /// - Returns: The URL that the form is posted to, and the form.
  /// - Throws: ``SandboxError`` if the browser would show an error page instead of going back to the application.
  public func approveByForm(_ authorizationURL: URL, deny: Bool = false) throws -> (callback: URL, form: [UInt8]) {
    let address = try approve(authorizationURL, deny: deny).absoluteString
    guard let (target, form) = Self.posted(address), let callback = URL(string: target) else {
      throw SandboxError("The callback has no parameters.")
    }
    return (callback, Array(form.utf8))
  }

  /// Enters the code of a device and decides, as the user would.
  ///
  /// - Parameters:
  ///   - userCode: The code that the device shows.
  ///   - deny: Whether the user refuses.
  ///   - scopes: What the user allows, where that is less than what is requested.
  ///   - user: The e-mail address of the user who signs in. Defaults to the first.
  /// - Throws: ``SandboxError`` if the code is not known, was used or has expired.
  public func approve(
    userCode: String, deny: Bool = false, granting scopes: Set<String>? = nil, as user: String? = nil
  ) throws {
    guard
      decide(
        userCode: DeviceStore.normalized(userCode), deny ? .deny : .allow(scopes, user: user), in: \.devices,
        at: authorizationServer(for: Self.inProcessURL))
    else {
      throw SandboxError("The code is not known, was used, or has expired. Start again on the device.")
    }
  }

  /// Opens the URL of a request to sign out as the user's browser would, and confirms it.
  ///
  /// - Parameter logoutURL: The URL that the application opens in the browser.
  /// - Returns: The callback URL; `nil` if the user stays at the sandbox.
  /// - Throws: ``SandboxError`` if the browser would show an error page.
  public func signOut(at logoutURL: URL) async throws -> URL? {
    let parameters = Parameters(logoutURL.query(percentEncoded: true) ?? "")
    do throws(OAuthFault) {
      let logout = try await logoutRequest(parameters, at: authorizationServer(for: logoutURL))
      await endUserSession(of: logout.user)
      return logout.redirectURI.flatMap { URL(string: $0) }
    } catch {
      throw SandboxError(error.description)
    }
  }

  /// Makes every access token that has been issued invalid now.
  ///
  /// Refresh tokens stay good.
  public func invalidateAccessTokens() {
    configuration.googleCloud?.invalidateAccessTokens()
    state.withLock { state in
      for realm in state.issued.keys { state.issued[realm]?.grants.invalidateAccessTokens() }
    }
  }

  /// Ends every grant now, as the user does who withdraws access in the account's settings: neither access nor refresh
  /// tokens are good any more.
  public func revokeGrants() {
    state.withLock { state in
      for realm in state.issued.keys { state.issued[realm]?.grants.endAll() }
    }
  }

  /// Makes every sync token that has been issued expire now, so that the next one is responded with 410.
  public func expireSyncTokens() { calendarStore.withLock { $0.syncTokens.generation += 1 } }
}

/// Why the sandbox could not do what the user would.
public struct SandboxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What happened and what to do, in a sentence.
  public let message: String

  /// Creates an error.
  public init(_ message: String) { self.message = message }

  /// The message.
  public var description: String { message }
}

extension SandboxError: LocalizedError {
  /// What is wrong and where: the description.
  public var errorDescription: String? { description }
}
