// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import Synchronization
import TestSupport
import Testing
import TransportKit

@Suite(.takesTurns)
struct TransportConformanceTests {
  @Test func aTransportThatDoesNotStreamIsReported() async throws {
    let kit = TransportConformance { _ in StubTransport(HTTPResponse(status: 200)) }
    let check = try #require(kit.checks.first { $0.id == "streaming.head-first" })
    let failure = try await #require(throws: ConformanceFailure.self) { try await kit.run(check) }
    #expect(failure.detail == "StubTransport is not a StreamingTransport.")
  }

  /// The steps are those of a wait that the transport makes in the check's task.
  @Test func aCheckThatMakesProgressForEverEndsAndSaysSo() async throws {
    let server = try HostileServer(.response(200))
    defer { server.stop() }
    let kit = TransportConformance(patience: .milliseconds(100)) { _ in
      StubTransport { _ in
        while true {
          try Task.checkCancellation()
          await server.wait { _ in true }
          // The wait has ended before it begins, and keeps the thread.
          try await Task.sleep(for: .milliseconds(1))
        }
      }
    }
    let check = try #require(kit.checks.first)
    let failure = try await #require(throws: ConformanceFailure.self) { try await kit.run(check) }
    #expect(
      failure.detail.hasPrefix("Not finished after 1.0 seconds, although it makes progress. Waiting for "),
      "\(failure.detail)")
    #expect(failure.detail.contains("the response to GET /"))
  }

  @Test func everyCheckHasANameOfItsOwnAndASentence() {
    let checks = TransportConformance.allChecks
    #expect(Set(checks.map(\.id)).count == checks.count)
    for check in checks {
      #expect(check.id.hasPrefix("\(check.group.rawValue)."))
      #expect(check.promise.hasSuffix("."), "\(check)")
      #expect("\(check)" == "\(check.id): \(check.promise)")
    }
    for group in TransportConformance.Group.allCases { #expect(checks.contains { $0.group == group }) }
  }

  @Test func anExcludedCheckDoesNotRun() async throws {
    let first = try #require(TransportConformance.allChecks.first)
    let kit = TransportConformance(excluding: [first.id: "It is another one's."]) { _ in
      StubTransport(HTTPResponse(status: 200))
    }
    #expect(kit.checks.map(\.id) == TransportConformance.allChecks.dropFirst().map(\.id))
    #expect(kit.excluded.map(\.check.id) == [first.id])
    #expect(kit.excluded.map(\.reason) == ["It is another one's."])
    let failure = try await #require(throws: ConformanceFailure.self) { try await kit.run() }
    #expect(failure.promise == kit.checks.first?.promise)
  }

  @Test func aCheckThatDoesNotExistCannotBeLeftOut() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let exclusions = ["requests.none": "There is none.", "requests.fragment": "It is kept."]
      _ = TransportConformance(excluding: exclusions) { _ in StubTransport() }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Unknown checks in the exclusions: requests.none\n"), "\(text)")
  }

  @Test func aReasonThatIsMissingIsABrokenPromiseUnlessItMay() async throws {
    let check = try #require(TransportConformance.allChecks.first { $0.id == "hostility.ssh" })
    func kit(givesReasons: Bool) -> TransportConformance {
      TransportConformance(givesReasons: givesReasons) { _ in
        StubTransport { _ in throw TransportError(.protocolViolation, "It is no HTTP.") }
      }
    }
    try await kit(givesReasons: false).run(check)
    let failure = try await #require(throws: ConformanceFailure.self) { try await kit(givesReasons: true).run(check) }
    #expect(
      failure.detail
        == "It failed with protocolViolation, no reason; expected the reason \(TransportError.Reason.malformedHead).")
  }

  @Test func anErrorOfMakingATransportIsTheCauseOfTheFailure() async throws {
    struct NoSocket: Error {}
    let check = try #require(TransportConformance.allChecks.first)
    let kit = TransportConformance { _ throws -> StubTransport in throw NoSocket() }
    let failure = try await #require(throws: ConformanceFailure.self) { try await kit.run(check) }
    #expect(failure.detail == "An unexpected NoSocket was thrown.")
    #expect(failure.cause is NoSocket)
  }

  @Test func aCheckThatHangsSaysWhatItWaitsFor() async throws {
    let kit = TransportConformance(patience: .milliseconds(300)) { _ in
      StubTransport { _ in
        try await Task.sleep(for: .seconds(3600))
        return HTTPResponse(status: 200)
      }
    }
    let check = try #require(kit.checks.first { $0.id == "redirects.status-302" })
    let failure = try await #require(throws: ConformanceFailure.self) { try await kit.run(check) }
    #expect(failure.detail == "Still waiting after 0.3 seconds for the response to GET /from.")
  }

  @Test func aCheckThatDoesNotEndIsCancelled() async throws {
    let (ends, end) = AsyncStream<Bool>.makeStream()
    let hasBegun = Atomic(false)
    let kit = TransportConformance(patience: .zero) { _ in
      StubTransport { _ in
        hasBegun.store(true, ordering: .relaxed)
        while !Task.isCancelled { await Task.yield() }
        end.yield(true)
        throw CancellationError()
      }
    }
    // A check that is cancelled at once does not come to the transport.
    while !hasBegun.load(ordering: .relaxed) {
      let failure = try await #require(throws: ConformanceFailure.self) { try await kit.run(kit.checks[0]) }
      #expect(failure.detail.hasPrefix("Still waiting after 0.0 seconds for "))
    }
    for await _ in ends { break }
  }

  @Test func aRunThatIsCancelledThrowsCancellationError() async throws {
    let kit = TransportConformance { _ in
      StubTransport { _ in
        while !Task.isCancelled { await Task.yield() }
        throw CancellationError()
      }
    }
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await kit.run(kit.checks[0])
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
