// SPDX-License-Identifier: Apache-2.0

import CalendarAPI

/// The options that describe an access rule.
enum RuleOptions {
  static let who: [Option] = [
    Option("user", "EMAIL", "a user"), Option("group", "EMAIL", "a group"), Option("domain", "NAME", "a domain"),
    Option("public", nil, "everyone, also without an account"),
  ]
  static let role: [Option] = [
    Option("role", "ROLE", roles.keys.sorted().joined(separator: ", ")),
    Option("send-updates", "WHOM", "all or none: whether those concerned get an e-mail (default: all)"),
  ]

  private static let roles: [String: AccessRole] = [
    "free-busy": .freeBusyReader, "reader": .reader, "writer": .writer, "owner": .owner, "none": .none,
  ]

  /// - Throws: ``UsageError``.
  static func role(_ context: Context) throws -> AccessRole {
    let name = context.arguments["role"] ?? ""
    guard let role = roles[name] ?? AccessRole.knownValues.first(where: { $0.rawValue == name }) else {
      throw UsageError("--role is one of \(roles.keys.sorted().joined(separator: ", ")).", command: context.command)
    }
    return role
  }

  /// - Throws: ``UsageError``.
  static func scope(_ context: Context) throws -> AclRule.Scope {
    let types: [(String, AclRule.ScopeType)] = [
      ("user", .user), ("group", .group), ("domain", .domain), ("public", .default),
    ]
    let named = types.filter { context.arguments.has($0.0) }
    guard named.count == 1, let (option, type) = named.first else {
      throw UsageError("Name one of --user, --group, --domain and --public.", command: context.command)
    }
    return AclRule.Scope {
      $0.type = type
      $0.value = type == .default ? nil : context.arguments[option]
    }
  }

  /// - Throws: ``UsageError``.
  static func notifies(_ context: Context) throws -> Bool {
    switch context.arguments["send-updates"] ?? "all" {
    case "all": return true
    case "none": return false
    default: throw UsageError("--send-updates is all or none.", command: context.command)
    }
  }
}

extension AclRule {
  /// Who the rule is for.
  var who: String {
    switch scope?.type {
    case .default: "everyone"
    case let type?: "\(type) \(scope?.value ?? "?")"
    case nil: id ?? "?"
    }
  }

  /// What to know before the rule is written.
  func notes(_ notifies: Bool) -> [String] {
    let isPublic = scope?.type == .default ? ["Everyone on the Internet can then see the calendar."] : []
    return isPublic + ["Notified by e-mail: \(notifies ? "those concerned" : "no one")."]
  }
}
