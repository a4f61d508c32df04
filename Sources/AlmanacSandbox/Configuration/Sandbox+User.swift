// SPDX-License-Identifier: Apache-2.0

extension Sandbox {
  /// A user of the sandbox.
  ///
  /// The default user is fictitious.
  public struct User: Sendable, Hashable {
    /// The unique, permanent identifier (`sub`).
    public var subject: String
    /// The given name.
    public var givenName: String
    /// The family name.
    public var familyName: String
    /// The full name.
    public var name: String { "\(givenName) \(familyName)" }
    /// The e-mail address, which is also the primary calendar's identifier.
    public var email: String
    /// The language, as a BCP 47 tag.
    public var locale: String
    /// The URL of a picture, or `nil` for a generated picture.
    public var picture: String?
    /// The IANA name of the primary calendar's time zone.
    ///
    /// An unknown name has the effect of UTC.
    public var timeZone: String

    /// Creates a user.
    ///
    /// - Parameters:
    ///   - subject: The identifier. Defaults to a number derived from `email`, so each user has an identifier of their
    ///     own.
    ///   - givenName: The given name.
    ///   - familyName: The family name.
    ///   - email: The e-mail address.
    ///   - locale: The language.
    ///   - picture: The URL of a picture.
    ///   - timeZone: The name of the primary calendar's time zone.
    public init(
      subject: String? = nil, givenName: String = "Sample", familyName: String = "Person",
      email: String = "person@example.com",
      locale: String = "en", picture: String? = nil, timeZone: String = "Europe/Madrid"
    ) {
      self.subject = subject ?? Self.subject(of: email)
      self.givenName = givenName
      self.familyName = familyName
      self.email = email
      self.locale = locale
      self.picture = picture
      self.timeZone = timeZone
    }

    /// Returns a number of 21 digits, as Google's identifiers have, of which the default user has the first.
    private static func subject(of email: String) -> String {
      guard email != "person@example.com" else { return "100000000000000000001" }
      // FNV-1a: equal in every process.
      let hash = email.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
      let digits = String(hash)
      return "1" + String(repeating: "0", count: 20 - digits.utf8.count) + digits
    }
  }
}

extension Sandbox {
  /// A group of users, for sharing calendars and querying free/busy information.
  ///
  /// The group's e-mail addresses match those in access rules and queries regardless of case. The users' own e-mail addresses
  /// must be in lower case. A seed converts them to lower case.
  public struct Group: Sendable, Hashable {
    /// The e-mail address of the group, which no user and no other group can have.
    ///
    /// A ``Sandbox/Seed`` with a duplicate e-mail address is invalid. In ``Sandbox/Configuration/groups``, the last group with an
    /// e-mail address takes effect, and a free/busy query of the address queries the group.
    public var email: String
    /// The e-mail addresses of the members: users, other groups, or unknown addresses.
    ///
    /// The members of nested groups are members, too, at any depth. Groups can contain each other.
    public var members: [String]

    /// Creates a group.
    public init(email: String, members: [String]) {
      self.email = email
      self.members = members
    }
  }
}

extension Sandbox.Group {
  init(_ members: inout CheckedMembers) throws(SandboxError) {
    email = try members.required("email").lowercased()
    guard email.contains("@") else { throw members.fault("email", "must be an e-mail address") }
    self.members = try members.texts("members") ?? []
  }
}
