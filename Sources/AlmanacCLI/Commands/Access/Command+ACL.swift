// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import JSONCoding

extension Command {
  static let aclList = Command(
    name: "acl list",
    leastScope: .calendarACLsReadOnly,
    summary: "List the access rules of a calendar.",
    options: Session.serverOptions + [.calendar]
  ) { context in
    let client = try await Session(context).calendar
    var rules: [AclRule] = []
    for try await rule in client.acl.all(in: context.calendarID) { rules.append(rule) }
    if context.isJSON { return context.writeJSON(objects: rules.map { $0.json() }) }
    guard !rules.isEmpty else { return context.terminal.line("No access rules.") }
    var table = Table("WHO", "ROLE", "ID")
    for rule in rules { table.append(rule.who, rule.role?.inWords ?? "?", rule.id ?? "") }
    table.write(to: context.terminal)
  }

  static let aclAdd = Command(
    name: "acl add",
    leastScope: .calendarACLs,
    summary: "Give a user, a group, a domain or everyone access to a calendar.",
    discussion: "If the user, group or domain already has a rule, its role is replaced.",
    options: Session.serverOptions + [.calendar] + RuleOptions.who + RuleOptions.role + Option.writing,
    required: [RuleOptions.who.map(\.name), ["role"]]
  ) { context in
    try context.checkConsent()
    let rule = try AclRule {
      $0.scope = try RuleOptions.scope(context)
      $0.role = try RuleOptions.role(context)
    }
    let notifies = try RuleOptions.notifies(context)
    let client = try await Session(context).calendar
    let change = PlannedChange(
      title: "Give access to calendar \(context.calendarID)",
      fields: [
        FieldChange("who", from: nil, to: rule.who), FieldChange("role", from: nil, to: rule.role?.inWords),
      ], notes: rule.notes(notifies))
    let request = AclResource.insert(rule, in: context.calendarID, sendNotifications: notifies)
    guard let added = try await context.make(change, by: request, over: client) else { return }
    context.write(added, "Gave access to \(added.who): \(added.id ?? "?")")
  }

  static let aclEdit = Command(
    name: "acl edit",
    leastScope: .calendarACLs,
    summary: "Change the role of an access rule.",
    positional: ["ID"],
    options: Session.serverOptions + [.calendar] + RuleOptions.role + Option.writing,
    required: [["role"]]
  ) { context in
    try context.checkConsent()
    let role = try RuleOptions.role(context)
    let notifies = try RuleOptions.notifies(context)
    let client = try await Session(context).calendar
    let id = context.arguments.positional[0]
    let rule = try await client.acl.get(id, in: context.calendarID)
    guard rule.role != role else { return context.write(rule, "Nothing to change: \(rule.who)") }
    var request = AclResource.patch(
      AclRule.Patch { $0.role = .set(role) }, for: id, in: context.calendarID, sendNotifications: notifies)
    request.ifMatch = rule.etag
    let change = PlannedChange(
      title: "Change the access of \(rule.who) to calendar \(context.calendarID)",
      fields: [FieldChange("role", from: rule.role?.inWords, to: role.inWords)], notes: rule.notes(notifies))
    guard let changed = try await context.make(change, by: request, over: client) else { return }
    context.write(changed, "Changed the access of \(changed.who)")
  }

  static let aclDelete = Command(
    name: "acl delete",
    leastScope: .calendarACLs,
    summary: "Delete an access rule.",
    positional: ["ID"],
    options: Session.serverOptions + [.calendar] + Option.writing
  ) { context in
    try context.checkConsent()
    let client = try await Session(context).calendar
    let id = context.arguments.positional[0]
    let rule = try await client.acl.get(id, in: context.calendarID)
    var request = AclResource.delete(id, in: context.calendarID)
    request.ifMatch = rule.etag
    let change = PlannedChange(
      title: "Remove the access of \(rule.who) to calendar \(context.calendarID)",
      fields: [FieldChange("role", from: rule.role?.inWords, to: nil)])
    guard try await context.make(change, by: request, over: client) != nil else { return }
    try context.writeDeletion(of: id, "Removed the access of \(rule.who)")
  }
}

/// The options for an access rule.
enum RuleOptions {
  static let who: [Option] = [
    Option("user", "EMAIL", "a user"), Option("group", "EMAIL", "a group"), Option("domain", "NAME", "a domain"),
    Option("public", nil, "everyone, even without an account"),
  ]
  static let role: [Option] = [
    Option("role", "ROLE", roles.keys.sorted().joined(separator: ", "), choices: roles.keys.sorted()),
    Option(
      "send-updates", "WHOM", "all or none: whether the affected users get an e-mail (default: all)",
      choices: ["all", "none"]),
  ]

  private static let roles: [String: AccessRole] = [
    "free-busy": .freeBusyReader, "reader": .reader, "writer": .writer, "owner": .owner, "none": .none,
  ]

  /// - Throws: ``UsageError``.
  static func role(_ context: Context) throws -> AccessRole {
    let name = context.arguments["role"] ?? ""
    guard let role = roles[name] ?? AccessRole.knownValues.first(where: { $0.rawValue == name }) else {
      throw UsageError(
        "--role must be one of \(roles.keys.sorted().joined(separator: ", ")).", command: context.command)
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
      throw UsageError("--user, --group, --domain and --public cannot be combined. Keep one.", command: context.command)
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
    default: throw UsageError("--send-updates must be all or none.", command: context.command)
    }
  }
}

extension AclRule {
  /// The grantee: the user, group or domain of the rule, or everyone.
  var who: String {
    switch scope?.type {
    case .default: "everyone"
    case let type?: "\(type) \(scope?.value ?? "?")"
    case nil: id ?? "?"
    }
  }

  /// Returns the consequences of the rule.
  func notes(_ notifies: Bool) -> [String] {
    let isPublic = scope?.type == .default ? ["Everyone on the Internet can then see the calendar."] : []
    return isPublic + ["Notified by e-mail: \(notifies ? "the affected users" : "no one")."]
  }
}
