// SPDX-License-Identifier: Apache-2.0

import Almanac
import OAuthCore
import Timekeeping
import TokenStore

extension Command {
  static let accounts = Command(
    name: "accounts",
    summary: "List the accounts with stored tokens, without secrets. Sends nothing.",
    options: [.storage]
  ) { context in
    var reports: [AccountReport] = []
    // A record with another kind of name belongs to another program. No command can use or remove it.
    for record in try await context.storage.accounts().sorted() {
      guard let name = RecordName(record) else { continue }
      reports.append(try await AccountReport(of: name, record: record, context))
    }
    if context.isJSON { return try context.writeJSON(reports) }
    guard !reports.isEmpty else {
      return context.terminal.line(
        "No tokens are stored\(context.inStorage). Run `almanac sign-in\(context.storageOption)`.")
    }
    var table = Table("ACCOUNT", "SERVER", "CLIENT", "VALID", "REFRESH", "SCOPES", limits: [2: 36])
    for report in reports {
      table.append(
        report.account, report.issuer ?? "?", report.clientID ?? "?", report.problem ?? report.validity,
        report.canRefresh ? "yes" : "no", report.scopes.map(\.googleName).joined(separator: " "))
    }
    table.write(to: context.terminal)
  }
}

private struct AccountReport: Encodable {
  let account: String
  var issuer: String?
  var clientID: String?
  var scopes: [Scope] = []
  var expiresAt: String?
  var canRefresh = false
  /// The reason why the record cannot be read, or `nil` if it can.
  var problem: String?
  var validity = "?"

  enum CodingKeys: String, CodingKey {
    case account, issuer, clientID, scopes, expiresAt, canRefresh, problem
  }

  /// Reads a record.
  ///
  /// A damaged record is reported as a problem, not thrown as an error.
  init(of name: RecordName, record: String, _ context: Context) async throws {
    account = name.account
    do {
      guard let token = try await context.storage.token(for: record) else { return }
      issuer = token.issuer
      clientID = token.clientID ?? name.clientID
      scopes = token.scopes
      expiresAt = token.expiresAt?.description
      canRefresh = token.refreshToken != nil
      validity = context.validity(until: token.expiresAt, serverClockOffset: token.serverClockOffset)
    } catch let error as TokenStorageError {
      problem = error.code.description
    }
  }
}
