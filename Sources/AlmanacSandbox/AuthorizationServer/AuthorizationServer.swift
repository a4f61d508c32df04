// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization
import Timekeeping

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The authorization servers of the sandbox: their endpoints, each in a file of this folder, and what they have issued.
///
/// It holds no calendar, and is asked by the servers that do whether a request has a valid token.
final class AuthorizationServer: Sendable {
  typealias Client = Sandbox.Client
  typealias Configuration = Sandbox.Configuration
  typealias Dialect = Sandbox.Dialect
  typealias Scope = Sandbox.Scope
  typealias User = Sandbox.User

  let configuration: Configuration
  let clock: any WallClock
  let log: RequestLog
  let signingKey: SigningKeyHolder
  let state = Mutex(State())
  /// Whether a user, or a service account, has calendars: a token of Google Cloud is for such accounts alone.
  let hasCalendars: @Sendable (_ user: String) -> Bool

  /// What changes while the servers run.
  struct State {
    /// What each authorization server has asked and issued.
    var issued: [ServerProfile.Realm: Issued] = [:]
    /// The clients that have registered themselves.
    var registered: [String: RegisteredEntry] = [:]
    /// The sessions of the users who have authenticated and not signed out, by their e-mail addresses.
    var sessions: [String: UserSession] = [:]
    /// What is remembered of proofs of possession.
    var proofs = ProofStore()
  }

  /// What an authorization server has asked and issued.
  struct Issued {
    var consents = ConsentStore()
    var grants = GrantStore()
    var devices = DeviceStore()
    var backchannel = DeviceStore()
    var pushed = PushedRequests()
    /// The assertions that were presented.
    var assertions = ExpiringTable<Bool>()
  }

  init(
    configuration: Configuration, clock: any WallClock, log: RequestLog,
    hasCalendars: @escaping @Sendable (_ user: String) -> Bool
  ) {
    self.configuration = configuration
    self.clock = clock
    self.log = log
    self.hasCalendars = hasCalendars
    signingKey = SigningKeyHolder(algorithm: configuration.idTokenAlgorithm)
  }

  func record(_ kind: Sandbox.LogEntry.Kind, client: String? = nil, _ detail: String = "") {
    log.record(kind, client: client, detail)
  }

  func issuer(for url: URL) -> String { configuration.effectiveIssuer(for: url) }

  /// How many entries the stores hold.
  var rememberedCount: Int {
    state.withLock {
      $0.issued.values.reduce($0.proofs.count) {
        $0 + $1.consents.count + $1.assertions.count + $1.devices.count + $1.backchannel.count + $1.pushed.count
          + $1.grants.grantCount + $1.grants.secretCount
      }
    }
  }

  /// Ends every access token, as if its time were over.
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
}
