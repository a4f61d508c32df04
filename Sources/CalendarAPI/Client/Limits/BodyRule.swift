// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// A rule for the body of a request, beside the limits of its fields.
///
/// `API/calendar_v3.json` names the rules of each method. A new rule is a static property, in an extension in a file for its
/// schema.
struct BodyRule: Sendable {
  /// Returns how a body breaks the rule, and what to do about it; `nil` if it does not.
  let problem: @Sendable (_ body: JSONValue, _ query: QueryItems) -> String?

  init(_ problem: @escaping @Sendable (_ body: JSONValue, _ query: QueryItems) -> String?) { self.problem = problem }
}

extension BodyRule {
  /// The URL that notifications of a channel are delivered to.
  static let channelAddress = BodyRule { channel, _ in
    guard let address = channel["address"]?.string, !address.hasPrefix("https://") else { return nil }
    return "Notifications are delivered to an https URL only."
  }
}
