// SPDX-License-Identifier: Apache-2.0

/// The members of the groups.
///
/// E-mail addresses are in lower case.
struct GroupDirectory: Sendable {
  private var groups: [String: [String]] = [:]

  init(_ groups: [Sandbox.Group] = []) {
    for group in groups { self.groups[group.email.lowercased()] = group.members.map { $0.lowercased() } }
  }

  /// Returns the members of a group and of the groups in it, each once, or `nil` if there is no such group.
  func members(of group: String) -> [String]? {
    guard let direct = groups[group] else { return nil }
    var seen: Set<String> = [group]
    var members: [String] = []
    var rest = direct[...]
    while let address = rest.popFirst() {
      guard seen.insert(address).inserted else { continue }
      if let inner = groups[address] { rest = inner + rest } else { members.append(address) }
    }
    return members
  }

  /// Returns whether a user belongs to a group, directly or through another group.
  func contains(_ user: String, in group: String) -> Bool { members(of: group)?.contains(user) == true }
}
