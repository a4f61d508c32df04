// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import HTTPTransportCurl
import Testing
import TransportKit

/// A correct transport with one defect, and the checks that report it.
struct TransportDefect: Sendable, CustomTestStringConvertible {
  typealias Change = @Sendable (inout DefectiveTransport) -> Void

  let testDescription: String
  /// The checks' identifiers, separated by spaces.
  ///
  /// A `*` at the end stands for any text.
  private let reports: String
  /// Whether the checks wait for an event that never happens.
  private let hangs: Bool
  /// The maximum number of runs until a check detects the defect.
  private let attempts: Int
  private let limits: @Sendable (inout TransportLimits) -> Void
  private let change: Change

  init(
    _ description: String, _ reports: String, hangs: Bool = false, attempts: Int = 1,
    change: @escaping Change = { _ in }, limits: @escaping @Sendable (inout TransportLimits) -> Void = { _ in }
  ) {
    testDescription = description
    self.reports = reports
    self.hangs = hangs
    self.attempts = attempts
    self.limits = limits
    self.change = change
  }

  /// Creates a defect that changes requests.
  static func requests(
    _ description: String, _ reports: String, _ change: @escaping @Sendable (inout HTTPRequest) -> Void
  ) -> Self {
    Self(description, reports) { transport in
      transport.sending = { [base = transport] in
        var request = $0
        change(&request)
        return try await base.send(request)
      }
    }
  }

  /// Creates a defect that changes responses.
  static func responses(
    _ description: String, _ reports: String, _ change: @escaping @Sendable (inout HTTPResponse) -> Void
  ) -> Self {
    Self(description, reports) { transport in
      transport.sending = { [base = transport] in
        var response = try await base.send($0)
        change(&response)
        return response
      }
    }
  }

  /// Creates a defect that changes errors, or returns a response instead.
  static func errors(
    _ description: String, _ reports: String, _ change: @escaping @Sendable (any Error) throws -> HTTPResponse
  ) -> Self {
    Self(description, reports) { transport in
      transport.sending = { [base = transport] in
        do { return try await base.send($0) } catch { return try change(error) }
      }
      transport.streaming = { [base = transport] in
        do {
          return try await base.stream($0, body: $1)
        } catch {
          return StreamedResponse(status: try change(error).status)
        }
      }
    }
  }

  /// Creates a defect in streaming.
  static func streaming(
    _ description: String, _ reports: String, hangs: Bool = false,
    _ stream: @escaping @Sendable (DefectiveTransport, HTTPRequest, BodyStream?) async throws -> StreamedResponse
  ) -> Self {
    Self(description, reports, hangs: hangs) { transport in
      transport.streaming = { [base = transport] in try await stream(base, $0, $1) }
    }
  }

  /// The checks that report the defect.
  var checks: [TransportConformance.Check] {
    reports.split { $0.isWhitespace }.flatMap { pattern in
      let found = TransportConformance.allChecks.filter {
        pattern.hasSuffix("*") ? $0.id.hasPrefix(pattern.dropLast()) : $0.id == pattern
      }
      #expect(!found.isEmpty, "There is no check \(pattern).")
      return found
    }
  }

  /// Expects that a check reports the defect.
  func expectReport(of check: TransportConformance.Check) async throws {
    let kit = TransportConformance(patience: hangs ? .milliseconds(300) : .seconds(60)) { limits in
      var limits = limits
      self.limits(&limits)
      var transport = DefectiveTransport(CurlTransport(limits: limits))
      change(&transport)
      return transport
    }
    for _ in 1..<attempts {
      do { try await kit.run(check) } catch is ConformanceFailure { return }
    }
    let failure = try await #require(throws: ConformanceFailure.self, "\(check)") { try await kit.run(check) }
    #expect(failure.detail.hasPrefix("Still waiting") == hangs, "\(check): \(failure)")
  }
}

/// A transport whose parts can be replaced.
struct DefectiveTransport: StreamingTransport {
  var sending: @Sendable (HTTPRequest) async throws -> HTTPResponse
  var streaming: @Sendable (HTTPRequest, BodyStream?) async throws -> StreamedResponse

  init(_ base: CurlTransport) {
    sending = { try await base.send($0) }
    streaming = { try await base.stream($0, body: $1) }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse { try await sending(request) }

  func stream(_ request: HTTPRequest, body: BodyStream?) async throws -> StreamedResponse {
    try await streaming(request, body)
  }
}
