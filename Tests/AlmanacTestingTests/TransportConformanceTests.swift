// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import HTTPTransportURLSession
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct TransportConformanceTests {
  @Test(arguments: BrokenTransport.Fault.allCases)
  func aBrokenPromiseIsNamed(_ fault: BrokenTransport.Fault) async throws {
    let check = try #require(TransportConformance.allChecks.first { $0.id == fault.check })
    let kit = TransportConformance(givesReasons: false, patience: fault.hangs ? .seconds(1) : .seconds(60)) {
      BrokenTransport(fault, limits: $0)
    }
    let failure = try await #require(throws: ConformanceFailure.self) { try await kit.run(check) }
    #expect(failure.promise == check.promise)
    #expect(failure.detail.hasPrefix("Still waiting") == fault.hangs)
  }

  @Test func aTransportThatDoesNotStreamIsToldSo() async throws {
    let kit = TransportConformance { _ in StubTransport(HTTPResponse(status: 200)) }
    let check = try #require(kit.checks.first { $0.id == "streaming.head-first" })
    let failure = try await #require(throws: ConformanceFailure.self) { try await kit.run(check) }
    #expect(failure.detail == "StubTransport is not a StreamingTransport.")
  }

  @Test func runStopsAtThePromiseThatIsBroken() async throws {
    let kit = TransportConformance { _ in StubTransport(HTTPResponse(status: 200)) }
    let failure = try await #require(throws: ConformanceFailure.self) { try await kit.run() }
    #expect(failure.promise == TransportConformance.allChecks.first?.promise)
  }

  @Test func everyCheckHasANameOfItsOwnAndASentence() {
    let checks = TransportConformance.allChecks
    #expect(Set(checks.map(\.id)).count == checks.count)
    for check in checks {
      #expect(check.id.hasPrefix("\(check.group.rawValue)."))
      #expect(check.promise.hasSuffix("."), "\(check)")
    }
    for group in TransportConformance.Group.allCases { #expect(checks.contains { $0.group == group }) }
  }

  @Test func whatIsLeftOutDoesNotRun() {
    let kit = TransportConformance(excluding: ["requests.no-cache": "It has a cache."]) {
      URLSessionTransport(limits: $0)
    }
    #expect(kit.checks.count == TransportConformance.allChecks.count - 1)
    #expect(kit.excluded.map(\.check.id) == ["requests.no-cache"])
    #expect(kit.excluded.map(\.reason) == ["It has a cache."])
  }

  @Test func aCheckThatDoesNotExistCannotBeLeftOut() async {
    await #expect(processExitsWith: .failure) {
      _ = TransportConformance(excluding: ["requests.none": "There is none."]) { URLSessionTransport(limits: $0) }
    }
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
    #expect(failure.detail.contains("no reason"))
  }
}
