// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// A rule of a calendar's access control list.
struct AccessRule: Sendable {
  /// The scope of an access rule: the users it applies to.
  enum Grantee: Sendable, Hashable {
    case everyone
    case user(String)
    case group(String)
    case domain(String)
  }

  let grantee: Grantee
  /// The role, or ``AccessRole/none`` for a deleted rule.
  var role: AccessRole
  var revision = 0

  /// Whether the rule applies to the user with an e-mail address.
  func applies(to user: String, _ groups: GroupDirectory) -> Bool {
    switch grantee {
    case .everyone: true
    case .user(let email): email == user
    case .group(let email): groups.contains(user, in: email)
    case .domain(let name): user.hasSuffix("@\(name)")
    }
  }
}

extension AccessRule.Grantee {
  /// The identifier of the rule, such as `user:person@example.com`.
  var id: String {
    switch self {
    case .everyone: "default"
    case .user(let value): "user:\(value)"
    case .group(let value): "group:\(value)"
    case .domain(let value): "domain:\(value)"
    }
  }

  /// Reads the `scope` of a rule.
  init(_ scope: [String: JSONValue]) throws(APIFault) {
    guard let type = scope["type"]?.string else { throw .required("Missing scope type.") }
    if type == "default" {
      self = .everyone
      return
    }
    guard let value = scope["value"]?.string?.lowercased(), !value.isEmpty else {
      throw .required("Missing scope value.")
    }
    guard type == "domain" || value.contains("@") else { throw .invalid("Invalid scope value.") }
    switch type {
    case "user": self = .user(value)
    case "group": self = .group(value)
    default: self = .domain(value)
    }
  }

  fileprivate var scope: JSONValue {
    switch self {
    case .everyone: ["type": "default"]
    case .user(let value): ["type": "user", "value": .string(value)]
    case .group(let value): ["type": "group", "value": .string(value)]
    case .domain(let value): ["type": "domain", "value": .string(value)]
    }
  }
}

extension AccessRule {
  var etag: String { "\"\(revision)\(role.rawValue.utf8.reduce(0) { $0 &+ Int($1) })\"" }

  /// The `AclRule` resource.
  var resource: [String: JSONValue] {
    [
      "kind": "calendar#aclRule", "etag": .string(etag), "id": .string(grantee.id), "scope": grantee.scope,
      "role": .string(role.rawValue),
    ]
  }
}

/// The access roles for a calendar, in ascending order.
enum AccessRole: String, Sendable, CaseIterable, Comparable {
  case none, freeBusyReader, reader, writerWithoutPrivateAccess, writer, owner

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  static func < (left: AccessRole, right: AccessRole) -> Bool { left.rank < right.rank }
}
