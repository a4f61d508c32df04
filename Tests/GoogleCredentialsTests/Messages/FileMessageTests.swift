// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import GoogleCredentials
import HTTPTransport
import JSONCoding
import Testing

/// The errors of files that cannot be used: code, file, member and remedy.
@Suite struct FileMessageTests {
  private static let path = "/keys/file.json"
  private static let download = "is missing. Download or create"
  private static let untrusted = "Nothing was sent. Do not use the file unless you know who wrote it"
  private static let cloud = "If you trust that cloud, set GOOGLE_CLOUD_UNIVERSE_DOMAIN to it"

  /// Expects the error of a file, which is the same without a path but for the name.
  private func expect(
    _ code: GoogleCredentialError.Code, _ member: String?, _ remedy: String, of content: String,
    subject: String? = nil, _ variables: [String: String] = [:]
  ) async throws {
    let cloud = try await Cloud()
    let environment = cloud.environment(files: [Self.path: content], variables)
    let ofFile = try await failure(GoogleCredentialError.self) {
      try await GoogleCredential.file(Self.path, subject: subject, in: environment)
    }
    let ofProgram = try await failure(GoogleCredentialError.self) {
      try GoogleCredential.json(Array(content.utf8), subject: subject, in: environment)
    }
    for (error, name, file) in [(ofFile, "The file \(Self.path)", Self.path), (ofProgram, "The credential", nil)] {
      #expect(error.code == code && error.member == member && error.file == file && error.status == nil)
      #expect(error.message.hasPrefix(member.map { "\(name): \($0) " } ?? "\(name) "), "\(error.message)")
      #expect(error.message.contains(remedy) && error.message.hasSuffix("."), "\(error.message)")
      #expect(!error.message.contains("s3cret"))
    }
    #expect(cloud.transport.requests.isEmpty)
  }

  private static func text(_ members: [String: JSONValue], _ changes: [String: JSONValue?]) -> String {
    var members = members
    for (name, value) in changes { members[name] = value }
    return JSONValue.object(members).text
  }

  @Test(
    arguments: [
      ("[]", .malformed, nil, "Download or create it again"), ("{}", .malformed, "type", download),
      (#"{"type":7}"#, .malformed, "type", "is not a string"),
      (#"{"type":"gdch_service_account"}"#, .unsupported, "type", "Google Distributed Cloud"),
      (
        #"{"type":"nonsense"}"#, .unsupported, "type",
        "Supported are service_account, authorized_user, external_account"
      ),
    ] as [(String, GoogleCredentialError.Code, String?, String)])
  func faultOfATypeIsNamed(
    _ content: String, _ code: GoogleCredentialError.Code, _ member: String?, _ remedy: String
  ) async throws {
    try await expect(code, member, remedy, of: content)
  }

  // MARK: Service accounts

  private static let account: [String: JSONValue] = ["type": "service_account", "client_email": "a@b"]

  @Test(
    arguments: [
      (["client_email": nil], .malformed, "client_email", download),
      (["client_email": ""], .malformed, "client_email", download),
      (["project_id": 7], .malformed, "project_id", "is not a string"),
      (["client_id": 7], .malformed, "client_id", "is not a string"),
      (["private_key_id": 7], .malformed, "private_key_id", "is not a string"),
      (["private_key": "s3cret"], .malformed, "private_key", "Provide the whole block, from BEGIN to END"),
      (["token_uri": "http://["], .malformed, "token_uri", "is not a URL"),
      (["token_uri": "https://evil.example/token"], .untrustedURL, "token_uri", untrusted),
      (["universe_domain": "cloud.example"], .untrustedURL, "universe_domain", cloud),
    ] as [([String: JSONValue?], GoogleCredentialError.Code, String, String)])
  func faultOfAServiceAccountIsNamed(
    _ changes: [String: JSONValue?], _ code: GoogleCredentialError.Code, _ member: String, _ remedy: String
  ) async throws {
    try await expect(code, member, remedy, of: Self.text(Self.account, changes))
  }

  @Test func cloudOfAnotherCredentialIsNamed() async throws {
    let variables = ["GOOGLE_CLOUD_UNIVERSE_DOMAIN": "cloud.example"]
    try await expect(
      .untrustedURL, "universe_domain", "is not cloud.example. \(Self.cloud)", of: Self.text(Self.account, [:]),
      variables)
    try await expect(
      .unsupported, "type", "Use another credential", of: Cloud.userFile(["universe_domain": "cloud.example"]),
      variables)
  }

  @Test func credentialThatCannotActForAUserIsExplained() async throws {
    try await expect(.unsupported, "type", "Leave the subject out", of: Cloud.userFile(), subject: "ada@example.com")
    try await expect(
      .unsupported, "type", "Impersonate a service account that may", of: ExternalAccountTests.file(),
      subject: "ada@example.com")
  }

  // MARK: Workloads

  private static let source = "credential_source"
  private static let awsType = "urn:ietf:params:aws:token-type:aws4_request"
  private static let metadataURL = "is not a URL of the metadata server"

  @Test(
    arguments: [
      (["environment_id": "aws2"], .unsupported, "environment_id", "is aws2, which is unknown. Supported is aws1"),
      (["environment_id": "AWS1"], .unsupported, "environment_id", "is AWS1, which is unknown. Supported is aws1"),
      (["environment_id": "azure1"], .unsupported, "environment_id", "is azure1, which is unknown. Supported is aws1"),
      (["environment_id": nil], .malformed, "environment_id", download),
      (["url": "http://169.254.169.253/"], .untrustedURL, "url", metadataURL),
      (["url": "http://169.254.169.254.evil.example/"], .untrustedURL, "url", metadataURL),
      (["url": "http://169.254.169.254:81/"], .untrustedURL, "url", metadataURL),
      (["url": "http://x@169.254.169.254/"], .untrustedURL, "url", metadataURL),
      (["url": "https://169.254.169.254/"], .untrustedURL, "url", metadataURL),
      (["region_url": "http://metadata.google.internal/"], .untrustedURL, "region_url", metadataURL),
      (["imdsv2_session_token_url": "http://[fd00:ec2::253]/"], .untrustedURL, "imdsv2_session_token_url", metadataURL),
    ] as [([String: JSONValue?], GoogleCredentialError.Code, String, String)])
  func faultOfAWorkloadOnAWSIsNamed(
    _ changes: [String: JSONValue?], _ code: GoogleCredentialError.Code, _ member: String, _ remedy: String
  ) async throws {
    try await expect(code, "\(Self.source).\(member)", remedy, of: AWSTests.file(changes))
  }

  @Test(arguments: [
    "https://sts.{region}.amazonaws.com?Action=AssumeRole&Version=2011-06-15",
    "https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15&RoleArn=x",
    "https://sts.{region}.amazonaws.com/x?Action=GetCallerIdentity&Version=2011-06-15",
    "http://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15",
    "https://sts.{region}.evil.example?Action=GetCallerIdentity&Version=2011-06-15", "https://sts.amazonaws.com",
  ])
  func signedRequestIsThatForTheIdentity(_ url: String) async throws {
    try await expect(
      .untrustedURL, "\(Self.source).regional_cred_verification_url", "is not GetCallerIdentity of AWS",
      of: AWSTests.file(["regional_cred_verification_url": .string(url)]))
  }

  @Test(
    arguments: [
      (["subject_token_type": .string(awsType)], .malformed, "\(source).environment_id", download),
      (
        [source: ["environment_id": "aws1"]], .malformed, "\(source).environment_id",
        "is aws1, which needs the subject_token_type"
      ),
      ([source: 7], .malformed, source, "is not an object"),
      ([source: nil], .malformed, source, download), ([source: [:]], .malformed, source, download),
      ([source: ["x": 1]], .malformed, "\(source).file", "is missing, and so are url, executable and certificate"),
      ([source: ["file": "/x", "url": "https://a"]], .malformed, "\(source).file", "Keep only one"),
      (
        [source: ["url": "https://a.example", "executable": ["command": "a"]]], .malformed, "\(source).file",
        "Keep only one"
      ),
      (
        [source: ["certificate": ["x": 1]]], .malformed, "\(source).certificate.certificate_config_location",
        "use_default_certificate_config is not true"
      ),
      (
        [source: ["certificate": ["use_default_certificate_config": true, "certificate_config_location": "/x"]]],
        .malformed, "\(source).certificate.certificate_config_location", "Keep only one of them"
      ),
      ([source: ["file": "/x", "format": ["type": "xml"]]], .unsupported, "\(source).format.type", "text nor json"),
      ([source: ["url": "http://a.example"]], .untrustedURL, "\(source).url", "must be https"),
      ([source: ["url": "https://a", "headers": ["a": 7]]], .malformed, "\(source).headers", "an object of strings"),
      ([source: ["executable": ["command": "'a"]]], .malformed, "\(source).executable.command", "counterpart"),
      (
        [source: ["executable": ["command": "a", "timeout_millis": 4999]]], .malformed,
        "\(source).executable.timeout_millis", "is not between 5000 and 120000"
      ),
      (
        [source: ["executable": ["command": "a", "timeout_millis": "5000"]]], .malformed,
        "\(source).executable.timeout_millis", "is not an integer"
      ),
      (["token_url": "https://evil.example/"], .untrustedURL, "token_url", untrusted),
      (
        ["service_account_impersonation": ["token_lifetime_seconds": 599]], .malformed,
        "service_account_impersonation.token_lifetime_seconds", "is not between 600 and 43200"
      ),
      (["workforce_pool_user_project": "42"], .malformed, "workforce_pool_user_project", "for workforce pools only"),
      (["universe_domain": "cloud.example"], .untrustedURL, "universe_domain", cloud),
    ] as [([String: JSONValue?], GoogleCredentialError.Code, String, String)])
  func faultOfAWorkloadIsNamed(
    _ changes: [String: JSONValue?], _ code: GoogleCredentialError.Code, _ member: String, _ remedy: String
  ) async throws {
    try await expect(code, member, remedy, of: ExternalAccountTests.file(changes))
  }

  @Test(arguments: [
    "Host", "Connection", "Content-Length", "Transfer-Encoding", "TE", "Trailer", "Upgrade", "Proxy-Authorization",
  ])
  func fieldOfTheTransportIsNamed(_ field: String) async throws {
    try await expect(
      .malformed, "\(Self.source).headers", "must not set \(field). Nothing was sent",
      of: ExternalAccountTests.file([
        Self.source: ["url": "https://a.example", "headers": .object([field.lowercased(): "x"])]
      ]))
  }

  // MARK: Impersonated accounts

  private static let impersonated: [String: JSONValue] = [
    "type": "impersonated_service_account",
    "service_account_impersonation_url": .string(ExternalAccountTests.impersonation),
    "source_credentials": ["type": "authorized_user", "client_id": "a", "client_secret": "b", "refresh_token": "c"],
  ]
  private static let impersonationURL = "service_account_impersonation_url"

  @Test(
    arguments: [
      ([impersonationURL: nil], .malformed, impersonationURL, download),
      ([impersonationURL: "https://evil.example/"], .untrustedURL, impersonationURL, untrusted),
      (
        [impersonationURL: .string(ExternalAccountTests.impersonation.replacing("@", with: ""))], .malformed,
        impersonationURL, "by its e-mail address"
      ),
      (["delegates": 7], .malformed, "delegates", "is not a list of strings"),
      (["delegates": ["a/b"]], .malformed, "delegates", "by their e-mail addresses"),
      (["source_credentials": nil], .malformed, "source_credentials", download),
      (["source_credentials": ["type": "authorized_user"]], .malformed, "source_credentials.client_id", download),
      (
        ["source_credentials": ["type": "impersonated_service_account"]], .unsupported, "source_credentials.type",
        "Name the accounts between as delegates"
      ),
      (["scopes": 7], .malformed, "scopes", "is not a list of strings"),
      (["quota_project_id": 7], .malformed, "quota_project_id", "is not a string"),
      (["universe_domain": "cloud.example"], .untrustedURL, "universe_domain", cloud),
    ] as [([String: JSONValue?], GoogleCredentialError.Code, String, String)])
  func faultOfAnImpersonatedAccountIsNamed(
    _ changes: [String: JSONValue?], _ code: GoogleCredentialError.Code, _ member: String, _ remedy: String
  ) async throws {
    try await expect(code, member, remedy, of: Self.text(Self.impersonated, changes))
  }
}
