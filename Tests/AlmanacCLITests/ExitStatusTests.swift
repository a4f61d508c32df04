// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import Testing
import TokenStore

@Suite struct ExitStatusTests {
  static let refusals: [(status: Int, exit: AlmanacCLI.ExitStatus)] = [
    (400, .refused), (401, .signInRequired), (403, .refused), (404, .refused), (408, .network), (429, .network),
    (500, .network), (503, .network),
  ]

  @Test(arguments: refusals) func refusedCallsStatusStatesWhetherToRetry(_ status: Int, _ exit: AlmanacCLI.ExitStatus)
    async throws
  {
    let transport = StubTransport(HTTPResponse(status: status))
    let error = try await #require(throws: CallError.self) {
      try await transport.call(.get, try #require(URL(string: "https://api.example/")))
    }
    #expect(AlmanacCLI.ExitStatus(error) == exit)
  }

  @Test(arguments: refusals) func refusedCalendarRequestHasTheSameStatus(_ status: Int, _ exit: AlmanacCLI.ExitStatus)
    async throws
  {
    let calendar = CalendarClient(
      transport: StubTransport(HTTPResponse(status: status)),
      options: .init(retryPolicy: RetryPolicy(maximumAttempts: 1)))
    let error = try await #require(throws: CalendarError.self) { try await calendar.colors.get() }
    #expect(AlmanacCLI.ExitStatus(error) == exit)
  }

  @Test func invalidResponseIsAFailure() async throws {
    let calendar = CalendarClient(transport: StubTransport(HTTPResponse(status: 200, body: Array("<html>".utf8))))
    let error = try await #require(throws: CalendarError.self) { try await calendar.colors.get() }
    #expect(AlmanacCLI.ExitStatus(error) == .failure)
  }

  @Test func storageAndItsMisuseAreDifferent() {
    #expect(AlmanacCLI.ExitStatus(TokenStorageError(.corrupted, "")) == .storage)
    #expect(AlmanacCLI.ExitStatus(TokenStorageError(.invalidAccount, "")) == .usage)
    #expect(AlmanacCLI.ExitStatus(CancellationError()) == .interrupted)
  }
}
