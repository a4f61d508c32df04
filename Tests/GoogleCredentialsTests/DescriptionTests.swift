// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import GoogleCredentials
import JSONCoding
import Testing

/// No description or dump shows a secret.
@Suite struct DescriptionTests {
  @Test func noSecretIsShown() async throws {
    let cloud = try await Cloud()
    let file = try cloud.keyFile()
    let values: [(value: any Sendable, text: String)] = [
      (try cloud.credential(file), "service_account \(Cloud.account) from the program"),
      (try cloud.credential(Cloud.userFile()), "authorized_user from the program"),
      (try ServiceAccountKey(json: Array(file.utf8), in: cloud.environment()), Cloud.account),
      (
        CredentialEnvironment(
          transport: StubTransport(), clock: ManualClock(), variables: ["B": "hunter2", "A": "hunter2"]),
        "environment of 2 variables"
      ),
      (ProgramOutcome(status: 3, output: Array("hunter2".utf8)), "status 3, 7 bytes"),
    ]
    let key = try #require(file.split(separator: "\\n").dropFirst(3).first).description
    for (value, text) in values {
      #expect("\(value)" == text)
      var dumped = String(reflecting: value)
      dump(value, to: &dumped)
      for secret in [key, "PRIVATE", "hunter2", "refresh-1", "gcloud-secret", "104, 117, 110"] {
        #expect(!dumped.contains(secret), "\(text): \(secret)")
      }
    }
  }

  @Test(arguments: [
    (GoogleCredential.Location.environmentVariable(path: "/a"), "/a (GOOGLE_APPLICATION_CREDENTIALS)"),
    (.wellKnownFile(path: "/a"), "/a (gcloud)"), (.metadataServer(host: "a"), "the metadata server a"),
  ])
  func placeIsShown(_ location: GoogleCredential.Location, _ text: String) { #expect("\(location)" == text) }
}
