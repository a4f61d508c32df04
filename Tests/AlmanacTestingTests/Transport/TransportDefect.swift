// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import Testing
import TransportKit

/// One way to break promises of a transport, and the checks that report it.
struct TransportDefect: Sendable, CustomTestStringConvertible {
  let name: String
  /// A part of what each check says that reports the defect, by the check's identifier.
  let reports: [String: String]
  /// Whether nearly every check reports the defect.
  var isEverywhere = false
  /// The maximum number of runs until a check detects the defect.
  var attempts = 1
  let makeTransport: @Sendable (TransportLimits) -> DefectiveTransport

  var testDescription: String { name }

  /// Creates a defect of a transport with other limits than the check requests.
  init(
    _ name: String, _ reports: [String: String], limits: @escaping @Sendable (inout TransportLimits) -> Void,
    change: @escaping @Sendable (inout DefectiveTransport, TransportLimits) -> Void = { _, _ in }
  ) {
    self.name = name
    self.reports = reports
    makeTransport = { given in
      var changed = given
      limits(&changed)
      var transport = DefectiveTransport(limits: changed)
      change(&transport, given)
      return transport
    }
  }

  /// Creates a defect of a transport with the limits that the check requests.
  init(
    _ name: String, _ reports: [String: String],
    change: @escaping @Sendable (inout DefectiveTransport, TransportLimits) -> Void
  ) { self.init(name, reports, limits: { _ in }, change: change) }

  /// The same defect, which a single run of a check can miss.
  var atTimes: Self {
    var defect = self
    defect.attempts = 20
    return defect
  }

  /// The same defect, which concerns nearly every check.
  var everywhere: Self {
    var defect = self
    defect.isEverywhere = true
    return defect
  }
}

extension TransportDefect {
  /// A defect that changes requests.
  static func requests(
    _ name: String, _ reports: [String: String], _ change: @escaping @Sendable (inout HTTPRequest) -> Void
  ) -> Self {
    Self(name, reports) { transport, _ in
      let base = transport
      let changed: @Sendable (HTTPRequest) -> HTTPRequest = { request in
        var request = request
        change(&request)
        return request
      }
      transport.sending = { try await base.send(changed($0)) }
      transport.streaming = { try await base.stream(changed($0), body: $1) }
    }
  }

  /// A defect that changes responses.
  static func responses(
    _ name: String, _ reports: [String: String], _ change: @escaping @Sendable (inout HTTPResponse, HTTPRequest) -> Void
  ) -> Self {
    sending(name, reports) { base, request in
      var response = try await base.send(request)
      change(&response, request)
      return response
    }
  }

  /// A defect that changes errors, or returns a response instead.
  static func errors(
    _ name: String, _ reports: [String: String], _ change: @escaping @Sendable (any Error) throws -> HTTPResponse
  ) -> Self {
    Self(name, reports) { transport, _ in
      let base = transport
      transport.sending = { request in
        do { return try await base.send(request) } catch { return try change(error) }
      }
      transport.streaming = { request, body in
        do {
          var response = try await base.stream(request, body: body)
          response.body = response.body.changingErrors { _ = try change($0) }
          return response
        } catch {
          let response = try change(error)
          return StreamedResponse(status: response.status, fields: response.fields, body: BodyStream(response.body))
        }
      }
    }
  }

  /// A defect in sending a request.
  static func sending(
    _ name: String, _ reports: [String: String], limits: @escaping @Sendable (inout TransportLimits) -> Void = { _ in },
    _ send: @escaping @Sendable (DefectiveTransport, HTTPRequest) async throws -> HTTPResponse
  ) -> Self {
    Self(name, reports, limits: limits) { transport, _ in
      let base = transport
      transport.sending = { try await send(base, $0) }
    }
  }

  /// A defect in sending a request, with a state that all requests share.
  static func sending<State: Sendable>(
    _ name: String, _ reports: [String: String], with state: @escaping @Sendable () -> State,
    _ send: @escaping @Sendable (DefectiveTransport, HTTPRequest, State) async throws -> HTTPResponse
  ) -> Self {
    Self(name, reports) { transport, _ in
      let base = transport
      let state = state()
      transport.sending = { try await send(base, $0, state) }
    }
  }

  /// A defect in streaming a request.
  static func streaming(
    _ name: String, _ reports: [String: String], limits: @escaping @Sendable (inout TransportLimits) -> Void = { _ in },
    _ stream: @escaping @Sendable (DefectiveTransport, HTTPRequest, BodyStream?) async throws -> StreamedResponse
  ) -> Self {
    Self(name, reports, limits: limits) { transport, _ in
      let base = transport
      transport.streaming = { try await stream(base, $0, $1) }
    }
  }

  /// A defect that changes the bodies of streamed responses.
  static func bodies(
    _ name: String, _ reports: [String: String],
    limits: @escaping @Sendable (inout TransportLimits) -> Void = { _ in },
    _ change: @escaping @Sendable (BodyStream) async throws -> BodyStream
  ) -> Self {
    streaming(name, reports, limits: limits) { base, request, body in
      var response = try await base.stream(request, body: body)
      response.body = try await change(response.body)
      return response
    }
  }

  /// A defect that changes the bodies of streamed requests.
  static func uploads(
    _ name: String, _ reports: [String: String], _ change: @escaping @Sendable (BodyStream) async throws -> BodyStream
  ) -> Self {
    streaming(name, reports) { base, request, body in
      var changed: BodyStream?
      if let body { changed = try await change(body) }
      return try await base.stream(request, body: changed)
    }
  }
}

extension TransportDefect {
  /// Returns the check's report, or `nil` if the check passes.
  ///
  /// The kit waits for a short time only if the expected report is that it waited in vain.
  func failure(of check: TransportConformance.Check) async throws -> ConformanceFailure? {
    let hangs = reports[check.id]?.hasPrefix("Still waiting") == true
    let kit = TransportConformance(
      patience: hangs ? .milliseconds(300) : .seconds(60), makeTransport: makeTransport)
    for _ in 1...(reports[check.id] == nil ? 1 : attempts) {
      do {
        try await kit.run(check)
      } catch let failure as ConformanceFailure {
        return failure
      }
    }
    return nil
  }
}

/// Expects the same report from several checks.
func says(_ detail: String, _ checks: String...) -> [String: String] { [String: String]().and(detail, checks: checks) }

/// Expects the same report from the checks of a group whose names begin with one of the prefixes.
func says(
  _ detail: String, group: TransportConformance.Group, _ prefixes: String..., except: Set<String> = []
) -> [String: String] {
  [String: String]().and(detail, checks: checksOf(group, prefixes).filter { !except.contains($0) })
}

private func checksOf(_ group: TransportConformance.Group, _ prefixes: [String]) -> [String] {
  TransportConformance.allChecks.map(\.id).filter { id in
    prefixes.contains { id.hasPrefix("\(group.rawValue).\($0)") }
  }
}

extension [String: String] {
  func and(_ detail: String, _ checks: String...) -> Self { and(detail, checks: checks) }

  func and(_ detail: String, group: TransportConformance.Group, _ prefixes: String..., except: Set<String> = []) -> Self
  {
    and(detail, checks: checksOf(group, prefixes).filter { !except.contains($0) })
  }

  func and(_ detail: String, checks: [String]) -> Self {
    merging(checks.map { ($0, detail) }) { $1 }
  }
}
