// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension TransportConformance {
  /// Makes the transports of a check, and judges what they do.
  struct Subject: Sendable {
    private let makeTransport: @Sendable (TransportLimits) throws -> any Transport
    private let givesReasons: Bool
    private let servers = Servers()

    init(makeTransport: @escaping @Sendable (TransportLimits) throws -> any Transport, givesReasons: Bool) {
      self.makeTransport = makeTransport
      self.givesReasons = givesReasons
    }

    /// Starts a server for the check, which stops when the check is over.
    func server(
      greeting: [HostileServer.Step] = [], readsBody: Bool = true, handler: @escaping HostileServer.Handler
    ) throws -> HostileServer {
      try servers.keep(HostileServer(greeting: greeting, readsBody: readsBody, handler: handler))
    }

    /// Starts a server that does the same about every request.
    func server(
      greeting: [HostileServer.Step] = [], readsBody: Bool = true, _ script: HostileServer.Step...
    ) throws -> HostileServer {
      try server(greeting: greeting, readsBody: readsBody) { _ in script }
    }

    /// A transport whose time limit is long, so that a check in which it is not the subject never depends on it.
    func transport(
      _ change: (inout TransportLimits) -> Void = { _ in }
    ) throws -> any Transport {
      let base = try plainTransport(change)
      guard let streaming = base as? any StreamingTransport else { return ObservedTransport(base: base) }
      return ObservedStreamingTransport(base: streaming)
    }

    func streamingTransport(
      _ change: (inout TransportLimits) -> Void = { _ in }
    ) throws -> any StreamingTransport {
      let base = try plainTransport(change)
      guard let streaming = base as? any StreamingTransport else {
        throw Conformance.Broken(detail: "\(type(of: base)) is not a StreamingTransport.")
      }
      return ObservedStreamingTransport(base: streaming)
    }

    private func plainTransport(_ change: (inout TransportLimits) -> Void) throws -> any Transport {
      var limits = TransportLimits(timeout: .seconds(600))
      change(&limits)
      return try makeTransport(limits)
    }

    /// Sends a request with a transport of its own, and returns the response.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse { try await transport().send(request) }

    /// Gets the root of a server that does `script` about every request.
    func get(_ script: HostileServer.Step...) async throws -> HTTPResponse {
      let server = try server { _ in script }
      return try await send(HTTPRequest(.get, server.url()))
    }

    /// What came of an exchange: a response, or the transport's error.
    ///
    /// Anything else that is thrown is thrown.
    func outcome<Value>(_ body: () async throws -> Value) async throws -> Result<Value, TransportError> {
      do {
        return .success(try await body())
      } catch let error as TransportError {
        return .failure(error)
      }
    }

    /// Expects a `TransportError` with `code`, and with `reason` if there is one to expect.
    @discardableResult
    func expect(
      _ code: TransportError.Code, _ reason: TransportError.Reason? = nil, _ what: String = "It",
      _ body: () async throws -> some Any
    ) async throws -> TransportError {
      try await expect([code], reason, what, body)
    }

    /// Expects a `TransportError` with one of `codes`, and with `reason` if there is one to expect.
    @discardableResult
    func expect(
      _ codes: [TransportError.Code], _ reason: TransportError.Reason? = nil, _ what: String = "It",
      _ body: () async throws -> some Any
    ) async throws -> TransportError {
      switch try await outcome(body) {
      case .success:
        throw Conformance.Broken(detail: "\(what) succeeded; expected \(codes).")
      case .failure(let error):
        try require(codes.contains(error.code), "\(what) failed with \(describe(error)); expected \(codes).")
        guard let reason, givesReasons || error.reason != nil else { return error }
        try require(error.reason == reason, "\(what) failed with \(describe(error)); expected the reason \(reason).")
        return error
      }
    }

    func describe(_ error: TransportError) -> String {
      "\(error.code)\(error.reason.map { ", reason \($0)" } ?? ", no reason")"
    }

    /// Performs an operation with a time limit, and again with longer ones if it does not do what is expected.
    ///
    /// On a busy machine a short limit is over before what it is about has begun.
    func patiently(_ limit: Duration, _ operation: (Duration) async throws -> Void) async throws {
      var limit = limit
      for _ in 1...2 {
        do {
          return try await operation(limit)
        } catch is Conformance.Broken {
          limit *= 3
        }
      }
      try await operation(limit)
    }

    /// Expects that the operation, which is given the limit, has ended `limit` after it began, or hardly later.
    ///
    /// - Parameter limit: The limit of the first of several attempts.
    func within(_ limit: Duration, _ operation: (Duration) async throws -> Void) async throws {
      try await patiently(limit) { limit in
        try await requireEnd(within: limit, "It") { try await operation(limit) }
      }
    }

    /// Expects that the operation ends at once, in one of several attempts.
    func promptly(_ what: String, _ operation: () async throws -> Void) async throws {
      try await promptly(what, after: {}, operation)
    }

    /// The same, with a preparation whose time does not count.
    func promptly<Prepared>(
      _ what: String, after prepare: () async throws -> Prepared, _ operation: (Prepared) async throws -> Void
    ) async throws {
      try await patiently(.zero) { _ in
        let prepared = try await prepare()
        try await requireEnd(within: .zero, what) { try await operation(prepared) }
      }
    }

    /// Requires that the operation ends a quarter of a second after `limit` at the latest.
    ///
    /// The time is counted in the beats of a task that sleeps again and again, of which each counts as two at most. A machine that
    /// is too busy for the operation delays the beats too.
    private func requireEnd(within limit: Duration, _ what: String, _ operation: () async throws -> Void) async throws {
      let beat = Duration.milliseconds(10)
      let metronome = Task {
        let clock = ContinuousClock()
        var time = Duration.zero
        while !Task.isCancelled { time += min(beat * 2, await clock.measure { try? await Task.sleep(for: beat) }) }
        return time
      }
      defer { metronome.cancel() }
      try await operation()
      metronome.cancel()
      let time = await metronome.value
      try require(time <= limit + .milliseconds(250), "\(what) took \(time); the limit is \(limit).")
    }
  }

  static func require(_ condition: Bool, _ detail: @autoclosure () -> String) throws {
    try Conformance.require(condition, detail())
  }
}

/// The servers of a check: they stop when nothing refers to them, which must not be before the check is over.
private final class Servers: Sendable {
  private let all = Mutex<[HostileServer]>([])

  func keep(_ server: HostileServer) -> HostileServer {
    all.withLock { $0.append(server) }
    return server
  }
}

extension TransportConformance.Subject {
  func require(_ condition: Bool, _ detail: @autoclosure () -> String) throws {
    try Conformance.require(condition, detail())
  }
}

extension String {
  init(_ bytes: [UInt8]) { self.init(decoding: bytes, as: UTF8.self) }

  var bytes: [UInt8] { Array(utf8) }
}
