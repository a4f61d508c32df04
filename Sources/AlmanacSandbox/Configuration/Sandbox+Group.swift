// SPDX-License-Identifier: Apache-2.0

extension Sandbox {
  /// A group, which calendars can be shared with and whose free/busy information can be queried.
  public struct Group: Sendable, Hashable {
    /// The e-mail address of the group.
    public var email: String
    /// The e-mail addresses of the members: users, other groups, or addresses that the sandbox has no account for.
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
