// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import GoogleCredentials
import HTTPTransport
import JSONCoding
import OAuthJOSE
import Testing

/// The messages about files that cannot be used: the file, the member, what is wrong and what to do.
@Suite struct FileMessageTests {
  private static let path = "/keys/file.json"
  private static let supported =
    "Supported are service_account, authorized_user, external_account, impersonated_service_account."
  private static let elsewhere = "Nothing was sent. Do not use the file unless you know who wrote it."

  /// Expects the error of a file, which is the same without a path but for the name.
  private func expect(
    _ code: GoogleCredentialError.Code, _ member: String?, _ problem: String, of content: String,
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
      #expect(error.code == code)
      #expect(error.member == member)
      #expect(error.file == file)
      #expect(error.status == nil)
      #expect(error.message == (member.map { "\(name): \($0) " } ?? "\(name) ") + problem)
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
      ("[]", nil, "is not a JSON object, or names a member twice. Download or create it again."),
      ("{}", "type", "is missing. Download or create the file again."), (#"{"type":7}"#, "type", "is not a string."),
    ] as [(String, String?, String)])
  func fileWithoutATypeIsMalformed(_ content: String, _ member: String?, _ problem: String) async throws {
    try await expect(.malformed, member, problem, of: content)
  }

  @Test(arguments: [
    ("gdch_service_account", "is that of Google Distributed Cloud, which is not supported."),
    ("external_account_authorized_user", "is that of a workforce user, which is not supported."),
    ("metadata_server", "is not one that is supported."), ("nonsense", "is not one that is supported."),
  ])
  func typeThatIsNotSupportedIsNamed(_ type: String, _ problem: String) async throws {
    try await expect(.unsupported, "type", "\(problem) \(Self.supported)", of: #"{"type":"\#(type)"}"#)
  }

  // MARK: Service accounts

  private static let account: [String: JSONValue] = ["type": "service_account", "client_email": "a@b"]

  @Test(
    arguments: [
      (["client_email": nil], .malformed, "client_email", "is missing. Download or create the file again."),
      (["client_email": ""], .malformed, "client_email", "is missing. Download or create the file again."),
      (["project_id": 7], .malformed, "project_id", "is not a string."),
      (["client_id": 7], .malformed, "client_id", "is not a string."),
      (["private_key_id": 7], .malformed, "private_key_id", "is not a string."),
      (["token_uri": "http://["], .malformed, "token_uri", "is not a URL."),
      (
        ["token_uri": "https://evil.example/token"], .untrustedURL, "token_uri",
        "is not a URL of Google's, such as https://oauth2.googleapis.com/token. \(elsewhere)"
      ),
      (
        ["universe_domain": "cloud.example"], .untrustedURL, "universe_domain",
        "is not googleapis.com. If you trust that cloud, set GOOGLE_CLOUD_UNIVERSE_DOMAIN to it."
      ),
    ] as [([String: JSONValue?], GoogleCredentialError.Code, String, String)])
  func faultOfAServiceAccountIsNamed(
    _ changes: [String: JSONValue?], _ code: GoogleCredentialError.Code, _ member: String, _ problem: String
  ) async throws {
    try await expect(code, member, problem, of: Self.text(Self.account, changes))
  }

  @Test(arguments: ["", "no key"]) func keyThatIsNoneIsExplained(_ key: String) async throws {
    let reason = try #require(throws: JOSEError.self) { try SigningKey(pem: key, algorithm: .rs256) }
    try await expect(
      .malformed, "private_key", "cannot be used: \(reason.message)",
      of: Self.text(Self.account, ["private_key": .string(key)]))
  }

  @Test func expectedCloudIsNamed() async throws {
    try await expect(
      .untrustedURL, "universe_domain",
      "is not cloud.example. If you trust that cloud, set GOOGLE_CLOUD_UNIVERSE_DOMAIN to it.",
      of: Self.text(Self.account, [:]), ["GOOGLE_CLOUD_UNIVERSE_DOMAIN": "cloud.example"])
  }

  // MARK: Users

  @Test func userOfAnotherCloudOrForAnotherIsExplained() async throws {
    try await expect(
      .unsupported, "type", "is a user, which only googleapis.com supports. Use another credential.",
      of: Cloud.userFile(["universe_domain": "cloud.example"]), ["GOOGLE_CLOUD_UNIVERSE_DOMAIN": "cloud.example"])
    try await expect(
      .unsupported, "type", "is a user, who cannot act for another. Leave the subject out.", of: Cloud.userFile(),
      subject: "ada@example.com")
  }

  // MARK: Workloads

  private static let source = "credential_source"
  private static let aws =
    "is that of AWS, which is not supported. Use a provider of the pool whose tokens come from a file, a URL or a program."
  private static let sourceURL =
    "must be https; plain http is for loopback and for the metadata server 169.254.169.254. Nothing was sent."

  @Test(
    arguments: [
      (["subject_token_type": "urn:ietf:params:aws:token-type:aws4_request"], .unsupported, source, aws),
      ([source: ["environment_id": "aws1"]], .unsupported, source, aws),
      ([source: 7], .malformed, source, "is not an object."),
      ([source: nil], .malformed, source, "is missing. Download or create the file again."),
      ([source: [:]], .malformed, source, "is missing. Download or create the file again."),
      ([source: ["x": 1]], .malformed, "\(source).file", "is missing, and so are url and executable."),
      (
        [source: ["file": "/x", "url": "https://a.example"]], .malformed, "\(source).file",
        "is set together with url or executable. Keep only one of them."
      ),
      (
        [source: ["url": "https://a.example", "executable": ["command": "a"]]], .malformed, "\(source).file",
        "is set together with url or executable. Keep only one of them."
      ),
      (
        [source: ["certificate": ["x": 1]]], .unsupported, "\(source).certificate",
        "is not supported. Use a file, a URL or an executable."
      ),
      (
        [source: ["file": "/x", "format": ["type": "xml"]]], .unsupported, "\(source).format.type",
        "is neither text nor json."
      ),
      ([source: ["url": "http://a.example"]], .untrustedURL, "\(source).url", sourceURL),
      (
        [source: ["url": "https://a.example", "headers": ["host": "x"]]], .malformed, "\(source).headers",
        "must not set Host. Nothing was sent."
      ),
      (
        [source: ["url": "https://a.example", "headers": ["a": 7]]], .malformed, "\(source).headers",
        "is not an object of strings."
      ),
      (
        [source: ["executable": ["command": "'a"]]], .malformed, "\(source).executable.command",
        "has a quotation mark or a backslash without its counterpart."
      ),
      (
        [source: ["executable": ["command": "a", "timeout_millis": 4999]]], .malformed,
        "\(source).executable.timeout_millis", "is not between 5000 and 120000."
      ),
      (
        [source: ["executable": ["command": "a", "timeout_millis": "5000"]]], .malformed,
        "\(source).executable.timeout_millis", "is not an integer."
      ),
      (
        ["token_url": "https://evil.example/"], .untrustedURL, "token_url",
        "is not a URL of Google's, such as https://sts.googleapis.com/v1/token. \(elsewhere)"
      ),
      (
        ["service_account_impersonation": ["token_lifetime_seconds": 599]], .malformed,
        "service_account_impersonation.token_lifetime_seconds", "is not between 600 and 43200."
      ),
      (
        ["workforce_pool_user_project": "42"], .malformed, "workforce_pool_user_project",
        "is for workforce pools only, but the audience is not one."
      ),
      (
        ["universe_domain": "cloud.example"], .untrustedURL, "universe_domain",
        "is not googleapis.com. If you trust that cloud, set GOOGLE_CLOUD_UNIVERSE_DOMAIN to it."
      ),
    ] as [([String: JSONValue?], GoogleCredentialError.Code, String, String)])
  func faultOfAWorkloadIsNamed(
    _ changes: [String: JSONValue?], _ code: GoogleCredentialError.Code, _ member: String, _ problem: String
  ) async throws {
    try await expect(code, member, problem, of: ExternalAccountTests.file(changes))
  }

  @Test func workloadForAUserIsExplained() async throws {
    try await expect(
      .unsupported, "type", "is a workload, which cannot act for a user. Impersonate a service account that may.",
      of: ExternalAccountTests.file(), subject: "ada@example.com")
  }

  @Test(arguments: [
    "Host", "Connection", "Content-Length", "Transfer-Encoding", "TE", "Trailer", "Upgrade", "Proxy-Authorization",
  ])
  func fieldOfTheTransportIsNamed(_ field: String) async throws {
    try await expect(
      .malformed, "\(Self.source).headers", "must not set \(field). Nothing was sent.",
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
      ([impersonationURL: nil], .malformed, impersonationURL, "is missing. Download or create the file again."),
      (
        [impersonationURL: "https://evil.example/"], .untrustedURL, impersonationURL,
        "is not a URL of Google's, such as https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/EMAIL:generateAccessToken. \(elsewhere)"
      ),
      (
        [impersonationURL: .string(ExternalAccountTests.impersonation.replacing("@", with: ""))], .malformed,
        impersonationURL, "does not name a service account by its e-mail address."
      ),
      (["delegates": 7], .malformed, "delegates", "is not a list of strings."),
      (
        ["delegates": ["a/b"]], .malformed, "delegates", "does not name service accounts by their e-mail addresses."
      ),
      (["source_credentials": nil], .malformed, "source_credentials", "is missing. Download or create the file again."),
      (
        ["source_credentials": ["type": "authorized_user"]], .malformed, "source_credentials.client_id",
        "is missing. Download or create the file again."
      ),
      (
        ["source_credentials": ["type": "impersonated_service_account"]], .unsupported, "source_credentials.type",
        "is an impersonated account. Name the accounts between as delegates."
      ),
      (["scopes": 7], .malformed, "scopes", "is not a list of strings."),
      (["quota_project_id": 7], .malformed, "quota_project_id", "is not a string."),
      (
        ["universe_domain": "cloud.example"], .untrustedURL, "universe_domain",
        "is not googleapis.com. If you trust that cloud, set GOOGLE_CLOUD_UNIVERSE_DOMAIN to it."
      ),
    ] as [([String: JSONValue?], GoogleCredentialError.Code, String, String)])
  func faultOfAnImpersonatedAccountIsNamed(
    _ changes: [String: JSONValue?], _ code: GoogleCredentialError.Code, _ member: String, _ problem: String
  ) async throws {
    try await expect(code, member, problem, of: Self.text(Self.impersonated, changes))
  }
}
