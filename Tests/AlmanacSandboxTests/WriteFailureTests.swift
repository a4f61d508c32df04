// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import AlmanacSandbox
  import AlmanacTesting
  import Foundation
  import HTTPTransport
  import Testing

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// A folder that can no longer be written to.
  @Suite struct WriteFailureTests {
    private static let events = "calendars/primary/events"

    /// A sandbox that keeps its calendars in a folder, and the receiver of its notifications.
    private func withSandbox(_ body: (SandboxHarness, StubTransport, _ file: String) async throws -> Void) async throws
    {
      let folder = NSTemporaryDirectory() + "almanac-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let (receiver, clock) = (StubTransport { _ in HTTPResponse(status: 200) }, ManualClock(skipsWaits: true))
      var configuration = Sandbox.Configuration()
      configuration.notificationTransport = receiver
      let sandbox = try Sandbox(keepingIn: URL(filePath: folder), clock: clock, configuration: configuration)
      try await body(try SandboxHarness(clock: clock, sandbox: sandbox), receiver, folder + "/calendar.jsonl")
    }

    private func event(_ id: String) -> String {
      #"{"id":"\#(id)","start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}"#
    }

    /// Makes the descriptor of an open file one of a device.
    private func replace(_ file: String, by device: String) throws {
      let folder = "/proc/self/fd"
      let numbers = try FileManager.default.contentsOfDirectory(atPath: folder)
      let number = try #require(
        numbers.first { (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == file })
      // The path is a string for the time of the call.
      let other = unsafe open(device, O_WRONLY | O_CLOEXEC)
      try #require(other >= 0 && dup2(other, try #require(Int32(number))) >= 0)
      close(other)
    }

    private func batch(_ harness: SandboxHarness, _ calls: [(line: String, json: String)], token: String) async throws
      -> Answer
    {
      let parts = calls.map { call in
        "--x\r\nContent-Type: application/http\r\n\r\n\(call.line) HTTP/1.1\r\nAuthorization: Bearer \(token)\r\n"
          + "Content-Type: application/json\r\n\r\n\(call.json)\r\n"
      }
      let url = try #require(URL(string: SandboxHarness.base + "/batch/calendar/v3"))
      return try await harness.send(
        HTTPRequest(
          .post, url, fields: ["Content-Type": "multipart/mixed; boundary=x"],
          body: Array((parts.joined() + "--x--\r\n").utf8)))
    }

    @Test(arguments: [("/dev/full", "it cannot be written"), ("/dev/null", "it cannot be synchronized")])
    func changesAreRefusedAndNotNotifiedAndReadsGoOn(device: String, reason: String) async throws {
      try await withSandbox { harness, receiver, file in
        let token = try await harness.token()
        let channel = #"{"id":"one","type":"web_hook","address":"https://example.com/hook"}"#
        _ = try await harness.call(.post, Self.events + "/watch", channel, token: token)
        #expect(try await harness.call(.post, Self.events, event("event1"), token: token).status == 200)
        await harness.sandbox.notificationsDelivered()
        #expect(receiver.requests.count == 2)

        try replace(file, by: device)
        for id in ["event2", "event3"] {
          #expect(
            try await harness.call(.post, Self.events, event(id), token: token).reason == "internalError", "\(reason)")
        }
        await harness.sandbox.notificationsDelivered()
        #expect(receiver.requests.count == 2, "\(reason)")

        for id in ["event1", "event2"] {
          #expect(try await harness.call(.get, "\(Self.events)/\(id)", token: token).status == 200, "\(reason)")
        }
        let read = (line: "GET /calendar/v3/\(Self.events)/event1", json: "")
        let reads = try await batch(harness, [read, read], token: token)
        #expect(reads.status == 200 && reads.text.components(separatedBy: "HTTP/1.1 200").count == 3, "\(reason)")
        let write = (line: "POST /calendar/v3/\(Self.events)", json: event("event4"))
        let both = try await batch(harness, [write, read], token: token)
        #expect(both.text.components(separatedBy: "HTTP/1.1 200").count == 2, "\(reason)")
        #expect(both.text.contains("HTTP/1.1 500"), "\(reason)")
      }
    }

    @Test func batchThatCannotBeSynchronizedIsRefusedWhole() async throws {
      try await withSandbox { harness, _, file in
        let token = try await harness.token()
        try replace(file, by: "/dev/null")
        let write = (line: "POST /calendar/v3/\(Self.events)", json: event("event1"))
        let read = (line: "GET /calendar/v3/\(Self.events)", json: "")
        #expect(try await batch(harness, [write, read], token: token).reason == "internalError")
      }
    }

    @Test func changeOfACallWhoseResponseIsLostIsSynchronized() async throws {
      try await withSandbox { harness, _, file in
        let token = try await harness.token()
        try replace(file, by: "/dev/null")
        try harness.sandbox.failCalls(.init(status: 503, reason: "backendError", isCarriedOut: true))
        #expect(try await harness.call(.post, Self.events, event("event1"), token: token).status == 500)
      }
    }
  }
#endif
