// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import TestSupport
import TransportKit

extension TransportDefects {
  private static let promptChecks = [
    "before-head", "in-head", "in-body", "in-fast-body", "in-trailers", "in-fields",
  ].map { "cancellation.\($0)" }

  private static let cancelledChecks = [
    "before-start", "while-connecting", "while-waiting-for-a-connection", "in-request-body", "in-redirects",
    "others-go-on",
  ].map { "cancellation.\($0)" }

  private static func says(_ detail: String, _ checks: [String]) -> [String: String] {
    Dictionary(uniqueKeysWithValues: checks.map { ($0, detail) })
  }

  static let cancellation: [TransportDefect] = [
    .errors(
      "returns a response to a cancelled task",
      says("The cancelled task got a response.", cancelledChecks)
        .and("There was a response.", checks: promptChecks + ["cancellation.many-while-hostile"])
        .and("The response is wrong.", checks: ["cancellation.at-any-time"])
        .and(
          "The cancelled task got a response.",
          checks: [
            "streaming.cancelled-before-head", "streaming.cancelled-while-iterating",
            "streaming.request-cancelled",
          ])
    ) {
      guard $0 is CancellationError else { throw $0 }
      return HTTPResponse(status: 200)
    }
  ]

  static let connections: [TransportDefect] = [
    TransportDefect(
      "keeps no connection",
      says("5 connections were made.", ["connections.reuse"])
        .and("3 connections were made.", checks: ["connections.reuse-after-chunks", "streaming.reuse"])
    ) { transport, limits in
      transport.sending = { try await DefectiveTransport(limits: limits).send($0) }
      transport.streaming = { try await DefectiveTransport(limits: limits).stream($0, body: $1) }
    },
    .sending(
      "makes a connection beyond the limit",
      says("connections were open at once.", ["connections.limit-per-host"])
        .and("connections were made.", checks: ["connections.connection-close"]),
      with: { Shared<[RawClient]>([]) }
    ) { base, request, others in
      if others.value.isEmpty {
        let other = try await RawClient.connect(to: request.url.port ?? 80)
        others.change { $0.append(other) }
      }
      return try await base.send(request)
    },
    TransportDefect(
      "makes more connections in total", says("connections were open at once.", ["connections.limit-in-total"]),
      limits: { $0.connections = .max }
    ).atTimes,
    TransportDefect(
      "does not wait for a connection",
      says("reason waiting; expected the reason connecting", ["connections.wait-for-connection"]),
      limits: { $0.connectionsPerHost = 16 }),
    .sending(
      "keeps a connection too many", says("The connection was not kept.", ["connections.closed-with-transport"]),
      with: { RawTransport() }
    ) { base, request, other in
      _ = try await other.send(request)
      return try await base.send(request)
    }.everywhere,
  ]
}
