// SPDX-License-Identifier: Apache-2.0

import Almanac
import GoogleCredentials
import HTTPTransport
import OAuthCore
import Timekeeping

extension Command {
  static let credentials = Command(
    name: "credentials",
    summary: "Show the Google Cloud credential that programs on this computer find, without secrets.",
    discussion: """
      The search order is that of Google's libraries: the file that $GOOGLE_APPLICATION_CREDENTIALS names, gcloud's file,
      the metadata server. Without --check, requests are sent to the metadata server only.
      """,
    options: [
      Option("scope", "SCOPE", "a scope of the tokens, for --check", isRepeatable: true),
      Option("subject", "EMAIL", "the user that a service account impersonates"),
      Option("check", nil, "request an access token to test the credential"), .verbose,
    ]
  ) { context in
    var environment = CredentialEnvironment(
      transport: try context.transport().retrying(clock: context.clock), clock: context.clock,
      variables: context.environment)
    environment.mutualTLS = { workload in
      let certificate = ClientCertificate(
        certificate: String(decoding: workload.certificate, as: UTF8.self), key: workload.key)
      return try context.transport(showing: certificate).retrying(clock: context.clock)
    }
    let scopes = context.arguments.all("scope").map(Scope.init(googleName:))
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
  let scopes: [Scope]
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
