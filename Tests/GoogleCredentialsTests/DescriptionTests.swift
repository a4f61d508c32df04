// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import GoogleCredentials
import JSONCoding
import TestSupport
import Testing

/// Descriptions and dumps in full: what they name, and what they leave out.
@Suite struct DescriptionTests {
  @Test(arguments: [
    (GoogleCredentialError.Code.notFound, "notFound"), (.unreadable, "unreadable"), (.malformed, "malformed"),
    (.unsupported, "unsupported"), (.untrustedURL, "untrustedURL"), (.invalidConfiguration, "invalidConfiguration"),
    (.subjectTokenUnavailable, "subjectTokenUnavailable"), (.metadataServerFailed, "metadataServerFailed"),
    (.refused, "refused"), (.serverUnavailable, "serverUnavailable"), (.invalidResponse, "invalidResponse"),
  ])
  func codeIsShownByItsName(_ code: GoogleCredentialError.Code, _ name: String) {
    #expect("\(code)" == name)
    let error = GoogleCredentialError(code, "A message.")
    #expect(error.code == code && error.file == nil && error.member == nil && error.status == nil)
    #expect("\(error)" == "A message.")
    #expect(error.errorDescription == "A message." && error.localizedDescription == "A message.")
  }

  @Test(arguments: [
    (GoogleCredential.Location.environmentVariable(path: "/a"), "/a (GOOGLE_APPLICATION_CREDENTIALS)"),
    (.wellKnownFile(path: "/a"), "/a (gcloud)"), (.file(path: "/a"), "/a"),
    (.metadataServer(host: "a"), "the metadata server a"), (.program, "the program"),
  ])
  func placeIsShown(_ location: GoogleCredential.Location, _ text: String) {
    #expect("\(location)" == text)
  }

  @Test func credentialIsShownWithoutItsKey() async throws {
    let cloud = try await Cloud()
    let robot = try cloud.credential(try cloud.keyFile())
    #expect("\(robot)" == "service_account \(Cloud.account) from the program")
    #expect(
      mirroredChildren(of: robot) == [
        "kind: service_account", "location: the program", "scopes: [\"\(Cloud.scope)\"]",
      ])
    let user = try cloud.credential(Cloud.userFile())
    #expect("\(user)" == "authorized_user from the program")
  }

  @Test func keyIsShownByItsAccount() async throws {
    let cloud = try await Cloud()
    for (keyID, text) in [("key-1", "key-1"), (nil, "")] {
      let file = try cloud.keyFile(["private_key_id": keyID.map { .string($0) }])
      let key = try ServiceAccountKey(json: Array(file.utf8), in: cloud.environment())
      #expect("\(key)" == Cloud.account)
      #expect(mirroredChildren(of: key) == ["email: \(Cloud.account)", "keyID: \(text)"])
    }
  }

  @Test func environmentIsShownByTheNamesOfItsVariables() {
    let environment = CredentialEnvironment(
      transport: StubTransport(), clock: ManualClock(), variables: ["B": "secret", "A": "secret"])
    #expect("\(environment)" == "environment of 2 variables")
    #expect(mirroredChildren(of: environment) == [#"variables: ["A", "B"]"#])
  }

  @Test func outcomeOfAProgramIsShownWithoutItsOutput() {
    let outcome = ProgramOutcome(status: 3, output: [1, 2])
    #expect("\(outcome)" == "status 3, 2 bytes")
    #expect(mirroredChildren(of: outcome) == ["status: 3", "outputSize: 2"])
  }
}
