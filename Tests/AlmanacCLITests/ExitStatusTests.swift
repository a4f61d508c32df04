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

  @Test func errorsOfOAuth() {
    let codes: [(Status, [OAuthError.Code])] = [
      (.signInRequired, [.signInRequired]), (.accessDenied, [.accessDenied, .signInTimedOut]),
      (.network, [.serverUnavailable]), (.usage, [.invalidConfiguration, .originNotAllowed]),
      (.refused, [.requestRejected]),
      (
        .failure,
        [.invalidCallback, .stateMismatch, .issuerMismatch, .invalidResponse, .unsupported, .userAgentUnavailable]
      ),
    ]
    for (status, codes) in codes { for code in codes { #expect(Status(OAuthError(code, "")) == status, "\(code)") } }
  }

  @Test func errorsOfATransport() {
    let codes: [TransportError.Code] = [
      .unreachable, .connectionLost, .timedOut, .tls, .truncated, .tooLarge, .redirectRefused, .protocolViolation,
    ]
    for code in codes { #expect(Status(TransportError(code, "")) == .network, "\(code)") }
    #expect(Status(TransportError(.invalidRequest, "")) == .usage)
  }

  @Test func errorsOfAStorage() {
    for code in [TokenStorageError.Code.corrupted, .unavailable, .busy, .insecure] {
      #expect(Status(TokenStorageError(code, "")) == .storage, "\(code)")
    }
    #expect(Status(TokenStorageError(.invalidAccount, "")) == .usage)
  }

  @Test func errorsOfACredential() {
    let codes: [(Status, [GoogleCredentialError.Code])] = [
      (.usage, [.invalidConfiguration]), (.storage, [.unreadable, .malformed]),
      (.network, [.serverUnavailable, .metadataServerFailed]), (.refused, [.refused]),
      (.failure, [.notFound, .unsupported, .untrustedURL, .subjectTokenUnavailable, .invalidResponse]),
    ]
    for (status, codes) in codes {
      for code in codes { #expect(Status(GoogleCredentialError(code, "")) == status, "\(code)") }
    }
  }

  @Test(
    arguments: [
      (400, .refused), (401, .signInRequired), (403, .refused), (404, .refused), (408, .network), (429, .network),
      (500, .network), (503, .network),
    ] as [(Int, Status)])
  func refusalsStatusStatesWhetherToRetry(_ status: Int, _ exit: Status) async throws {
    let transport = StubTransport { _ in HTTPResponse(status: status) }
    let call = try await #require(throws: CallError.self) {
      try await transport.call(.get, URL(literal: "https://api.example/"))
    }
    #expect(Status(call) == exit)
    let calendar = CalendarClient(
      transport: transport, options: .init(retryPolicy: RetryPolicy(maximumAttempts: 1)))
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
