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
