// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import PlatformFoundation
import Synchronization

extension TransportConformance {
  /// The transports and servers of a check, with its expectations.
  struct Subject: Sendable {
    private let makeTransport: @Sendable (TransportLimits) throws -> any Transport
    private let givesReasons: Bool
    private let servers = Servers()

    init(makeTransport: @escaping @Sendable (TransportLimits) throws -> any Transport, givesReasons: Bool) {
      self.makeTransport = makeTransport
      self.givesReasons = givesReasons
    }

    /// Starts a server that stops when the check ends.
    func server(
      greeting: [HostileServer.Step] = [], readsBody: Bool = true, handler: @escaping HostileServer.Handler
    ) throws -> HostileServer {
      try servers.keep(HostileServer(greeting: greeting, readsBody: readsBody, handler: handler))
    }

    /// Starts a server that performs the same steps for every request.
    func server(
      greeting: [HostileServer.Step] = [], readsBody: Bool = true, _ script: HostileServer.Step...
    ) throws -> HostileServer {
      try server(greeting: greeting, readsBody: readsBody) { _ in script }
    }

    /// Returns a transport with a long time limit, so that only checks of the limit depend on it.
    func transport(
      _ change: (inout TransportLimits) -> Void = { _ in }
    ) throws -> any Transport { ObservedTransport(base: try plainTransport(change)) }

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

    /// Sends a request with a new transport, and returns the response.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse { try await transport().send(request) }

    /// Requests the root of a server that performs `script` for every request.
    func get(_ script: HostileServer.Step...) async throws -> HTTPResponse {
      let server = try server { _ in script }
      return try await send(HTTPRequest(.get, server.url()))
    }

    /// Returns the outcome of an exchange: a response or the transport's error.
    ///
    /// Rethrows all other errors.
    func outcome<Value>(_ body: () async throws -> Value) async throws -> Result<Value, TransportError> {
      do {
        return .success(try await body())
      } catch let error as TransportError {
        return .failure(error)
      }
    }

    /// Returns the value of an exchange, or `nil` if it failed with one of `codes`.
    func value<Value>(
      or codes: TransportError.Code..., what: String = "It", _ body: () async throws -> Value
    ) async throws -> Value? {
      switch try await outcome(body) {
      case .success(let value): return value
      case .failure(let error):
        try require(codes.contains(error.code), "\(what) failed with \(describe(error)).")
        return nil
      }
    }

    /// Expects a `TransportError` with `code`, and with `reason` if it is not `nil`.
    @discardableResult
    func expect(
      _ code: TransportError.Code, _ reason: TransportError.Reason? = nil, _ what: String = "It",
      _ body: () async throws -> some Any
    ) async throws -> TransportError {
      try await expect([code], reason, what, body)
    }

    /// Expects a `TransportError` with one of `codes`, and with `reason` if it is not `nil`.
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

    /// Performs an operation with a time limit, and repeats it with longer limits if it fails an expectation.
    ///
    /// On a busy machine, a short limit can expire before the operation has started its work.
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

    /// Expects that the operation ends at its time limit, which it receives, or shortly after.
    ///
    /// - Parameter limit: The limit of the first attempt.
    func within(_ limit: Duration, _ operation: (Duration) async throws -> Void) async throws {
      try await patiently(limit) { limit in
        try await requireEnd(within: limit, "It") { try await operation(limit) }
      }
    }

    /// Expects that the operation ends immediately, in one of several attempts.
    func promptly(_ what: String, _ operation: () async throws -> Void) async throws {
      try await promptly(what, after: {}, operation)
    }

    /// Expects that the operation ends immediately, after a preparation whose time does not count.
    func promptly<Prepared>(
      _ what: String, after prepare: () async throws -> Prepared, _ operation: (Prepared) async throws -> Void
    ) async throws {
      try await patiently(.zero) { _ in
        let prepared = try await prepare()
        try await requireEnd(within: .zero, what) { try await operation(prepared) }
      }
    }

    /// Requires that the operation ends at most a quarter of a second after `limit`.
    ///
    /// The time is the sum of the beats of a task that sleeps repeatedly, each counted as at most twice its length. A machine
    /// that is too busy for the operation also delays the beats.
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

/// The servers of a check.
///
/// Servers stop when they are released, which must not happen before the check ends.
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
