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

/// Files that cannot be used: the error names the file and the member, and never what they hold.
@Suite struct CredentialFileTests {
  private static let path = "/keys/robot.json"

  private func error(of content: String, _ cloud: Cloud) async throws -> GoogleCredentialError {
    let environment = cloud.environment(files: [Self.path: content])
    let error = try await failure(GoogleCredentialError.self) {
      try await GoogleCredential.file(Self.path, scopes: [Cloud.scope], in: environment)
    }
    #expect(error.file == Self.path && error.message.contains(Self.path))
    #expect(cloud.transport.requests.isEmpty)
    return error
  }

  @Test(arguments: ["", "{", "[]", "null", #""text""#, #"{"type":"service_account","type":"service_account"}"#])
  func fileThatIsNoObjectIsMalformed(_ content: String) async throws {
    let error = try await error(of: content, try await Cloud())
    #expect(error.code == .malformed && error.member == nil)
  }

  @Test(arguments: ["client_email", "private_key"], [JSONValue?.none, .null, "", 7, ["a"]])
  func memberIsNamed(_ member: String, _ value: JSONValue?) async throws {
    let cloud = try await Cloud()
    let error = try await error(of: try cloud.keyFile([member: value]), cloud)
    #expect(error.code == .malformed && error.member == member && error.message.contains(member))
  }

  @Test(arguments: [.null, "", [], [:]] as [JSONValue])
  func emptyMemberIsMissing(_ empty: JSONValue) async throws {
    let cloud = try await Cloud()
    let optional = ["project_id", "private_key_id", "token_uri", "universe_domain", "quota_project_id"]
    let changes: [String: JSONValue?] = Dictionary(uniqueKeysWithValues: optional.map { ($0, empty) })
    let file = "\u{FEFF}" + (try cloud.keyFile(changes))
    let credential = try await GoogleCredential.file(
      Self.path, scopes: [Cloud.scope], in: cloud.environment(files: [Self.path: file]))
    #expect(credential.kind == .serviceAccount && credential.quotaProjectID == nil)
    #expect(try await credential.projectID() == nil)
  }

  @Test func memberOfTheWrongKindIsNamed() async throws {
    let cloud = try await Cloud()
    for member in ["type", "project_id", "private_key_id", "token_uri", "universe_domain", "quota_project_id"] {
      let error = try await error(of: try cloud.keyFile([member: 7]), cloud)
      #expect(error.code == .malformed && error.member == member)
    }
  }

  @Test(arguments: ["hunter2", "-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\n"])
  func keyThatIsNoneIsNotShown(_ key: String) async throws {
    let cloud = try await Cloud()
    let error = try await error(of: try cloud.keyFile(["private_key": .string(key)]), cloud)
    #expect(error.code == .malformed && error.member == "private_key")
    #expect(!error.message.contains("hunter2") && !String(reflecting: error).contains("hunter2"))
  }

  @Test(arguments: [
    ("gdch_service_account", "Distributed Cloud"), ("metadata_server", "not one that is supported"),
    ("nonsense", "not one that is supported"),
  ])
  func typeThatIsNotSupportedIsSaid(_ type: String, _ text: String) async throws {
    let cloud = try await Cloud()
    let error = try await error(of: try cloud.keyFile(["type": .string(type)]), cloud)
    #expect(error.code == .unsupported && error.member == "type" && error.message.contains(text))
    #expect(error.message.contains("service_account, authorized_user"))
  }

  @Test func fileThatIsMissingOrLockedIsSaid() async throws {
    let cloud = try await Cloud()
    let environment = cloud.environment(locked: ["/locked.json"])
    let missing = try await failure(GoogleCredentialError.self) {
      try await GoogleCredential.file("/none.json", in: environment)
    }
    #expect(missing.code == .notFound && missing.file == "/none.json")
    #expect(missing.message == "There is no file /none.json. Check the path, or create the file.")
    let locked = try await failure(GoogleCredentialError.self) {
      try await GoogleCredential.file("/locked.json", in: environment)
    }
    #expect(locked.code == .unreadable && locked.file == "/locked.json")
  }

  /// Hosts that a file names for a key, and that are rejected.
  @Test(arguments: [
    "https://oauth2.googleapis.com.evil.example/token", "https://evil.example/token",
    "https://evil.example/oauth2.googleapis.com/token", "http://oauth2.googleapis.com/token",
    "https://oauth2.googleapis.com:8443/token", "https://user@oauth2.googleapis.com/token",
    "https://storage.googleapis.com/bucket/token", "https://oauth2.googleapis.com/other",
    "https://oauth2googleapis.com/token", "ftp://oauth2.googleapis.com/token", "/token",
    "https://oauth2.googleapis.com/token#x", "https://oauth2.googleapis.com@evil.example/token",
    "https://googleapis.com/token", "https://oauth2.googleapis.com%2eevil.example/token",
    "https://www.googleapis.com/token", "https://www.googleapis.com/oauth2/v5/token",
    "https://oauth2.googleapis.com/oauth2/v4/token", "https://accounts.google.com/token",
    "https://accounts.googleapis.com/o/oauth2/token", "https://:pw@oauth2.googleapis.com/token",
  ])
  func keyGoesToGoogleOnly(_ url: String) async throws {
    let cloud = try await Cloud()
    let error = try await error(of: try cloud.keyFile(["token_uri": .string(url)]), cloud)
    #expect([.untrustedURL, .malformed].contains(error.code) && error.member == "token_uri")
    #expect(!error.message.contains("evil"))
  }

  @Test(arguments: [
    "https://oauth2.googleapis.com/token", "https://accounts.google.com/o/oauth2/token",
    "https://www.googleapis.com/oauth2/v4/token", "https://www.googleapis.com/oauth2/v3/token",
    "https://OAuth2.googleapis.com/token",
    "https://oauth2.googleapis.com:443/token",
  ])
  func endpointsThatGoogleHasHadAreAccepted(_ url: String) async throws {
    let cloud = try await Cloud()
    #expect(try cloud.credential(try cloud.keyFile(["token_uri": .string(url)])).principal == Cloud.account)
  }
}
