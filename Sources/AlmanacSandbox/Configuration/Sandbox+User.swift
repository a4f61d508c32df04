// SPDX-License-Identifier: Apache-2.0

extension Sandbox {
  /// The user whose account the sandbox keeps.
  ///
  /// The one it comes with does not exist.
  public struct User: Sendable, Hashable {
    /// The identifier that never changes, `sub`.
    public var subject: String
    /// The given name.
    public var givenName: String
    /// The family name.
    public var familyName: String
    /// The name to be shown.
    public var name: String { "\(givenName) \(familyName)" }
    /// The e-mail address, which is also the primary calendar's identifier.
    public var email: String
    /// The language, a BCP 47 tag.
    public var locale: String
    /// The URL of a picture; `nil` takes one that the sandbox draws.
    public var picture: String?
    /// The IANA name of the time zone of the primary calendar: one that the sandbox knows, or else UTC is taken.
    public var timeZone: String

    /// Creates a user.
    public init(
      subject: String = "100000000000000000001", givenName: String = "Sample", familyName: String = "Person",
      email: String = "person@example.com",
      locale: String = "en", picture: String? = nil, timeZone: String = "Europe/Madrid"
    ) {
      self.subject = subject
      self.givenName = givenName
      self.familyName = familyName
      self.email = email
      self.locale = locale
      self.picture = picture
      self.timeZone = timeZone
    }
  }
}

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
