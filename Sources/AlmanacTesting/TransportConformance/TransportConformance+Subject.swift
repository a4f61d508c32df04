// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension TransportConformance {
  /// Makes the transports of a check, and judges what they do.
  struct Subject: Sendable {
    let makeTransport: @Sendable (TransportLimits) throws -> any Transport
    let givesReasons: Bool

    /// A transport whose time limit is long, so that a check in which it is not the subject never depends on it.
    func transport(
      _ change: (inout TransportLimits) -> Void = { _ in }
    ) throws -> any Transport {
      var limits = TransportLimits(timeout: .seconds(20))
      change(&limits)
      return try makeTransport(limits)
    }

    func streamingTransport(
      _ change: (inout TransportLimits) -> Void = { _ in }
    ) throws -> any StreamingTransport {
      let transport = try transport(change)
      guard let transport = transport as? any StreamingTransport else {
        throw Conformance.Broken(detail: "\(type(of: transport)) is not a StreamingTransport.")
      }
      return transport
    }

    /// Sends a request with a transport of its own, and returns the response.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse { try await transport().send(request) }

    /// Gets the root of a server that does `script` about every request.
    func get(_ script: HostileServer.Step...) async throws -> HTTPResponse {
      let server = try HostileServer { _ in script }
      defer { server.stop() }
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

    /// Expects that the operation has ended `limit` after it began, or hardly later.
    ///
    /// A busy machine holds up every task. So the operation may be as late as a task is that sleeps for `limit` at the same time,
    /// and is given three attempts.
    func within(_ limit: Duration, _ what: String = "It", _ operation: () async throws -> Void) async throws {
      try await within(limit, what, after: {}, operation)
    }

    /// The same, with a preparation whose time does not count.
    func within<Prepared>(
      _ limit: Duration, _ what: String = "It", after prepare: () async throws -> Prepared,
      _ operation: (Prepared) async throws -> Void
    ) async throws {
      var times: [Duration] = []
      for _ in 1...3 {
        let prepared = try await prepare()
        let sleeper = Task { try await ContinuousClock().measure { try await Task.sleep(for: limit) } }
        let time = try await ContinuousClock().measure { try await operation(prepared) }
        let lateness = max(.zero, try await sleeper.value - limit)
        if time <= limit + .milliseconds(250) + lateness { return }
        times.append(time)
      }
      throw Conformance.Broken(detail: "\(what) took \(times); the limit is \(limit).")
    }
  }

  static func require(_ condition: Bool, _ detail: @autoclosure () -> String) throws {
    try Conformance.require(condition, detail())
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
