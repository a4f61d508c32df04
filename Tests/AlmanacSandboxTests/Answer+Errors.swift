// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport

/// Errors on one line, with all that a client can read of them.
extension Answer {
  /// The error of a Google API.
  ///
  /// For example `400 INVALID_ARGUMENT global/invalid [parameter timeZone]: Invalid time zone.` A response that says one thing twice, and
  /// differently, is its body instead.
  var apiError: String {
    let error = object["error"] as? [String: Any] ?? [:]
    let items = error["errors"] as? [[String: Any]] ?? []
    let message = error["message"] as? String
    guard let message, items.count == 1, let domain = items[0]["domain"] as? String, let reason,
      error["code"] as? Int == status, items[0]["message"] as? String == message
    else { return "\(status) \(text)" }
    let location = ["locationType", "location"].compactMap { items[0][$0] as? String }.joined(separator: " ")
    return "\(status) \(error["status"] as? String ?? "-") \(domain)/\(reason)"
      + "\(location.isEmpty ? "" : " [\(location)]"): \(message)"
  }

  /// The error of an OAuth endpoint.
  ///
  /// For example `400 invalid_request: token is missing.`
  var oauthError: String { "\(status) \(self["error"] ?? "-"): \(self["error_description"] ?? "-")" }
}
