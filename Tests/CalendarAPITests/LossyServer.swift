// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import Synchronization

/// A server with one event under entity tags, which another client may change after the first write.
final class LossyServer: Sendable {
  fileprivate struct State {
    var event: JSONValue?
    var version = 1
    var outcomes: [Outcome]
    var other: JSONValue?
    var writes = 0
    var patches: [String] = []
    var otherWrites: Int
    var readFails = false
  }

  private let state: Mutex<State>

  /// - Parameters:
  ///   - outcomes: What the server does with the writes, in order; after them every one is carried out.
  ///   - other: The merge patch of another client, after the first write.
  ///   - otherWrites: How often another client makes a new version just before a write.
  init(_ json: String, _ outcomes: [Outcome], other: JSONValue? = nil, otherWrites: Int = 0) throws {
    let event = try JSONValue(json: Array(json.utf8))
    state = Mutex(State(event: event, outcomes: outcomes, other: other, otherWrites: otherWrites))
  }

  var event: JSONValue? { state.withLock { $0.event } }
  /// The bodies of the writes that were carried out.
  var patches: [String] { state.withLock { $0.patches } }
  var writes: Int { state.withLock { $0.writes } }
  var transport: StubTransport { .batching { try self.respond($0) } }

  /// Has every request that reads the event fail once one has written.
  func failReads() { state.withLock { $0.readFails = true } }

  private func respond(_ request: HTTPRequest) throws -> HTTPResponse {
    try state.withLock { state in
      if request.method == .get {
        if state.readFails, state.writes > 0 { return .refusal(403, "forbidden") }
        return state.event == nil ? .refusal(404, "notFound") : Self.response(state)
      }
      if state.otherWrites > 0 {
        state.otherWrites -= 1
        state.version += 1
      }
      let outcome = state.outcomes.isEmpty ? .carriedOut : state.outcomes.removeFirst()
      defer { state.changeByOther() }
      if outcome.isCarriedOut {
        if let condition = request.fields["If-Match"], condition != "\"\(state.version)\"" {
          return .refusal(412, "conditionNotMet")
        }
        guard state.event != nil else { return .refusal(410, "deleted") }
        state.write(request)
      }
      return switch outcome {
      case .carriedOut: state.event == nil ? HTTPResponse(status: 204) : Self.response(state)
      case .failedAfterwards, .failedBefore: .refusal(503, "backendError")
      case .lostAfterwards, .lostBefore: throw TransportError(.connectionLost, "The response was lost.")
      case .rateLimited: .refusal(403, "rateLimitExceeded")
      case .tooMany: .refusal(429, "rateLimitExceeded")
      case .unreachable: throw TransportError(.unreachable, "There is no network.")
      case .conflict: .refusal(409, "conflict")
      }
    }
  }

  private static func response(_ state: State) -> HTTPResponse {
    var event = state.event?.object ?? [:]
    event["etag"] = .string("\"\(state.version)\"")
    return HTTPResponse(status: 200, body: JSONValue.object(event).json())
  }
}

extension LossyServer {
  /// The server's treatment of a write.
  enum Outcome: Sendable {
    case carriedOut
    /// It is carried out, and the response is 503.
    case failedAfterwards
    /// It is carried out, and the connection is lost.
    case lostAfterwards
    case failedBefore
    case lostBefore
    case rateLimited
    case tooMany
    case unreachable
    case conflict

    var isCarriedOut: Bool { [.carriedOut, .failedAfterwards, .lostAfterwards].contains(self) }
  }
}

extension LossyServer.State {
  /// Carries out a patch or a deletion.
  fileprivate mutating func write(_ request: HTTPRequest) {
    writes += 1
    patches.append(String(decoding: request.body ?? [], as: UTF8.self))
    version += 1
    event = request.method == .delete ? nil : event?.changed(by: (try? JSONValue(json: request.body ?? [])) ?? .null)
  }

  /// Makes the change of the other client, once.
  fileprivate mutating func changeByOther() {
    guard let patch = other else { return }
    other = nil
    version += 1
    event = event?.changed(by: patch)
  }
}

extension JSONValue {
  /// The object after a merge patch of its own fields.
  fileprivate func changed(by patch: JSONValue) -> JSONValue {
    .object((object ?? [:]).merging(patch.object ?? [:]) { $1 }.filter { $0.value != .null })
  }
}
