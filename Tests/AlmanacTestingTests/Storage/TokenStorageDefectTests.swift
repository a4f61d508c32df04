// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import TestSupport
import Testing
import TokenStore

/// The kit, run against a storage that is correct, and against storages with one defect each.
@Suite(.hangLimit) struct TokenStorageDefectTests {
  private typealias Kit = TokenStorageConformance

  @Test(arguments: Kit.checks)
  func aCorrectStorageIsNotReported(_ check: TokenStorageConformance.Check) async throws {
    try await Kit {
      DefectiveTokenStorage()
    } reopen: {
      DefectiveTokenStorage(records: $0.records)
    } endAccess: {
      $0.endAccess()
    }.run(check)
  }

  @Test(arguments: DefectiveTokenStorage.Defect.allCases)
  func aDefectIsReportedByItsChecksAndNoOther(_ defect: DefectiveTokenStorage.Defect) async throws {
    let expected = defect.reports
    for check in Kit.checks {
      let detail = expected[check.id]
      let isEndless = ["Still waiting", "Not finished"].contains { detail?.hasPrefix($0) == true }
      let kit = Kit(patience: isEndless ? .milliseconds(100) : .seconds(600)) {
        DefectiveTokenStorage(defect)
      } reopen: {
        DefectiveTokenStorage(defect, records: $0.records)
      } endAccess: {
        $0.endAccess()
      }
      guard let detail else {
        try await kit.run(check)
        continue
      }
      let failure = try await #require(throws: ConformanceFailure.self, "\(check)") { try await kit.run(check) }
      #expect(failure.promise == check.promise)
      #expect(failure.detail.contains(detail), "\(check)")
    }
  }

  /// A storage one of whose methods does not return.
  private struct HangingStorage: TokenStorage {
    enum Method: CaseIterable { case token, access, trial, accounts }

    let base = InMemoryTokenStorage()
    let method: Method

    private func hang(in method: Method) async throws {
      if method == self.method { try await Task.sleep(for: .seconds(3600)) }
    }

    func token(for account: String) async throws -> StoredToken? {
      try await hang(in: .token)
      return try await base.token(for: account)
    }

    func withExclusiveAccess<Result: Sendable>(
      to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
    ) async throws -> Result {
      try await hang(in: .access)
      return try await base.withExclusiveAccess(to: account, body)
    }

    func checkWritable(_ account: String) async throws { try await hang(in: .trial) }

    func accounts() async throws -> [String] {
      try await hang(in: .accounts)
      return try await base.accounts()
    }
  }

  @Test(arguments: [
    (HangingStorage.Method.token, "records.none-at-first", "token(for: \"account\")"),
    (.access, "records.fields", "withExclusiveAccess(to: \"account\")"),
    (.trial, "records.check-writable", "checkWritable(\"account\")"),
    (.accounts, "records.none-at-first", "accounts()"),
  ])
  private func aCheckThatHangsSaysWhatItWaitsFor(
    _ method: HangingStorage.Method, _ id: String, _ call: String
  ) async throws {
    let check = try #require(Kit.checks.first { $0.id == id })
    let kit = Kit(patience: .milliseconds(100)) { HangingStorage(method: method) }
    let failure = try await #require(throws: ConformanceFailure.self) { try await kit.run(check) }
    #expect(failure.detail == "Still waiting after 0.1 seconds for \(call).")
    #expect(failure.cause == nil)
  }

  @Test func cancelledRunThrowsCancellationError() async throws {
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await Kit { HangingStorage(method: .token) }.run(Kit.checks[0])
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func everyCheckHasItsNameAndReportsADefect() {
    let reporting = Set(DefectiveTokenStorage.Defect.allCases.flatMap(\.reports.keys))
    #expect(reporting == Set(Kit.checks.map(\.id)) && reporting.count == Kit.checks.count)
    for check in Kit.checks {
      #expect(check.id.contains(".") && check.promise.hasSuffix("."))
      #expect("\(check)" == "\(check.id): \(check.promise)")
    }
  }

  @Test func runStopsAtThePromiseThatIsBroken() async throws {
    try await Kit { InMemoryTokenStorage() }.run()
    let failure = try await #require(throws: ConformanceFailure.self) {
      try await Kit { DefectiveTokenStorage(.ignoresCase) }.run()
    }
    #expect(failure.promise == Kit.checks.first { $0.id == "accounts.names" }?.promise)
  }

  @Test func anErrorOfMakingAStoragePassesThrough() async {
    struct NoDisk: Error {}
    await #expect(throws: NoDisk.self) {
      try await Kit { () throws -> InMemoryTokenStorage in throw NoDisk() }.run(Kit.checks[0])
    }
  }
}
