// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing

/// Foundation says "The operation could not be completed" of an error that is not localized.
@Suite struct LocalizedErrorTests {
  @Test(
    arguments: [
      OAuthError(.signInRequired, "It says what to do."), TransportError(.timedOut, "It says what to do."),
      TokenStorageError(.busy, "It says what to do."), CallError(.refused, "It says what to do."),
      CalendarError(.notFound, "It says what to do."), SandboxError("It says what to do."),
    ] as [any Error])
  func messageIsTheLocalizedDescription(error: any Error) {
    #expect(error.localizedDescription == "It says what to do.")
  }

  @Test func parseErrorSaysWhatAndWhere() {
    let error = RFC3339ParseError(.day, at: 8)
    #expect(error.localizedDescription == error.description)
  }

  @Test func remedyIsTheRecoverySuggestion() {
    let error = CalendarError(.notFound, "There is no such calendar.")
    #expect(error.recoverySuggestion?.isEmpty == false)
    #expect(error.recoverySuggestion != CalendarError(.conflict, "").recoverySuggestion)
  }
}
