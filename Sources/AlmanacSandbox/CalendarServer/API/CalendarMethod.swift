// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// A method of the Calendar API, from the table in `Tools/API`.
///
/// A method is a class because the router returns several methods for each request, and a reference is cheap to copy.
final class CalendarMethod: Sendable {
  /// The rules for the parameters of a request with a sync token.
  struct Sync: Sendable {
    let mustNotCombine: [String]
    let mustNotBeFalse: [String]
  }

  /// A query parameter.
  struct Parameter: Sendable {
    enum Kind: Sendable {
      case text
      case boolean
      case integer(ClosedRange<Int>)
      /// `maxResults`. A value above the maximum is reduced to it.
      case pageSize(default: Int, maximum: Int)
      /// A time with a UTC offset.
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
  /// The segments of the path below `/calendar/v3/`.
  let segments: [Segment]
  /// The number of parameters in the path.
  let parameterCount: Int
  /// The schema of the body, or `nil` for none.
  let request: String?
  /// The schema of the response, or `nil` for none.
  let response: String?
  let parameters: [String: Parameter]
  /// The accepted scopes, without Google's prefix.
  ///
  /// The method requires one of them.
  let scopes: [String]
  let sync: Sync?
  /// The endpoint under which the sandbox counts the method's requests.
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
    parameterCount = segments.count { if case .parameter = $0 { true } else { false } }
    self.request = request
    self.response = response
    self.parameters = parameters
    self.scopes = scopes
    self.sync = sync
    self.endpoint = endpoint
  }
}

extension CalendarMethod {
  /// Returns whether the method has this path.
  func matches(_ path: [String]) -> Bool {
    guard path.count == segments.count else { return false }
    for (segment, part) in zip(segments, path) {
      switch segment {
      case .literal(let literal): guard part == literal else { return false }
      case .parameter: guard !part.isEmpty else { return false }
      }
    }
    return true
  }

  /// Returns the values of the path parameters of a matching path.
  func parameters(in path: [String]) -> [String: String] {
    var values: [String: String] = [:]
    for case (.parameter(let name), let part) in zip(segments, path) { values[name] = part }
    return values
  }
}

/// A router from paths to methods.
enum MethodRouter {
  struct Route {
    let method: CalendarMethod
    fileprivate let segments: [String]

    /// The parameters of the path.
    var path: [String: String] { method.parameters(in: segments) }
  }

  private static let methods = Dictionary(grouping: CalendarMethod.all) { $0.segments.count }
  private static let order: [HTTPMethod] = [.get, .post, .put, .patch, .delete]

  /// Returns the methods of a path.
  ///
  /// Methods with fewer path parameters come first.
  static func routes(_ path: [String]) -> [Route] {
    (methods[path.count] ?? []).filter { $0.matches(path) }.map { Route(method: $0, segments: path) }
      .sorted { $0.method.parameterCount < $1.method.parameterCount }
  }

  /// Returns the HTTP methods supported at a path.
  static func allowed(_ routes: [Route]) -> [HTTPMethod] {
    order.filter { method in routes.contains { $0.method.method == method } }
  }
}
