// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import HTTPTransport
  import HTTPTransportCurl
  import LoopbackHTTP
  import Synchronization
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
        let before = await ProcessUse.steady()
        let outcomes = try await Storm.run(count)
        let after = await ProcessUse.settled(at: before.descriptors)
        FileHandle.standardError.write(
          Data("\(count) requests: \(outcomes); before: \(before); after: \(after)\n".utf8))
        #expect(outcomes.failures.isEmpty, "\(outcomes.failures)")
        // One of eight is cancelled at once, and one of eight never; how the others end depends on the machine.
        #expect(outcomes.cancelled > count / 16)
        #expect(outcomes.completed > count / 16)
        #expect(after.descriptors <= before.descriptors + 4)
        #expect(after.threads <= before.threads + 4)  // the cooperative pool may still grow
        #expect(Sanitizer.isActive || after.residentBytes <= before.residentBytes + (16 << 20))
      }
      // The figures, for the caller who set the number.
      print(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self))
    }
  }

  /// Sends requests of every kind, 64 at a time, and cancels each at an instant that a seed chooses: one of eight at once, and
  /// one of eight never.
  private final class Storm: Sendable {
    struct Outcomes {
      var completed = 0
      var cancelled = 0
      var failures: [String: Int] = [:]
    }

    private let url: URL
    private let http: CurlTransport
    private let counts = Mutex(Outcomes())

    private init(url: URL, http: CurlTransport) {
      self.url = url
      self.http = http
    }

    /// Sends `count` requests, to a server and over a transport that are gone afterwards.
    static func run(_ count: Int) async throws -> Outcomes {
      let server = try await LoopbackServer.start(limits: .init(connections: 4_000)) { request in
        HTTPResponse(
          status: 200, body: [UInt8](repeating: 0x61, count: request.url.path() == "/large" ? 300_000 : 1_000))
      }
      let outcomes = await Storm(
        url: try #require(URL(string: server.url.absoluteString)),
        http: CurlTransport(limits: TransportLimits(connectionsPerHost: 32))
      ).run(count)
      await server.stop()
      return outcomes
    }

    private func run(_ count: Int) async -> Outcomes {
      await withTaskGroup(of: Void.self) { group in
        for worker in 0..<64 {
          group.addTask {
            var numbers = SeededNumbers(seed: UInt64(worker))
            for _ in 0..<max(1, count / 64) {
              let delay: Int? =
                switch Int.random(in: 0..<8, using: &numbers) {
                case 0: 0
                case 1: nil
                default: .random(in: 1..<400, using: &numbers)
                }
              await self.once(kind: Int.random(in: 0..<4, using: &numbers), delay: delay)
            }
          }
        }
        await group.waitForAll()
      }
      return counts.withLock { $0 }
    }

    /// - Parameter delay: How often the sender lets others run before it cancels the request; `nil` if it never does.
    private func once(kind: Int, delay: Int?) async {
      let sending = Task { try await send(kind) }
      if let delay {
        for _ in 0..<delay { await Task.yield() }
        sending.cancel()
      }
      do {
        try await sending.value
        counts.withLock { $0.completed += 1 }
      } catch is CancellationError {
        counts.withLock { $0.cancelled += 1 }
      } catch {
        counts.withLock {
          $0.failures["\(kind): \(error), \(String(describing: (error as? TransportError)?.cause))", default: 0] += 1
        }
      }
    }

    private func send(_ kind: Int) async throws {
      switch kind {
      case 0: _ = try await http.send(HTTPRequest(.get, url))
      case 1: _ = try await http.send(HTTPRequest(.post, url, body: [UInt8](repeating: 0x62, count: 20_000)))
      case 2:
        let response = try await http.stream(HTTPRequest(.get, url.appending(path: "large")))
        for try await _ in response.body {}
      default:
        // The body is dropped before its end.
        _ = try await http.stream(HTTPRequest(.put, url), body: BodyStream([UInt8](repeating: 0x63, count: 20_000)))
      }
    }
  }

  /// The process's use of resources that may leak.
  private struct ProcessUse {
    let descriptors: Int
    let threads: Int
    let residentBytes: Int

    /// Returns the use once the number of descriptors has stayed the same; after at most 5 s.
    static func steady() async -> ProcessUse {
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
    static func settled(at descriptors: Int) async -> ProcessUse {
      let deadline = ContinuousClock.now + .seconds(5)
      while now.descriptors > descriptors, ContinuousClock.now < deadline { await Task.yield() }
      return now
    }

    private static var now: ProcessUse {
      _ = giveFreeMemoryBack(0)  // so that the resident memory is what is in use
      func entries(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
      }
      let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)).flatMap {
        $0.split(separator: " ").dropFirst().first.flatMap { Int($0) }
      }
      return ProcessUse(
        descriptors: entries("/proc/self/fd"), threads: entries("/proc/self/task"), residentBytes: (pages ?? 0) * 4096)
    }
  }
#endif
