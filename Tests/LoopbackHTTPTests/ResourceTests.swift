// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import HTTPTransport
  import LoopbackHTTP
  import Synchronization
  import TestSupport
  import Testing

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// The processor time, memory and descriptors of a server, which are measured in processes of their own.
  @Suite(.takesTurns) struct ResourceTests {
    /// Checks that the process waits, and does not work, while half a second passes.
    ///
    /// A busy machine multiplies the processor time of the same work, so the limit is far above that of an exchange.
    ///
    /// - Parameter clock: A connection to a server whose requests may take that long.
    private static func expectQuiet(_ state: String, _ clock: RawClient) async {
      expectQuiet(state, await measure(clock))
    }

    private static func expectQuiet(_ state: String, _ measured: (response: String?, time: Duration)) {
      #expect(measured.response?.hasPrefix("HTTP/1.1 408 ") == true, "\(state)")
      #expect(measured.time < .milliseconds(200), "\(state)")
    }

    /// Returns the response to a request that is never complete, and the processor time until it arrives.
    private static func measure(_ clock: RawClient) async -> (response: String?, time: Duration) {
      let start = ProcessUse.processorTime
      await clock.send("G")
      let response = try? await clock.readToEnd()
      return (response, ProcessUse.processorTime - start)
    }

    /// A server that waits for others does not ask the system again and again.
    @Test func serverThatWaitsTakesNoProcessorTime() async {
      await #expect(processExitsWith: .success) {
        let clock = try await LoopbackServer.start(limits: .init(requestTimeout: .milliseconds(500)), handler: echo)
        var clocks: [RawClient] = []
        for _ in 1...5 { clocks.append(try await RawClient.connect(to: clock.port)) }
        let (first, second) = (AsyncGate(), AsyncGate())
        var limits = LoopbackServer.Limits(connections: 2)
        limits.acceptPause = .milliseconds(300)
        let server = try await LoopbackServer.start(limits: limits) { request in
          guard request.url.path() != "/" else { return await echo(request) }
          try? await (request.lastPathComponent == "first" ? first : second).pass()
          return HTTPResponse(status: 200)
        }
        await Self.expectQuiet("without connections", clocks[4])
        let get = "GET / HTTP/1.1\r\nHost: \(server.authority)\r\n\r\n"

        let idle = try await RawClient.connect(to: server.port)
        await idle.send(get)
        _ = try await idle.read { $0.hasSuffix("GET -1 ") }
        await Self.expectQuiet("idle", clocks[0])

        // The client has closed its side, and the handler is not done.
        let held = try await server.client(sending: "GET /first HTTP/1.1\r\nHost: HOST\r\n\r\n")
        await first.waitForArrival()
        await held.finish()
        await Self.expectQuiet("ended", clocks[1])

        // Both connections are busy, and a third client waits.
        await idle.send("GET /second HTTP/1.1\r\nHost: \(server.authority)\r\n\r\n")
        await second.waitForArrival()
        let third = try await RawClient.connect(to: server.port)
        await third.send(get)
        await Self.expectQuiet("full", clocks[2])
        await first.open()
        await second.open()
        _ = try await third.read { $0.hasSuffix("GET -1 ") }
        _ = try await held.readToEnd()

        // No descriptor is left for a client that waits; it is served once there is one.
        let connected = await ScarceDescriptors.leave(1, until: { $0 != nil }) {
          () -> (client: RawClient, measured: (response: String?, time: Duration))? in
          guard let client = try? await RawClient.connect(to: server.port) else { return nil }
          return (client, await Self.measure(clocks[3]))
        }
        // An issue cannot be recorded without descriptors.
        guard let (fourth, measured) = connected else {
          Issue.record("No client could connect while one descriptor was left.")
          return
        }
        Self.expectQuiet("without descriptors", measured)
        await fourth.send(get)
        #expect(try await fourth.read { $0.hasSuffix("GET -1 ") }.hasPrefix("HTTP/1.1 200 "))
        await server.stop()
        await clock.stop()
      }
    }

    /// Bytes that a client sends after a refusal, or while its request is handled, are not kept without a limit.
    @Test func bytesThatNoRequestNeedsAreNotKept() async {
      await #expect(processExitsWith: .success) {
        let gate = AsyncGate()
        var limits = LoopbackServer.Limits(bodyBytes: 48 << 20)
        limits.drainTimeout = .seconds(600)
        let server = try await LoopbackServer.start(limits: limits) { request in
          guard request.lastPathComponent == "held" else {
            return HTTPResponse(status: 200, body: Array("\(request.body?.count ?? 0)".utf8))
          }
          try? await gate.pass()
          return HTTPResponse(status: 204)
        }
        let megabyte = [UInt8](repeating: 0x61, count: 1 << 20)
        let refused = try await server.client(sending: "X\r\n\r\n")
        #expect(try await refused.readToEnd().hasPrefix("HTTP/1.1 400 "))
        await refused.send(megabyte)
        let before = try #require(ProcessUse.peakMemory)
        for _ in 1...64 { await refused.send(megabyte) }
        let growth = try #require(ProcessUse.peakMemory) - before
        #expect(growth < 16 << 20)

        let held = try await RawClient.connect(to: server.port)
        let head = "Host: \(server.authority)\r\n"
        await held.send("GET /held HTTP/1.1\r\n\(head)\r\n")
        await gate.waitForArrival()
        let isSent = Atomic(false)
        async let upload: Void = {
          await held.send("POST / HTTP/1.1\r\n\(head)Connection: close\r\nContent-Length: \(48 << 20)\r\n\r\n")
          for _ in 1...48 { await held.send(megabyte) }
          isSent.store(true, ordering: .relaxed)
        }()
        for _ in 1...200 {
          let other = try await server.exchange("GET / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n")
          #expect(other.hasSuffix("\r\n\r\n0"))
        }
        let isAllSent = isSent.load(ordering: .relaxed)
        #expect(!isAllSent)
        await gate.open()
        await upload
        #expect(try await held.readToEnd().hasSuffix("\r\n\r\n\(48 << 20)"))
        await server.stop()
      }
    }

    /// The fault is named wherever the descriptors end: at the listener, at the pipe, or at the set of watched descriptors.
    @Test func startingWithoutDescriptorsSaysWhatIsMissing() async {
      await #expect(processExitsWith: .success) {
        for (spare, message) in [
          (0, "The system cannot listen on 127.0.0.1:0 (errno \(EMFILE))."),
          (
            1,
            "The system cannot open a pipe for the server (errno \(EMFILE)). Raise the process's limit for open files."
          ),
          (
            2,
            "The system cannot open a pipe for the server (errno \(EMFILE)). Raise the process's limit for open files."
          ),
          (3, "The system cannot monitor the server's socket. Raise the process's limit for open files."),
        ] {
          let error = await ScarceDescriptors.leave(spare, until: { $0?.message == message }) { () -> LoopbackError? in
            do { _ = try await LoopbackServer.start(handler: echo) } catch { return error as? LoopbackError }
            return nil
          }
          #expect(error?.message == message && error?.code == .system, "\(spare): \(error?.message ?? "no error")")
        }
      }
    }
  }
#endif
