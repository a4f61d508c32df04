// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import GoogleCredentials
import HTTPTransport
import JSONCoding
import OAuthCore
import OAuthJOSE
import Testing
import Timekeeping
import TokenStore

/// The order in which Google's libraries look for a credential.
@Suite struct ApplicationDefaultTests {
  private static let wellKnown = "/home/ada/.config/gcloud/application_default_credentials.json"

  @Test func variableComesFirst() async throws {
    let cloud = try await Cloud { $0.attachedAccount = Cloud.account }
    let environment = cloud.environment(
      files: ["/key.json": try cloud.keyFile(), Self.wellKnown: Cloud.userFile()],
      ["GOOGLE_APPLICATION_CREDENTIALS": "/key.json"])
    let credential = try await GoogleCredential.applicationDefault(scopes: [Cloud.scope], in: environment)
    #expect(credential.kind == .serviceAccount && credential.scopes == [Cloud.scope])
    #expect(credential.location == .environmentVariable(path: "/key.json"))
    #expect(try await credential.projectID() == "sandbox-project")
    #expect(cloud.transport.requests.isEmpty)
  }

  @Test(arguments: [
    (wellKnown, ["GOOGLE_APPLICATION_CREDENTIALS": ""]),
    ("/etc/gcloud/application_default_credentials.json", ["CLOUDSDK_CONFIG": "/etc/gcloud"]),
  ])
  func fileOfGcloudComesSecond(_ path: String, _ variables: [String: String]) async throws {
    let cloud = try await Cloud { $0.attachedAccount = Cloud.account }
    let credential = try await GoogleCredential.applicationDefault(
      in: cloud.environment(files: [path: Cloud.userFile()], variables))
    #expect(credential.kind == .authorizedUser && credential.location == .wellKnownFile(path: path))
    #expect(cloud.transport.requests.isEmpty)
  }

  @Test func metadataServerComesLast() async throws {
    let cloud = try await Cloud { $0.attachedAccount = Cloud.account }
    let credential = try await GoogleCredential.applicationDefault(scopes: ["a"], in: cloud.environment())
    #expect(credential.kind == .metadataServer)
    let ping = try #require(cloud.transport.requests.first)
    #expect(ping.url.absoluteString == "http://169.254.169.254/" && ping.fields["Metadata-Flavor"] == "Google")
    #expect(cloud.transport.requests.count == 1 && ping.timeout == .seconds(3))
    _ = try await credential.accessToken()
    await expectFailure(.unsupported, "Impersonate the service account with the subject instead") {
      try await GoogleCredential.applicationDefault(subject: "ada@example.com", in: cloud.environment())
    }
  }

  @Test func firmwareOfAMachineNeedsNoRequest() async throws {
    let cloud = try await Cloud()
    let environment = cloud.environment(files: ["/sys/class/dmi/id/product_name": "Google Compute Engine\n"])
    #if os(Linux)
      #expect(try await GoogleCredential.applicationDefault(in: environment).kind == .metadataServer)
      #expect(cloud.transport.requests.isEmpty)
    #endif
  }

  @Test func hostThatIsNamedNeedsNoRequest() async throws {
    let cloud = try await Cloud()
    let environment = cloud.environment(["GCE_METADATA_HOST": "127.0.0.1:8080"])
    let credential = try await GoogleCredential.applicationDefault(in: environment)
    #expect(credential.location == .metadataServer(host: "127.0.0.1:8080") && cloud.transport.requests.isEmpty)
  }

  @Test func nothingFoundSaysWhatToDo() async throws {
    let cloud = try await Cloud()
    await expectFailure(.notFound, "login, or set the variable to a file") {
      try await GoogleCredential.applicationDefault(in: cloud.environment())
    }
    #expect(cloud.transport.requests.count == 1)
  }

  @Test(arguments: [("true", false), ("TRUE", false), ("false", true), ("1", true), ("", true)])
  func metadataServerIsLookedForUnlessThatIsTurnedOff(_ value: String, _ isLookedFor: Bool) async throws {
    let cloud = try await Cloud { $0.attachedAccount = Cloud.account }
    let environment = cloud.environment(["NO_GCE_CHECK": value])
    if isLookedFor {
      #expect(try await GoogleCredential.applicationDefault(in: environment).kind == .metadataServer)
    } else {
      await expectFailure(.notFound) { try await GoogleCredential.applicationDefault(in: environment) }
    }
    #expect(cloud.transport.requests.count == (isLookedFor ? 1 : 0))
  }

  @Test func addressOfTheVariableIsAsked() async throws {
    let transport = StubTransport { _ in HTTPResponse(status: 200, fields: ["Metadata-Flavor": "Google"]) }
    let environment = CredentialEnvironment(transport, ["GCE_METADATA_IP": "127.0.0.1:9"])
    #expect(try await GoogleCredential.applicationDefault(in: environment).kind == .metadataServer)
    #expect(transport.requests.map(\.url.absoluteString) == ["http://127.0.0.1:9/"])
  }

  @Test(
    arguments: [
      (["GOOGLE_CLOUD_PROJECT": "a", "GCLOUD_PROJECT": "b"], "a"), (["GCLOUD_PROJECT": "b"], "b"),
      (["GOOGLE_CLOUD_PROJECT": "", "GCLOUD_PROJECT": "b"], "b"), ([:], "own"),
    ])
  func projectIsThatOfTheVariables(_ variables: [String: String], _ project: String) async throws {
    let cloud = try await Cloud()
    let content = Array(Cloud.userFile(["project_id": "own"]).utf8)
    let credential = try GoogleCredential.json(content, in: cloud.environment(variables))
    #expect(try await credential.projectID() == project)
  }

  @Test func whatHasTheAddressOnAnotherNetworkIsNoMetadataServer() async throws {
    for response in [HTTPResponse(status: 200), HTTPResponse(status: 404, fields: ["Metadata-Flavor": "Google"])] {
      let environment = CredentialEnvironment(StubTransport { _ in response })
      await expectFailure(.notFound) {
        try await GoogleCredential.applicationDefault(in: environment)
      }
    }
  }

  @Test(arguments: [
    ("", 3), ("1", 1), ("0", 1), ("-5", 1), ("2", 2), ("x", 3), ("59", 59), ("60", 60), ("61", 60), ("100000", 60),
  ])
  func addressThatDoesNotRespondIsGivenUpSoon(_ variable: String, _ seconds: Int) async throws {
    let clock = ManualClock()
    let transport = StubTransport { _ in
      try await clock.sleep(for: .seconds(100_000))
      return HTTPResponse(status: 200)
    }
    let environment = CredentialEnvironment(transport, clock: clock, ["GCE_METADATA_TIMEOUT": variable])
    let started = clock.now
    let found = Task { try await GoogleCredential.applicationDefault(in: environment) }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(seconds - 1))
    #expect(clock.sleeperCount == 2)
    clock.advance(by: .seconds(1))
    let error = await #expect(throws: GoogleCredentialError.self) { try await found.value }
    #expect(error?.code == .notFound && clock.now - started == .seconds(seconds))
  }

  @Test func cancellationEndsTheSearch() async throws {
    let clock = ManualClock()
    let environment = CredentialEnvironment(
      StubTransport { _ in
        try await clock.sleep(for: .seconds(100_000))
        return HTTPResponse(status: 200)
      }, clock: clock)
    let search = Task { try await GoogleCredential.applicationDefault(in: environment) }
    await clock.waitForSleepers(2)
    search.cancel()
    await #expect(throws: CancellationError.self) { try await search.value }
  }

  @Test func fileThatIsNamedMustBeThere() async throws {
    let cloud = try await Cloud { $0.attachedAccount = Cloud.account }
    let environment = cloud.environment(
      files: [Self.wellKnown: Cloud.userFile()], ["GOOGLE_APPLICATION_CREDENTIALS": "/none.json"])
    await expectFailure(.notFound, "Correct the variable or unset it", file: "/none.json") {
      try await GoogleCredential.applicationDefault(in: environment)
    }
  }

  @Test func fileThatIsDamagedIsNotPassedOver() async throws {
    let cloud = try await Cloud { $0.attachedAccount = Cloud.account }
    await expectFailure(.malformed, file: Self.wellKnown) {
      try await GoogleCredential.applicationDefault(in: cloud.environment(files: [Self.wellKnown: "{"]))
    }
    await expectFailure(.unreadable) {
      try await GoogleCredential.applicationDefault(in: cloud.environment(locked: [Self.wellKnown]))
    }
  }

  @Test func filesOfThisMachineAreRead() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "file").path
    #expect(try await SystemFiles().content(of: file) == nil)
    try Data("content".utf8).write(to: URL(filePath: file))
    #expect(try await SystemFiles().content(of: file) == Array("content".utf8))
    await expectFailure(
      .unreadable, "Check that it is a file, and that the program's user may read it", file: folder.path
    ) { try await SystemFiles().content(of: folder.path) }
    // A file that has no end.
    await expectFailure(.unreadable, "MiB, so it is not a credential file", file: "/dev/zero") {
      try await SystemFiles().content(of: "/dev/zero")
    }
    try Data(count: 1 << 20).write(to: URL(filePath: file))
    #expect(try await SystemFiles().content(of: file)?.count == 1 << 20)
    try Data(count: 1 << 20 + 1).write(to: URL(filePath: file))
    await #expect(throws: GoogleCredentialError.self) { try await SystemFiles().content(of: file) }
  }
}
