// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

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
