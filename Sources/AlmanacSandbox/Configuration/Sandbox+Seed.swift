// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Timekeeping
import TokenStore

extension Sandbox {
  /// Users, clients and calendars to begin with, in place of the sample ones.
  ///
  /// ```json
  /// {
  ///   "users": [{"email": "ana@example.com", "givenName": "Ana", "familyName": "Muestra", "timeZone": "Europe/Madrid"}],
  ///   "clients": [{"id": "my-app", "name": "My app", "redirectURIs": ["http://127.0.0.1/callback"]}],
  ///   "calendars": [
  ///     {"owner": "ana@example.com", "summary": "Work", "timeZone": "Europe/Madrid",
  ///      "acl": [{"scope": {"type": "default"}, "role": "reader"}],
  ///      "events": [{"summary": "Lunch", "start": {"date": "2026-01-02"}, "end": {"date": "2026-01-03"}}]}
  ///   ]
  /// }
  /// ```
  ///
  /// Calendars, access rules and events are resources of the API, and are checked as it checks them; an event with an
  /// `iCalUID` is imported, any other inserted. A calendar with `"primary": true` is that of its owner. A client with a
  /// `secret` may send it in either of the two usual ways.
  public struct Seed: Sendable {
    /// The users, the first one first.
    public let users: [User]
    /// The clients.
    public let clients: [Client]
    let calendars: [[String: JSONValue]]

    /// Reads a seed.
    ///
    /// - Parameter json: The JSON text.
    /// - Throws: ``SandboxError`` that says what is wrong with it.
    public init(json: [UInt8]) throws(SandboxError) {
      guard let root = (try? JSONValue(json: json))?.object else {
        throw SandboxError("The seed is not a JSON object.")
      }
      if let name = Set(root.keys).subtracting(["users", "clients", "calendars"]).sorted().first {
        throw SandboxError("The seed has a member \(name), which is not known: use users, clients and calendars.")
      }
      let list = { (name: String) in (root[name]?.array ?? []).map { $0.object ?? [:] } }
      var users: [User] = []
      for (index, fields) in list("users").enumerated() {
        guard let user = User(fields, number: index + 1), !users.contains(where: { $0.email == user.email }) else {
          throw SandboxError("User \(index + 1) of the seed has no e-mail address of its own.")
        }
        users.append(user)
      }
      guard !users.isEmpty else { throw SandboxError("The seed has no users.") }
      var clients: [Client] = []
      for (index, fields) in list("clients").enumerated() {
        guard let client = Client(fields) else { throw SandboxError("Client \(index + 1) of the seed has no id.") }
        clients.append(client)
      }
      self.users = users
      self.clients = clients
      calendars = list("calendars")
      _ = try CalendarStore(self, now: .unixEpoch)
    }
  }
}

extension Sandbox.User {
  fileprivate init?(_ fields: [String: JSONValue], number: Int) {
    guard let email = fields["email"]?.string?.lowercased(), email.contains("@") else { return nil }
    let standard = Sandbox.User()
    self.init(
      subject: fields["subject"]?.string ?? "10000000000000000000\(number)",
      givenName: fields["givenName"]?.string ?? String(email.prefix { $0 != "@" }),
      familyName: fields["familyName"]?.string ?? standard.familyName, email: email,
      locale: fields["locale"]?.string ?? standard.locale, timeZone: fields["timeZone"]?.string ?? standard.timeZone)
  }
}

extension Sandbox.Client {
  fileprivate init?(_ fields: [String: JSONValue]) {
    guard let id = fields["id"]?.string, !id.isEmpty else { return nil }
    self.init(
      id: id, name: fields["name"]?.string ?? id,
      redirectURIs: (fields["redirectURIs"]?.array ?? []).compactMap(\.string),
      authentication: fields["secret"]?.string.map { .clientSecret(Secret($0)) } ?? .none)
  }
}
