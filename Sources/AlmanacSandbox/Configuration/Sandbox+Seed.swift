// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence
import Timekeeping
import TokenStore

extension Sandbox {
  /// The initial users, groups, clients, service accounts and calendars, which replace the samples.
  ///
  /// ```json
  /// {
  ///   "users": [{"email": "ana@example.com", "givenName": "Ana", "familyName": "Muestra", "timeZone": "Europe/Madrid"}],
  ///   "groups": [{"email": "team@example.com", "members": ["ana@example.com"]}],
  ///   "clients": [{"id": "my-app", "name": "My app", "redirectURIs": ["http://127.0.0.1/callback"]}],
  ///   "serviceAccounts": [{"email": "robot@my-project.iam.gserviceaccount.com", "delegators": ["ana@example.com"]}],
  ///   "calendars": [
  ///     {"owner": "ana@example.com", "summary": "Work", "timeZone": "Europe/Madrid",
  ///      "acl": [{"scope": {"type": "default"}, "role": "reader"}],
  ///      "events": [{"summary": "Lunch", "start": {"date": "2026-01-02"}, "end": {"date": "2026-01-03"}}]}
  ///   ]
  /// }
  /// ```
  ///
  /// Calendars, access rules and events are resources of the API, and the same checks apply. An event with an `iCalUID`
  /// is imported. Any other event is inserted. A calendar with `"primary": true` is the primary calendar of its owner,
  /// who defaults to the first user. An unknown member is an error. Misspellings are therefore not ignored.
  ///
  /// The server treats a client as Google treats one of the type *Web application*, or *Desktop app* if it has no `redirectURIs`.
  /// Its `authentication` is one of `none`, `client_secret_basic`, `client_secret_post`, `client_secret_jwt`, `private_key_jwt`
  /// and `tls_client_auth`. If `authentication` is omitted, a client with a `secret` sends it in the header or the body, a client
  /// with `jwks` signs assertions, and any other client is public. Documentation/Testing.md explains every member.
  public struct Seed: Sendable {
    /// A calendar with its access rules and events.
    struct Calendar {
      let owner: String?
      let isPrimary: Bool
      let fields: [String: JSONValue]
      let rules: [[String: JSONValue]]
      let events: [[String: JSONValue]]
    }

    /// The users, starting with the first.
    public let users: [User]
    /// The groups, to which users can belong.
    public let groups: [Group]
    /// The clients.
    public let clients: [Client]
    /// The service accounts of Google Cloud.
    public let serviceAccounts: [GoogleCloudSandbox.ServiceAccount]
    /// The e-mail address of the attached service account, or `nil` for a machine without a metadata server.
    public let attachedAccount: String?
    let calendars: [Calendar]

    /// Decodes a seed.
    ///
    /// - Parameter json: The JSON text.
    /// - Throws: ``SandboxError`` that names the invalid member.
    public init(json: [UInt8]) throws(SandboxError) {
      guard let value = try? JSONValue(json: json, requiringUniqueNames: true) else {
        throw SandboxError("The seed is not valid JSON, or has a duplicate member.")
      }
      var members = try CheckedMembers(value, of: "seed")
      users = try members.list("users") { (user, index) throws(SandboxError) in try User(&user, number: index + 1) }
      groups = try members.list("groups") { (group, _) throws(SandboxError) in try Group(&group) }
      clients = try members.list("clients") { (client, _) throws(SandboxError) in try Client(&client) }
      let accounts = try members.list("serviceAccounts") { (account, _) throws(SandboxError) in
        try ServiceAccount(&account)
      }
      (serviceAccounts, attachedAccount) = try ServiceAccount.checked(accounts, users: users.map(\.email))
      calendars = try members.list("calendars") { (calendar, _) throws(SandboxError) in try Calendar(&calendar) }
      try members.finish()
      guard !users.isEmpty else { throw SandboxError("The seed has no users.") }
      let addresses = users.map(\.email) + groups.map(\.email) + serviceAccounts.map(\.email)
      guard Set(addresses).count == addresses.count else {
        throw SandboxError("Two users, groups or service accounts of the seed have the same e-mail address.")
      }
      _ = try CalendarStore(self, now: .unixEpoch)
    }
  }
}

extension Sandbox.User {
  fileprivate init(_ members: inout CheckedMembers, number: Int) throws(SandboxError) {
    let standard = Sandbox.User()
    let email = try members.required("email").lowercased()
    guard email.contains("@") else { throw members.fault("email", "must be an e-mail address") }
    let timeZone = try members.text("timeZone") ?? standard.timeZone
    guard Zone.named(timeZone) != nil else { throw members.fault("timeZone", "is unknown") }
    self.init(
      subject: try members.text("subject") ?? "10000000000000000000\(number)",
      givenName: try members.text("givenName") ?? String(email.prefix { $0 != "@" }),
      familyName: try members.text("familyName") ?? standard.familyName, email: email,
      locale: try members.text("locale") ?? standard.locale, picture: try members.text("picture"), timeZone: timeZone)
  }
}

extension Sandbox.Seed.Calendar {
  fileprivate init(_ members: inout CheckedMembers) throws(SandboxError) {
    owner = try members.text("owner")?.lowercased()
    isPrimary = try members.flag("primary") ?? false
    rules = try members.objects("acl")
    events = try members.objects("events")
    fields = members.others()
  }
}
