// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacTesting
import CalendarAPI
import Foundation
import GoogleCredentials
import HTTPTransport
import OAuthCore
import Testing
import TokenStore

/// The exit status of every kind of error, and of responses with an error.
@Suite struct ExitStatusTests {
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

  static let refusals: [(status: Int, exit: Status)] = [
    (400, .refused), (401, .signInRequired), (403, .refused), (404, .refused), (408, .network), (429, .network),
    (500, .network), (503, .network),
  ]

  @Test(arguments: refusals) func refusedCallsStatusStatesWhetherToRetry(_ status: Int, _ exit: Status)
    async throws
  {
    let transport = StubTransport(HTTPResponse(status: status))
    let error = try await #require(throws: CallError.self) {
      try await transport.call(.get, try #require(URL(string: "https://api.example/")))
    }
    #expect(Status(error) == exit)
  }

  @Test(arguments: refusals) func refusedCalendarRequestHasTheSameStatus(_ status: Int, _ exit: Status)
    async throws
  {
    let calendar = CalendarClient(
      transport: StubTransport(HTTPResponse(status: status)),
      options: .init(retryPolicy: RetryPolicy(maximumAttempts: 1)))
    let error = try await #require(throws: CalendarError.self) { try await calendar.colors.get() }
    #expect(Status(error) == exit)
  }

  @Test func invalidResponseIsAFailure() async throws {
    let calendar = CalendarClient(transport: StubTransport(HTTPResponse(status: 200, body: Array("<html>".utf8))))
    let error = try await #require(throws: CalendarError.self) { try await calendar.colors.get() }
    #expect(Status(error) == .failure)
  }

  @Test func errorOfNoKnownKindIsAFailure() {
    struct Unknown: Error {}
    #expect(Status(CancellationError()) == .interrupted)
    #expect(Status(Unknown()) == .failure)
  }

  @Test func statusesAreThoseThatScriptsKnow() {
    let numbers = Status.allCases.map(\.rawValue)
    #expect(numbers == [0, 1, 2, 3, 4, 5, 6, 7, 8, 130])
  }
}
