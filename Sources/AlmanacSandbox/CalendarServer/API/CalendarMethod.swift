// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// A method of the Calendar API, as the table in `API/` has it.
struct CalendarMethod: Sendable {
  /// What does not go with a sync token.
  struct Sync: Sendable {
    let mustNotCombine: [String]
    let mustNotBeFalse: [String]
  }

  /// A parameter of the query.
  struct Parameter: Sendable {
    enum Kind: Sendable {
      case text
      case boolean
      case integer(ClosedRange<Int>)
      /// `maxResults`: more than the maximum means the maximum.
      case pageSize(default: Int, maximum: Int)
      /// A time with an offset from UTC.
      case time
      case choice([String])
    }

    let kind: Kind
    let isRepeated: Bool
    let isRequired: Bool

    init(_ kind: Kind, isRepeated: Bool = false, isRequired: Bool = false) {
      self.kind = kind
      self.isRepeated = isRepeated
      self.isRequired = isRequired
    }
  }

  enum Segment: Sendable, Hashable {
    case literal(String)
    case parameter(String)
  }

  /// The name, such as `events.list`.
  let id: ID
  let method: HTTPMethod
  /// The parts of the path below `/calendar/v3/`.
  let segments: [Segment]
  /// The schema of the body; `nil` for none.
  let request: String?
  /// The schema of the response; `nil` for none.
  let response: String?
  let parameters: [String: Parameter]
  /// The scopes of which one is needed, without Google's prefix.
  let scopes: [String]
  let sync: Sync?
  /// The endpoint that requests for the method are counted as.
  let endpoint: Sandbox.Endpoint

  init(
    _ id: ID, _ method: HTTPMethod, _ path: String, endpoint: Sandbox.Endpoint, request: String? = nil,
    response: String? = nil, parameters: [String: Parameter] = [:], scopes: [String], sync: Sync? = nil
  ) {
    self.id = id
    self.method = method
    segments = path.split(separator: "/").map {
      $0.hasPrefix("{") ? .parameter(String($0.dropFirst().dropLast())) : .literal(String($0))
    }
    self.request = request
    self.response = response
    self.parameters = parameters
    self.scopes = scopes
    self.sync = sync
    self.endpoint = endpoint
  }
}

extension CalendarMethod {
  /// The values of the path's parameters if the path is one of the method's.
  func match(_ path: [String]) -> [String: String]? {
    guard path.count == segments.count else { return nil }
    var values: [String: String] = [:]
    for (segment, part) in zip(segments, path) {
      switch segment {
      case .literal(let literal): guard part == literal else { return nil }
      case .parameter(let name):
        guard !part.isEmpty else { return nil }
        values[name] = part
      }
    }
    return values
  }
}

/// Finds the method that a request calls.
enum MethodRouter {
  struct Route {
    let method: CalendarMethod
    /// The parameters of the path.
    let path: [String: String]
  }

  private static let methods = Dictionary(grouping: CalendarMethod.all) { $0.segments.count }
  private static let order: [HTTPMethod] = [.get, .post, .put, .patch, .delete]

  /// Returns the methods of a path, those first that name more of it.
  static func routes(_ path: [String]) -> [Route] {
    (methods[path.count] ?? []).compactMap { method in method.match(path).map { Route(method: method, path: $0) } }
      .sorted { $0.path.count < $1.path.count }
  }

  /// The methods of HTTP that a path supports.
  static func allowed(_ routes: [Route]) -> [HTTPMethod] {
    order.filter { method in routes.contains { $0.method.method == method } }
  }
}
