// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import CalendarAPI
import GoogleCredentials
import HTTPTransport
import OAuthCore
import Testing
import TokenStore

/// The exit status of every kind of error.
@Suite struct ErrorStatusTests {
  typealias Status = AlmanacCLI.ExitStatus

  @Test(
    arguments: [
      (.signInRequired, .signInRequired), (.accessDenied, .accessDenied), (.signInTimedOut, .accessDenied),
      (.serverUnavailable, .network), (.invalidConfiguration, .usage), (.originNotAllowed, .usage),
      (.requestRejected, .refused), (.invalidCallback, .failure), (.stateMismatch, .failure),
      (.issuerMismatch, .failure), (.invalidResponse, .failure), (.unsupported, .failure),
      (.userAgentUnavailable, .failure),
    ] as [(OAuthError.Code, Status)])
  func errorOfOAuth(_ code: OAuthError.Code, _ status: Status) { #expect(Status(OAuthError(code, "")) == status) }

  @Test(
    arguments: [
      (.invalidRequest, .usage), (.unreachable, .network), (.connectionLost, .network), (.timedOut, .network),
      (.tls, .network), (.truncated, .network), (.tooLarge, .network), (.redirectRefused, .network),
      (.protocolViolation, .network),
    ] as [(TransportError.Code, Status)])
  func errorOfATransport(_ code: TransportError.Code, _ status: Status) {
    #expect(Status(TransportError(code, "")) == status)
  }

  @Test(
    arguments: [
      (.invalidAccount, .usage), (.corrupted, .storage), (.unavailable, .storage), (.busy, .storage),
      (.insecure, .storage),
    ] as [(TokenStorageError.Code, Status)])
  func errorOfAStorage(_ code: TokenStorageError.Code, _ status: Status) {
    #expect(Status(TokenStorageError(code, "")) == status)
  }

  @Test(
    arguments: [
      (.invalidConfiguration, .usage), (.unreadable, .storage), (.malformed, .storage), (.serverUnavailable, .network),
      (.metadataServerFailed, .network), (.refused, .refused), (.notFound, .failure), (.unsupported, .failure),
      (.untrustedURL, .failure), (.subjectTokenUnavailable, .failure), (.invalidResponse, .failure),
    ] as [(GoogleCredentialError.Code, Status)])
  func errorOfACredential(_ code: GoogleCredentialError.Code, _ status: Status) {
    #expect(Status(GoogleCredentialError(code, "")) == status)
  }

  @Test func errorOfNoKnownKindIsAFailure() {
    struct Unknown: Error {}
    #expect(Status(Unknown()) == .failure)
  }

  @Test func statusesAreThoseThatScriptsKnow() {
    let numbers = Status.allCases.map(\.rawValue)
    #expect(numbers == [0, 1, 2, 3, 4, 5, 6, 7, 8, 130])
  }
}
