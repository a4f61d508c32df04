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

  /// The change of a file that makes it unusable, and the error.
  struct Fault: Sendable, CustomTestStringConvertible {
    let content: String
    let code: GoogleCredentialError.Code
    let member: String?
    let remedy: String
    var subject: String?
    var variables: [String: String] = [:]

    init(
      _ content: String, _ code: GoogleCredentialError.Code, _ member: String?, _ remedy: String,
      subject: String? = nil,
      universe: String? = nil
    ) {
      (self.content, self.code, self.member, self.remedy, self.subject) = (content, code, member, remedy, subject)
      if let universe { variables["GOOGLE_CLOUD_UNIVERSE_DOMAIN"] = universe }
    }

    init(
      _ file: ([String: JSONValue?]) -> String, _ changes: [String: JSONValue?], _ code: GoogleCredentialError.Code,
      _ member: String, _ remedy: String
    ) {
      self.init(file(changes), code, member, remedy)
    }

    var testDescription: String { "\(member ?? "file"): \(remedy)" }
  }

  /// The error of a file, which is the same without a path but for the name.
  @Test(arguments: faults.flatMap(\.self))
  func faultOfAFileIsNamed(_ fault: Fault) async throws {
    let cloud = try await Cloud()
    let environment = cloud.environment(files: [Self.path: fault.content], fault.variables)
    let ofFile = await expectFailure(fault.code, fault.remedy, file: Self.path) {
      try await GoogleCredential.file(Self.path, subject: fault.subject, in: environment)
    }
    let ofProgram = await expectFailure(fault.code, fault.remedy) {
      try GoogleCredential.json(Array(fault.content.utf8), subject: fault.subject, in: environment)
    }
    for (error, name) in [(ofFile, "The file \(Self.path)"), (ofProgram, "The credential")] {
      #expect(error?.member == fault.member && error?.status == nil)
      #expect(error?.message.hasPrefix(fault.member.map { "\(name): \($0) " } ?? "\(name) ") == true)
    }
    #expect(ofProgram?.file == nil && cloud.transport.requests.isEmpty)
  }

  private static let faults = [
    noObjects, types, accounts, emailless, users, instances, environments, verifications, workloads, insecure,
    lifetimes,
    fields, emails, impersonated,
  ]

  private static let missing = "is missing. Download or create"
  private static let untrusted = "Nothing was sent. Do not use the file unless you know who wrote it"
  private static let universe = "If you trust that cloud, set GOOGLE_CLOUD_UNIVERSE_DOMAIN to it"
  private static let ada = "ada@example.com"

  private static func text(_ members: [String: JSONValue], _ changes: [String: JSONValue?]) -> String {
    var members = members
    for (name, value) in changes { members[name] = value }
    return JSONValue.object(members).text
  }

  private static let noObjects: [Fault] = [
    "", "{", "[]", "null", #""text""#, #"{"type":"service_account","type":"service_account"}"#,
  ].map { Fault($0, .malformed, nil, "Download or create it again") }

  private static let types: [Fault] = [
    Fault("{}", .malformed, "type", missing), Fault(#"{"type":7}"#, .malformed, "type", "is not a string"),
    Fault(#"{"type":"gdch_service_account"}"#, .unsupported, "type", "Google Distributed Cloud"),
    Fault(#"{"type":"metadata_server"}"#, .unsupported, "type", "not one that is supported"),
    Fault(#"{"type":"nonsense"}"#, .unsupported, "type", "Supported are service_account, authorized_user"),
  ]

  private static func account(_ changes: [String: JSONValue?]) -> String {
    text(["type": "service_account", "client_email": "a@b"], changes)
  }

  private static let emailless: [Fault] = [JSONValue?.none, .null, ""].map {
    Fault(account, ["client_email": $0], .malformed, "client_email", missing)
  }

  private static let users: [Fault] = ["client_id", "client_secret", "refresh_token"].map {
    Fault(Cloud.userFile([$0: nil]), .malformed, $0, missing)
  }

  private static let accounts: [Fault] = [
    Fault(account, [:], .malformed, "private_key", missing),
    Fault(account, ["client_email": ["a"]], .malformed, "client_email", "is not a string"),
    Fault(account, ["project_id": 7], .malformed, "project_id", "is not a string"),
    Fault(account, ["client_id": 7], .malformed, "client_id", "is not a string"),
    Fault(account, ["private_key_id": 7], .malformed, "private_key_id", "is not a string"),
    Fault(account, ["private_key": 7], .malformed, "private_key", "is not a string"),
    Fault(
      account, ["private_key": "s3cret"], .malformed, "private_key", "Provide the whole block, from BEGIN to END"),
    Fault(
      account, ["private_key": "-----BEGIN PRIVATE KEY-----\ns3cret\n-----END PRIVATE KEY-----\n"], .malformed,
      "private_key", "Provide the whole block, from BEGIN to END"),
    Fault(account, ["token_uri": "http://["], .malformed, "token_uri", "is not a URL"),
    Fault(account, ["token_uri": "https://evil.example/token"], .untrustedURL, "token_uri", untrusted),
    Fault(account, ["universe_domain": "cloud.example"], .untrustedURL, "universe_domain", universe),
    Fault(
      account([:]), .untrustedURL, "universe_domain", "is not cloud.example. \(universe)", universe: "cloud.example"),
    Fault(
      Cloud.userFile(["universe_domain": "cloud.example"]), .unsupported, "type", "Use another credential",
      universe: "cloud.example"),
    Fault(Cloud.userFile(), .unsupported, "type", "Omit the subject", subject: ada),
    Fault(
      ExternalAccountTests.file(), .unsupported, "type", "Impersonate a service account that may", subject: ada),
  ]

  // MARK: - Workloads

  private static let source = "credential_source"
  private static let metadataURL = "is not a URL of the metadata server"

  private static func instance(
    _ name: String, _ value: JSONValue?, _ remedy: String, _ code: GoogleCredentialError.Code = .untrustedURL
  ) -> Fault {
    Fault(AWSTests.file([name: value]), code, "\(source).\(name)", remedy)
  }

  private static let environments: [Fault] = ["aws2", "AWS1", "azure1"].map {
    instance("environment_id", .string($0), "is \($0), which is unknown. Supported is aws1", .unsupported)
  }

  private static let instances: [Fault] = [
    instance("environment_id", nil, missing, .malformed),
    instance("url", "http://169.254.169.253/", metadataURL),
    instance("url", "http://169.254.169.254.evil.example/", metadataURL),
    instance("url", "http://169.254.169.254:81/", metadataURL),
    instance("url", "http://x@169.254.169.254/", metadataURL),
    instance("url", "https://169.254.169.254/", metadataURL),
    instance("region_url", "http://metadata.google.internal/", metadataURL),
    instance("imdsv2_session_token_url", "http://[fd00:ec2::253]/", metadataURL),
  ]

  private static let verifications: [Fault] = [
    "https://sts.{region}.amazonaws.com?Action=AssumeRole&Version=2011-06-15",
    "https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15&RoleArn=x",
    "https://sts.{region}.amazonaws.com/x?Action=GetCallerIdentity&Version=2011-06-15",
    "http://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15",
    "https://sts.{region}.evil.example?Action=GetCallerIdentity&Version=2011-06-15", "https://sts.amazonaws.com",
  ].map { instance("regional_cred_verification_url", .string($0), "is not AWS's GetCallerIdentity") }

  private static func workload(_ changes: [String: JSONValue?]) -> String { ExternalAccountTests.file(changes) }

  /// A fault of the credential's source.
  private static func sourceFault(
    _ value: JSONValue, _ member: String, _ remedy: String, _ code: GoogleCredentialError.Code = .malformed
  ) -> Fault {
    Fault(workload([source: value]), code, "\(source)\(member)", remedy)
  }

  private static let workloads: [Fault] = [
    Fault(
      workload, ["subject_token_type": "urn:ietf:params:aws:token-type:aws4_request"], .malformed,
      "\(source).environment_id", missing),
    Fault(workload, [source: nil], .malformed, source, missing),
    sourceFault(["environment_id": "aws1"], ".environment_id", "is aws1, which needs the subject_token_type"),
    sourceFault(7, "", "is not an object"), sourceFault([:], "", missing),
    sourceFault(["x": 1], ".file", "is missing. Set file, url, executable or certificate"),
    sourceFault(["file": "/x", "url": "https://a"], ".file", "Keep only one"),
    sourceFault(["url": "https://a.example", "executable": ["command": "a"]], ".url", "Keep only one"),
    sourceFault(
      ["certificate": ["x": 1]], ".certificate.certificate_config_location",
      "set use_default_certificate_config to true"),
    sourceFault(
      ["certificate": ["use_default_certificate_config": true, "certificate_config_location": "/x"]],
      ".certificate.certificate_config_location", "Keep only one of them"),
    sourceFault(["file": "/x", "format": ["type": "xml"]], ".format.type", "text nor json", .unsupported),
    sourceFault(["file": "/x", "format": ["type": "json"]], ".format.subject_token_field_name", missing),
    sourceFault(["url": "https://a", "headers": ["a": 7]], ".headers", "an object of strings"),
    sourceFault(["executable": ["command": "'a"]], ".executable.command", "unmatched"),
    sourceFault(["executable": ["command": #"a\"#]], ".executable.command", "unmatched"),
    sourceFault(["executable": ["command": #""a"#]], ".executable.command", "unmatched"),
    sourceFault(
      ["executable": ["command": "a", "timeout_millis": 4999]], ".executable.timeout_millis", "is not between"),
    sourceFault(["executable": ["command": "a", "timeout_millis": 120_001]], ".executable.timeout_millis", "120000"),
    sourceFault(
      ["executable": ["command": "a", "timeout_millis": -1]], ".executable.timeout_millis", "is not between"),
    sourceFault(
      ["executable": ["command": "a", "timeout_millis": "5000"]], ".executable.timeout_millis", "an integer"),
    Fault(workload, ["token_url": "https://evil.example/"], .untrustedURL, "token_url", untrusted),
    Fault(workload, ["audience": ""], .malformed, "audience", missing),
    Fault(workload, ["workforce_pool_user_project": "42"], .malformed, "workforce_pool_user_project", "pools only"),
    Fault(workload, ["universe_domain": "cloud.example"], .untrustedURL, "universe_domain", universe),
  ]

  private static let insecure: [Fault] = [
    "http://a.example", "ftp://a.example/", "https://user@a.example/", "http://10.0.0.1/",
  ].map { sourceFault(["url": .string($0)], ".url", "must be https", .untrustedURL) }

  private static let lifetimes: [Fault] = [599, 43_201].map {
    Fault(
      workload, ["service_account_impersonation": ["token_lifetime_seconds": .number(JSONNumber($0))]], .malformed,
      "service_account_impersonation.token_lifetime_seconds", "is not between 600 and 43200")
  }

  private static let fields: [Fault] = [
    "Host", "Connection", "Content-Length", "Transfer-Encoding", "TE", "Trailer", "Upgrade", "Proxy-Authorization",
  ].map { field in
    sourceFault(
      ["url": "https://a.example", "headers": .object([field.lowercased(): "x"])], ".headers",
      "must not set \(field). Nothing was sent")
  }

  private static let emails: [Fault] = ["a b@c", "a@b/../x", "a", "a@b@c", "a@b%2fc", "../x@y"].map { email in
    let url = "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/\(email):generateAccessToken"
    return Fault(workload([impersonationURL: .string(url)]), .malformed, impersonationURL, "by its e-mail address")
  }

  // MARK: - Impersonated accounts

  private static let impersonationURL = "service_account_impersonation_url"

  private static func target(_ changes: [String: JSONValue?]) -> String {
    let user: JSONValue = ["type": "authorized_user", "client_id": "a", "client_secret": "b", "refresh_token": "c"]
    let url = JSONValue.string(ExternalAccountTests.impersonation)
    return text(
      ["type": "impersonated_service_account", impersonationURL: url, "source_credentials": user], changes)
  }

  private static let impersonated: [Fault] = [
    Fault(target, [impersonationURL: nil], .malformed, impersonationURL, missing),
    Fault(target, [impersonationURL: "https://evil.example/"], .untrustedURL, impersonationURL, untrusted),
    Fault(
      target, [impersonationURL: .string(ExternalAccountTests.impersonation.replacing("@", with: ""))], .malformed,
      impersonationURL, "by its e-mail address"),
    Fault(target, ["delegates": 7], .malformed, "delegates", "is not a list of strings"),
    Fault(target, ["delegates": ["a/b"]], .malformed, "delegates", "by their e-mail addresses"),
    Fault(target, ["source_credentials": nil], .malformed, "source_credentials", missing),
    Fault(
      target, ["source_credentials": ["type": "authorized_user"]], .malformed, "source_credentials.client_id", missing),
    Fault(
      target, ["source_credentials": ["type": "impersonated_service_account"]], .unsupported,
      "source_credentials.type", "Name the intermediate accounts as delegates"),
    Fault(target, ["scopes": 7], .malformed, "scopes", "is not a list of strings"),
    Fault(target, ["quota_project_id": 7], .malformed, "quota_project_id", "is not a string"),
    Fault(target, ["universe_domain": "cloud.example"], .untrustedURL, "universe_domain", universe),
  ]

  // MARK: - Members and URLs

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

  @Test func fileThatIsMissingOrLockedIsSaid() async throws {
    let cloud = try await Cloud()
    let environment = cloud.environment(locked: ["/locked.json"])
    await expectFailure(.notFound, "Check the path, or create the file", file: "/none.json") {
      try await GoogleCredential.file("/none.json", in: environment)
    }
    await expectFailure(.unreadable, file: "/locked.json") {
      try await GoogleCredential.file("/locked.json", in: environment)
    }
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
    let error = try await failure(GoogleCredentialError.self) {
      try cloud.credential(cloud.keyFile(["token_uri": .string(url)]))
    }
    #expect([.untrustedURL, .malformed].contains(error.code) && error.member == "token_uri")
    #expect(!error.message.contains("evil") && cloud.transport.requests.isEmpty)
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
