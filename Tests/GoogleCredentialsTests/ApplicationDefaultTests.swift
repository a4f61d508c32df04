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

  @Test func fileOfGcloudComesSecond() async throws {
    let cloud = try await Cloud { $0.attachedAccount = Cloud.account }
    let environment = cloud.environment(
      files: [Self.wellKnown: Cloud.userFile()], ["GOOGLE_APPLICATION_CREDENTIALS": ""])
    let credential = try await GoogleCredential.applicationDefault(in: environment)
    #expect(credential.kind == .authorizedUser && credential.location == .wellKnownFile(path: Self.wellKnown))
    #expect(cloud.transport.requests.isEmpty)
  }

  @Test func folderOfGcloudMayBeElsewhere() async throws {
    let cloud = try await Cloud()
    let path = "/etc/gcloud/application_default_credentials.json"
    let environment = cloud.environment(files: [path: Cloud.userFile()], ["CLOUDSDK_CONFIG": "/etc/gcloud"])
    let credential = try await GoogleCredential.applicationDefault(in: environment)
    #expect(credential.location == .wellKnownFile(path: path))
  }

  @Test func metadataServerComesLast() async throws {
    let cloud = try await Cloud { $0.attachedAccount = Cloud.account }
    let credential = try await GoogleCredential.applicationDefault(scopes: ["a"], in: cloud.environment())
    #expect(credential.kind == .metadataServer)
    let ping = try #require(cloud.transport.requests.first)
    #expect(ping.url.absoluteString == "http://169.254.169.254/" && ping.fields["Metadata-Flavor"] == "Google")
    #expect(cloud.transport.requests.count == 1 && ping.timeout == .seconds(3))
    _ = try await credential.accessToken()
    await #expect(throws: GoogleCredentialError.self) {
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
    let error = try await failure(GoogleCredentialError.self) {
      try await GoogleCredential.applicationDefault(in: cloud.environment())
    }
    #expect(error.code == .notFound)
    #expect(error.message.contains("gcloud auth application-default login"))
    #expect(cloud.transport.requests.count == 1)
  }

  @Test func metadataServerIsNotLookedForWhereItCannotBe() async throws {
    let cloud = try await Cloud { $0.attachedAccount = Cloud.account }
    let error = try await failure(GoogleCredentialError.self) {
      try await GoogleCredential.applicationDefault(in: cloud.environment(["NO_GCE_CHECK": "true"]))
    }
    #expect(error.code == .notFound && cloud.transport.requests.isEmpty)
  }

  @Test func whatHasTheAddressOnAnotherNetworkIsNoMetadataServer() async throws {
    for response in [HTTPResponse(status: 200), HTTPResponse(status: 404, fields: ["Metadata-Flavor": "Google"])] {
      let environment = CredentialEnvironment(
        transport: StubTransport { _ in response }, clock: ManualClock(), variables: [:], files: FixedFiles())
      let error = try await failure(GoogleCredentialError.self) {
        try await GoogleCredential.applicationDefault(in: environment)
      }
      #expect(error.code == .notFound)
    }
  }

  @Test(arguments: [("", 3), ("1", 1), ("0", 1), ("x", 3), ("100000", 60)])
  func addressThatDoesNotRespondIsGivenUpSoon(_ variable: String, _ seconds: Int) async throws {
    let clock = ManualClock()
    let transport = StubTransport { _ in
      try await clock.sleep(for: .seconds(100_000))
      return HTTPResponse(status: 200)
    }
    let environment = CredentialEnvironment(
      transport: transport, clock: clock, variables: ["GCE_METADATA_TIMEOUT": variable], files: FixedFiles())
    let started = clock.now
    let found = Task { try await GoogleCredential.applicationDefault(in: environment) }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(seconds))
    let error = await #expect(throws: GoogleCredentialError.self) { try await found.value }
    #expect(error?.code == .notFound && clock.now - started == .seconds(seconds))
  }

  @Test func cancellationEndsTheSearch() async throws {
    let clock = ManualClock()
    let environment = CredentialEnvironment(
      transport: StubTransport { _ in
        try await clock.sleep(for: .seconds(100_000))
        return HTTPResponse(status: 200)
      }, clock: clock, variables: [:], files: FixedFiles())
    let search = Task { try await GoogleCredential.applicationDefault(in: environment) }
    await clock.waitForSleepers(2)
    search.cancel()
    await #expect(throws: CancellationError.self) { try await search.value }
  }

  @Test func fileThatIsNamedMustBeThere() async throws {
    let cloud = try await Cloud { $0.attachedAccount = Cloud.account }
    let environment = cloud.environment(
      files: [Self.wellKnown: Cloud.userFile()], ["GOOGLE_APPLICATION_CREDENTIALS": "/none.json"])
    let error = try await failure(GoogleCredentialError.self) {
      try await GoogleCredential.applicationDefault(in: environment)
    }
    #expect(error.code == .notFound && error.file == "/none.json")
    #expect(error.message.contains("GOOGLE_APPLICATION_CREDENTIALS"))
  }

  @Test func fileThatIsDamagedIsNotPassedOver() async throws {
    let cloud = try await Cloud { $0.attachedAccount = Cloud.account }
    let damaged = try await failure(GoogleCredentialError.self) {
      try await GoogleCredential.applicationDefault(in: cloud.environment(files: [Self.wellKnown: "{"]))
    }
    #expect(damaged.code == .malformed && damaged.file == Self.wellKnown)
    let locked = try await failure(GoogleCredentialError.self) {
      try await GoogleCredential.applicationDefault(in: cloud.environment(locked: [Self.wellKnown]))
    }
    #expect(locked.code == .unreadable)
  }

  @Test func filesOfThisMachineAreRead() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "file").path
    #expect(try await SystemFiles().content(of: file) == nil)
    try Data("content".utf8).write(to: URL(filePath: file))
    #expect(try await SystemFiles().content(of: file) == Array("content".utf8))
    let isFolder = try await failure(GoogleCredentialError.self) { try await SystemFiles().content(of: folder.path) }
    #expect(isFolder.code == .unreadable)
    // A file that has no end.
    let endless = try await failure(GoogleCredentialError.self) { try await SystemFiles().content(of: "/dev/zero") }
    #expect(endless.code == .unreadable && endless.message.contains("1 MiB"))
  }
}
