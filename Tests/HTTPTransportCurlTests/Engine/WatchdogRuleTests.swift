// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import HTTPTransportCurl
  import Support
  import Synchronization
  import TestSupport
  import Testing

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// The rules by which calls are ended, and the sockets that are shut down.
  @Suite(.takesTurns) struct WatchdogRuleTests {
    // MARK: Judgement

    private typealias Observation = (steps: Int, milliseconds: Int, isLate: Bool, verdict: WatchdogSighting.Verdict)

    private static let sequences: [[Observation]] = [
      // The limit counts from the first observation of the call.
      [(1, 100, false, .goOn), (1, 349, false, .slow), (1, 350, false, .stuck), (1, 500, false, .stuck)],
      [(1, 100, true, .goOn), (1, 149, true, .slow), (1, 150, true, .stuck)],
      [(1, 0, false, .goOn), (1, 100, true, .stuck), (1, 100, false, .slow)],
      // Another call, or progress within the call, starts the time again.
      [(1, 0, false, .goOn), (3, 300, false, .goOn), (3, 549, false, .slow), (3, 550, false, .stuck)],
      [(1, 0, false, .goOn), (1, 249, false, .slow), (3, 250, false, .goOn), (3, 499, false, .slow)],
      // Between calls, the thread may work for as long as it likes.
      [(2, 0, false, .goOn), (2, 1000, true, .goOn), (3, 2000, false, .goOn), (3, 2001, false, .slow)],
      [(0, 0, false, .goOn), (0, 0, false, .goOn), (1, 0, false, .goOn)],
    ]

    @Test(arguments: 0..<sequences.count) func callIsJudgedByItsProcessorTime(_ index: Int) {
      var sighting = WatchdogSighting()
      for (number, step) in Self.sequences[index].enumerated() {
        let verdict = sighting.observe(
          steps: step.steps, time: .milliseconds(step.milliseconds), isLate: step.isLate)
        #expect(verdict == step.verdict, "observation \(number)")
      }
    }

    @Test func watchEndsAfterTwentyIdleObservations() {
      var sighting = WatchdogSighting()
      for steps in [4, 6] {
        for count in 1...21 {
          let verdict = sighting.observe(steps: steps, time: .seconds(count), isLate: true)
          #expect(verdict == (count < 20 ? .goOn : .idle), "\(count)")
        }
      }
    }

    @Test(arguments: [
      (Duration.seconds(1), 50_000), (.milliseconds(50), 50_000), (.milliseconds(49), 50_000),
      (.microseconds(48_999), 49_999), (.milliseconds(10), 11_000), (.zero, 1000), (.nanoseconds(-1), 50_000),
      (.seconds(-5), 50_000),
    ])
    func deadlineThatIsNearIsObservedSoon(_ rest: Duration, _ microseconds: Int) {
      #expect(WatchdogSighting.Limits().pause(untilDeadline: rest) == .microseconds(microseconds))
    }

    // MARK: Shutting down

    private static var quick: WatchdogSighting.Limits {
      var limits = WatchdogSighting.Limits()
      (limits.interval, limits.patience, limits.idleCount) = (.milliseconds(5), .milliseconds(50), 3)
      return limits
    }

    /// Runs `body` on a thread of its own, which the watchdog observes.
    private static func observed(by watchdog: Watchdog, _ body: @escaping @Sendable () -> Void) async {
      await withCheckedContinuation { continuation in
        let isStarted = DetachedThread.start {
          watchdog.begin()
          body()
          continuation.resume()
        }
        if !isStarted { continuation.resume() }
      }
    }

    /// Works within a call until `isOver`.
    private static func call(_ watchdog: Watchdog, _ socket: Int32 = -1, until isOver: () -> Bool) {
      watchdog.beginCall(socket)
      while !isOver() {}
      watchdog.endCall()
    }

    /// The connection that the call reads most from ends, not one with more unread bytes, and not one that was closed.
    @Test(arguments: [1, 2]) func connectionThatIsReadFromIsShutDown(_ times: Int) async throws {
      let listener = try #require(RawSocket.listener(AF_INET))
      let pairs = try (0..<3).map { _ in try #require(RawSocket.connection(to: listener)) }
      let floods = try (0..<times).map { _ in try #require(RawSocket.connection(to: listener)) }
      defer { for (one, other) in pairs + floods { _ = (close(one), close(other)) } }
      defer { close(listener.number) }
      let watchdog = Watchdog(limits: Self.quick)
      for (socket, _) in pairs.prefix(2) + floods { watchdog.noteOpening(of: socket) }
      watchdog.noteOpening(of: pairs[2].client)
      watchdog.noteClosing(of: pairs[2].client)
      RawSocket.send(100_000, to: pairs[0].accepted)
      await Self.observed(by: watchdog) {
        // Earlier calls, after which the watch may end.
        for _ in 1...3 { Self.call(watchdog) { true } }
        for (client, accepted) in floods {
          while watchdog.isActive { sched_yield() }
          var rounds = 0
          Self.call(watchdog) {
            // Seldom, so that no measurement shows this connection alone.
            rounds += 1
            if rounds % 100 == 0 {
              RawSocket.send(1, to: pairs[1].accepted)
              RawSocket.receive(1, from: pairs[1].client)
            }
            RawSocket.send(8000, to: pairs[2].accepted)
            RawSocket.receive(8000, from: pairs[2].client)
            RawSocket.send(1000, to: accepted)
            return RawSocket.receive(1000, from: client) == 0
          }
        }
      }
      #expect(RawSocket.receive(1, from: pairs[0].client, isPeek: true) == 1)
      for (client, accepted) in pairs {
        #expect(RawSocket.send(1, to: client) == 1 && RawSocket.send(1, to: accepted) >= 0)
      }
    }

    /// Without the system's numbers of bytes, the call's own socket ends, or the one with the most unread bytes.
    @Test(arguments: [true, false]) func socketOfTheCallIsShutDown(_ isKnown: Bool) async throws {
      let pairs = try (0..<3).map { _ in try #require(PrivateSocket.pair()) }
      defer { for (one, other) in pairs { _ = (close(one), close(other)) } }
      let watchdog = Watchdog(limits: Self.quick)
      for (index, (socket, other)) in pairs.enumerated() {
        watchdog.noteOpening(of: socket)
        RawSocket.send([100, 3000, 2000][index], to: other)
      }
      let victim = isKnown ? 0 : 1
      await Self.observed(by: watchdog) {
        Self.call(watchdog, isKnown ? pairs[victim].0 : -1) {
          RawSocket.receive(1, from: pairs[victim].0, isPeek: true) == 0
        }
      }
      for index in 0..<3 where index != victim {
        #expect(RawSocket.receive(1, from: pairs[index].0) == 1)
        #expect(RawSocket.send(1, to: pairs[index].0) == 1)
      }
    }

    /// Many short calls, one that delivers pieces of a response, and work between calls are usual.
    @Test func callsThatReturnAndCallsThatDeliverAreNotEnded() async throws {
      let (socket, other) = try #require(PrivateSocket.pair())
      defer { _ = (close(socket), close(other)) }
      let watchdog = Watchdog(limits: Self.quick)
      watchdog.noteOpening(of: socket)
      await Self.observed(by: watchdog) {
        func work(_ time: Duration) {
          let start = ThreadClock()
          let end = start.now + time
          while start.now < end {}
        }
        for _ in 1...100 {
          Self.call(watchdog, socket) {
            work(.milliseconds(1)); return true
          }
        }
        Self.call(watchdog, socket) {
          for _ in 1...100 {
            work(.milliseconds(1))
            watchdog.noteProgress()
          }
          return true
        }
        work(.milliseconds(100))
      }
      #expect(RawSocket.receive(1, from: socket) == -1, "The socket is open, and nothing has arrived.")
      while watchdog.isActive { await Task.yield() }
    }
  }
#endif
