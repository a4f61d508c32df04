// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import Testing

@Suite struct ConformanceFailureTests {
  private struct Cause: Error, CustomStringConvertible { let description = "no space left" }

  @Test func theDescriptionHasThePromiseTheDetailAndTheCause() {
    let failure = ConformanceFailure(promise: "A write is durable.", detail: "It was refused.", cause: Cause())
    #expect(failure.description == "Broken promise: A write is durable. It was refused. Cause: no space left")
    #expect(failure.localizedDescription == failure.description)
    #expect("\(ConformanceFailure(promise: "A.", detail: "B."))" == "Broken promise: A. B.")
  }
}
