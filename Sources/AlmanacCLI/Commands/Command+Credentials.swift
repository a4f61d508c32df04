// SPDX-License-Identifier: Apache-2.0

import GoogleCredentials
import HTTPTransport
import OAuthCore
import Timekeeping

extension Command {
  static let credentials = Command(
    name: "credentials",
    summary: "Show which credential of Google Cloud a program on this computer finds, without any secret.",
    discussion: """
      It is looked for where Google's own libraries look: the file that $GOOGLE_APPLICATION_CREDENTIALS names, the file
      of gcloud, the metadata server. Nothing is requested but from the metadata server, unless --check is given.
      """,
    options: [
      Option("scope", "SCOPE", "a scope of the tokens, for --check", isRepeatable: true),
      Option("subject", "EMAIL", "the user on whose behalf a service account acts"),
      Option("check", nil, "obtain an access token, to see whether the credential works"), .verbose,
    ]
  ) { context in
    let environment = CredentialEnvironment(
      transport: try context.transport().retrying(clock: context.clock), clock: context.clock,
      variables: context.environment)
    let scopes = context.arguments.all("scope").map(\.withGooglePrefix)
    let credential = try await GoogleCredential.applicationDefault(
      scopes: scopes, subject: context.arguments["subject"], in: environment)
    var report = CredentialReport(credential, project: try await credential.projectID())
    var validity: String?
    if context.arguments.has("check") {
      let token = try await credential.accessToken()
      report.tokenExpiresAt = token.expiresAt?.description
      validity = context.validity(until: token.expiresAt, serverClockOffset: token.serverClockOffset)
    }
    if context.isJSON { return try context.writeJSON(report) }
    context.terminal.write(rows: [
      ("Kind", report.kind), ("Found in", report.location), ("Account", report.principal),
      ("Project", report.projectID), ("Quota project", report.quotaProjectID), ("Scopes", report.scopes.listed),
      ("Access token", validity.map { "obtained, valid \($0)" } ?? "not requested without --check"),
    ])
  }
}

private struct CredentialReport: Encodable {
  let kind: String
  let location: String
  let principal: String?
  let projectID: String?
  let quotaProjectID: String?
  let scopes: [String]
  var tokenExpiresAt: String?

  init(_ credential: GoogleCredential, project: String?) {
    kind = credential.kind.rawValue
    location = credential.location.description
    principal = credential.principal
    projectID = project
    quotaProjectID = credential.quotaProjectID
    scopes = credential.scopes
  }
}

extension String {
  /// One of Google's scopes whole, where it is given in short, such as `cloud-platform`.
  fileprivate var withGooglePrefix: String { contains(":") ? self : "https://www.googleapis.com/auth/\(self)" }
}
