// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation
import Synchronization
import Timekeeping

/// The authorization servers of the sandbox: their endpoints, each in a file of this folder, and the tokens they have issued.
///
/// This class stores no calendars. The calendar servers call it to check a request's access token.
final class AuthorizationServer: Sendable {
  typealias Client = Sandbox.Client
  typealias Configuration = Sandbox.Configuration
  typealias Dialect = Sandbox.Dialect
  typealias OfferedScope = Sandbox.OfferedScope
  typealias User = Sandbox.User

  let configuration: Configuration
  let clock: any WallClock
  let log: RequestLog
  /// The Google Cloud sandbox, whose access tokens the Calendar API accepts.
  let cloud: GoogleCloudSandbox?
  let signingKey: SigningKeyHolder
  let state = Mutex(State())
  /// Whether a user or a service account has calendars.
  ///
  /// Google Cloud's tokens are accepted for such accounts only.
  let hasCalendars: @Sendable (_ user: String) -> Bool

  /// The mutable state of the servers.
  struct State {
    /// The pending and issued authorizations of each server.
    var issued: [ServerProfile.Realm: Issued] = [:]
    /// The dynamically registered clients.
    var registered: [String: RegisteredEntry] = [:]
    /// The sessions of the users who have authenticated and not signed out, by e-mail address.
    var sessions: [String: UserSession] = [:]
    /// The nonces, and the proofs already used.
    var proofs = ProofStore()
  }

  /// An authorization server's pending and issued authorizations.
  struct Issued {
    /// The requests that await a user's decision on their consent page.
    var consents = ExpiringTable<AuthorizationRequest>()
    var grants = GrantStore()
    var devices = DeviceStore()
    var backchannel = DeviceStore()
    /// The pushed requests not yet opened in a browser ([RFC 9126](https://www.rfc-editor.org/rfc/rfc9126.html)).
    var pushed = ExpiringTable<PushedRequest>()
    /// The assertions already used.
    var assertions = ExpiringTable<Bool>()
  }

  init(
    configuration: Configuration, clock: any WallClock, log: RequestLog, cloud: GoogleCloudSandbox?,
    hasCalendars: @escaping @Sendable (_ user: String) -> Bool
  ) {
    self.configuration = configuration
    self.clock = clock
    self.log = log
    self.cloud = cloud
    self.hasCalendars = hasCalendars
    signingKey = SigningKeyHolder(algorithm: configuration.idTokenAlgorithm)
  }

  func record(_ kind: Sandbox.LogEntry.Kind, client: String? = nil, _ detail: String = "") {
    log.record(kind, client: client, detail)
  }

  func issuer(for url: URL) -> String { configuration.effectiveIssuer(for: url) }

  /// The total number of stored entries.
  var rememberedCount: Int {
    state.withLock {
      $0.issued.values.reduce($0.proofs.count) {
        $0 + $1.consents.count + $1.assertions.count + $1.devices.count + $1.backchannel.count + $1.pushed.count
          + $1.grants.grantCount + $1.grants.secretCount
      }
    }
  }

  /// Invalidates every access token, as if it had expired.
  func invalidateAccessTokens() {
    state.withLock { state in
      for realm in state.issued.keys { state.issued[realm]?.grants.invalidateAccessTokens() }
    }
  }

  /// Ends every grant, as if its user had revoked it.
  func revokeGrants() {
    state.withLock { state in
      for realm in state.issued.keys { state.issued[realm]?.grants.endAll() }
    }
  }

  /// Ends the grants of the user with this e-mail address.
  func revokeGrants(of user: String) {
    state.withLock { state in
      for realm in state.issued.keys { state.issued[realm]?.grants.endAll { $0.user == user } }
    }
  }
}
