// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import HTTPTransport
  import HTTPTransportCurl
  import LoopbackHTTP
  import TestSupport
  import Testing

  /// glibc's function that gives what is free back to the system.
  @_silgen_name("malloc_trim") private func giveFreeMemoryBack(_ padding: Int) -> CInt

  /// Requests that are cancelled at any instant, in a process of their own, whose threads and descriptors are counted.
  ///
  /// `ALMANAC_CANCELLATIONS` sets how many requests there are; it defaults to 1,000.
  @Suite(.takesTurns(.long)) struct CancellationStormTests {
    @Test func nothingIsLeftBehindByRequestsThatAreCancelledAtAnyInstant() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let count = ProcessInfo.processInfo.environment["ALMANAC_CANCELLATIONS"].flatMap { Int($0) } ?? 1_000
        // After this run, everything that is created once and kept exists, such as threads and idle memory.
        _ = try await Storm.run(count / 4)
        let before = await Resources.steady()
        let outcomes = try await Storm.run(count)
        let after = await Resources.settled(at: before.descriptors)
        FileHandle.standardError.write(
          Data("\(count) requests: \(outcomes); before: \(before); after: \(after)\n".utf8))
        #expect(Set(outcomes.keys) == ["completed", "cancelled"], "\(outcomes)")
        // One in eight is cancelled immediately, and one in eight never. The machine decides how the others end.
        #expect(outcomes.values.allSatisfy { $0 > count / 16 })
        #expect(after.descriptors <= before.descriptors + 4)
        #expect(after.threads <= before.threads + 4)  // the cooperative pool may still grow
        #expect(Sanitizer.isActive || after.residentBytes <= before.residentBytes + (16 << 20))
      }
      // The figures, for the caller who set the number.
      print(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self))
    }
  }

  /// Requests of every kind, 64 at a time, each of which is cancelled at an instant that a seed chooses.
  private enum Storm {
    /// Sends requests with a new transport to a new server, and returns the number of requests by their outcome.
    static func run(_ count: Int) async throws -> [String: Int] {
      let server = try await LoopbackServer.start(limits: .init(connections: 4_000)) { request in
        HTTPResponse(
          status: 200, body: [UInt8](repeating: 0x61, count: request.url.path() == "/large" ? 300_000 : 1_000))
      }
      let http = CurlTransport(limits: TransportLimits(connectionsPerHost: 32))
      let outcomes = await withTaskGroup(of: [String: Int].self) { group in
        for worker in 0..<64 {
          group.addTask {
            var numbers = SeededNumbers(seed: UInt64(worker))
            var outcomes: [String: Int] = [:]
            for _ in 0..<max(1, count / 64) {
              let kind = Int.random(in: 0..<4, using: &numbers)
              let sending = Task { try await send(kind, to: server.url, by: http) }
              switch Int.random(in: 0..<8, using: &numbers) {
              case 0: sending.cancel()
              case 1: break
              default:
                for _ in 0..<Int.random(in: 1..<400, using: &numbers) { await Task.yield() }
                sending.cancel()
              }
              outcomes[await outcome(of: sending), default: 0] += 1
            }
            return outcomes
          }
        }
        return await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
      }
      await server.stop()
      return outcomes
    }

    private static func outcome(of sending: Task<Void, any Error>) async -> String {
      do {
        try await sending.value
        return "completed"
      } catch {
        return error is CancellationError ? "cancelled" : "\(error)"
      }
    }

    private static func send(_ kind: Int, to url: URL, by http: CurlTransport) async throws {
      switch kind {
      case 0: _ = try await http.send(HTTPRequest(.get, url))
      case 1: _ = try await http.send(HTTPRequest(.post, url, body: [UInt8](repeating: 0x62, count: 20_000)))
      case 2:
        let response = try await http.stream(HTTPRequest(.get, url.appending(path: "large")))
        for try await _ in response.body {}
      default:
        // The body is released before its end.
        _ = try await http.stream(HTTPRequest(.put, url), body: BodyStream([UInt8](repeating: 0x63, count: 20_000)))
      }
    }
  }

  /// The process's use of resources that may leak.
  private struct Resources {
    let descriptors: Int
    let threads: Int
    let residentBytes: Int

    /// Returns the use once the number of descriptors has stayed the same; after at most 5 s.
    static func steady() async -> Resources {
      let deadline = ContinuousClock.now + .seconds(5)
      var (last, repetitions) = (now, 0)
      while repetitions < 100, ContinuousClock.now < deadline {
        await Task.yield()
        let next = now
        repetitions = next.descriptors == last.descriptors ? repetitions + 1 : 0
        last = next
      }
      return last
    }

    /// Returns the use once a transport's thread, which ends by itself, has closed its descriptors; after at most 5 s.
    static func settled(at descriptors: Int) async -> Resources {
      let deadline = ContinuousClock.now + .seconds(5)
      while now.descriptors > descriptors, ContinuousClock.now < deadline { await Task.yield() }
      return now
    }

    private static var now: Resources {
      _ = giveFreeMemoryBack(0)  // so that the resident memory is what is in use
      func entries(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
      }
      return Resources(
        descriptors: entries("/proc/self/fd"), threads: entries("/proc/self/task"),
        residentBytes: ProcessUse.memory ?? 0)
    }
  }
#endif
