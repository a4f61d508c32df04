// SPDX-License-Identifier: Apache-2.0

extension Sandbox {
  /// A group, which calendars can be shared with and whose free/busy information can be queried.
  ///
  /// Its addresses and those in access rules and queries are compared without regard to case. Those of the users have to be in lower
  /// case, as a seed makes them.
  public struct Group: Sendable, Hashable {
    /// The e-mail address of the group, which no user and no other group may have.
    ///
    /// A ``Sandbox/Seed`` that has such an address twice is refused. In ``Sandbox/Configuration/groups`` the last group of an address
    /// takes effect, and a free/busy query of the address is one of the group.
    public var email: String
    /// The e-mail addresses of the members: users, other groups, or addresses that the sandbox has no account for.
    ///
    /// The members of a group that is a member are members too, at any depth. Groups may contain each other.
    public var members: [String]

    /// Creates a group.
    public init(email: String, members: [String]) {
      self.email = email
      self.members = members
    }
  }
}

extension Sandbox.Group {
  init(_ members: inout SeedMembers) throws(SandboxError) {
    email = try members.required("email").lowercased()
    guard email.contains("@") else { throw members.fault("email", "has to be an e-mail address") }
    self.members = try members.texts("members") ?? []
  }
}
