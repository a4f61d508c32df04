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

/// Workloads on Amazon Web Services.
@Suite struct AWSTests {
  private static let metadata = "http://169.254.169.254/latest"
  private static let arn = "arn:aws:sts::123456789012:assumed-role/reports/i-1"

  private static let instance = GoogleCloudSandbox.AWSInstance(
    role: "reports", arn: arn, accessKeyID: "ASIAEXAMPLE", secretAccessKey: Secret("secret/key"),
    sessionToken: Secret("session+token"))

  static func file(_ changes: [String: JSONValue?] = [:]) -> String {
    var source: [String: JSONValue] = [
      "environment_id": "aws1", "region_url": .string(metadata + "/meta-data/placement/availability-zone"),
      "url": .string(metadata + "/meta-data/iam/security-credentials"),
      "imdsv2_session_token_url": .string(metadata + "/api/token"),
      "regional_cred_verification_url":
        "https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15",
    ]
    for (name, value) in changes { source[name] = value }
    return ExternalAccountTests.file([
      "subject_token_type": "urn:ietf:params:aws:token-type:aws4_request", "credential_source": .object(source),
    ])
  }

  private func cloud(_ zone: String = "us-east-2b") async throws -> Cloud {
    try await Cloud {
      var provider = GoogleCloudSandbox.IdentityProvider(
        audience: ExternalAccountTests.audience, issuer: "aws", keys: JWKSet([]))
      provider.instance = Self.instance
      provider.instance?.zone = zone
      $0.identityProviders = [provider]
    }
  }

  private func token(
    _ cloud: Cloud, _ variables: [String: String] = [:], _ changes: [String: JSONValue?] = [:]
  ) async throws -> String {
    let credential = try GoogleCredential.json(
      Array(Self.file(changes).utf8), scopes: [Cloud.scope], in: cloud.environment(variables))
    return try await credential.accessToken().value.reveal()
  }

  private static let keys = [
    "AWS_ACCESS_KEY_ID": "ASIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret/key", "AWS_SESSION_TOKEN": "session+token",
  ]

  /// The metadata server is asked only for values that no variable has.
  @Test(
    arguments: [
      ([:], [:], ["/latest/api/token", zonePath, rolePath, rolePath + "/reports"]),
      (["AWS_REGION": "eu-west-1"], [:], ["/latest/api/token", rolePath, rolePath + "/reports"]),
      (keys, [:], ["/latest/api/token", zonePath]),
      (keys.merging(["AWS_DEFAULT_REGION": "eu-west-1"]) { $1 }, [:], []),
      (keys.merging(["AWS_REGION": "eu-west-1"]) { $1 }, ["url": nil, "region_url": nil], []),
      (
        keys.merging(["AWS_REGION": "eu-west-1"]) { $1 },
        [
          "regional_cred_verification_url":
            "https://sts.eu-west-1.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15"
        ], []
      ),
    ] as [([String: String], [String: JSONValue?], [String])])
  func signedRequestIsExchanged(
    _ variables: [String: String], _ changes: [String: JSONValue?], _ paths: [String]
  ) async throws {
    let cloud = try await cloud()
    let access = try await token(cloud, variables, changes)
    #expect(
      cloud.sandbox.identity(ofAccessToken: access)?.principal
        == "principal:\(ExternalAccountTests.pool)/subject/\(Self.arn)")
    #expect(cloud.transport.requests.dropLast().map { $0.url.path() } == paths)
    #expect(cloud.transport.requests.dropLast().allSatisfy { $0.redirectScope == .noOrigin })
  }

  private static let zonePath = "/latest/meta-data/placement/availability-zone"
  private static let rolePath = "/latest/meta-data/iam/security-credentials"

  @Test(arguments: [
    ("us-east-2b", "us-east-2"), ("us-west-2-lax-1a", "us-west-2"), ("us-gov-east-1a", "us-gov-east-1"),
    ("eu-west-1", "eu-west-1"),
  ])
  func regionIsThatOfTheZone(_ zone: String, _ region: String) async throws {
    let cloud = try await cloud(zone)
    _ = try await token(cloud)
    let form = try #require(cloud.transport.requests.last).form
    let text = try #require(form["subject_token"]?.removingPercentEncoding)
    #expect(
      try JSONValue(json: Array(text.utf8))["url"]?.string?.hasPrefix("https://sts.\(region).amazonaws.com") == true)
    #expect(text.contains("/\(region)/sts/aws4_request") && !text.contains("secret/key"))
  }

  /// Another key, another token, another pool, or another time: each is refused by the pool.
  @Test(arguments: [
    ("AWS_ACCESS_KEY_ID", "OTHER"), ("AWS_SECRET_ACCESS_KEY", "other"), ("AWS_SESSION_TOKEN", "other"),
    ("AWS_SESSION_TOKEN", ""),
  ])
  func signatureOfAnotherIsRefused(_ variable: String, _ value: String) async throws {
    var variables = Self.keys.merging(["AWS_REGION": "eu-west-1"]) { $1 }
    variables[variable] = value
    let error = try await failure(OAuthError.self) { try await token(try await cloud(), variables) }
    #expect(error.serverCode == "invalid_grant")
  }

  @Test(arguments: ["us-east-1.evil.example/", "eu west", "../x", "é"])
  func regionThatIsNoneIsRefused(_ region: String) async throws {
    let cloud = try await cloud()
    await expectFailure(.subjectTokenUnavailable) {
      try await token(cloud, Self.keys.merging(["AWS_REGION": region]) { $1 })
    }
    #expect(cloud.transport.requests.isEmpty)
  }

  /// An instance whose options require IMDSv2 refuses requests without its token.
  @Test func statusOfTheMetadataServerIsNamed() async throws {
    let cloud = try await cloud()
    await expectFailure(.subjectTokenUnavailable, "status 401 to the request for the availability zone. Check") {
      try await token(cloud, [:], ["imdsv2_session_token_url": nil])
    }
    await expectFailure(.subjectTokenUnavailable, "Set AWS_REGION") { try await token(cloud, [:], ["region_url": nil]) }
  }

  /// From AWS's test suite for Signature Version 4 (aws-sig-v4-test-suite): get-vanilla, post-vanilla, post-vanilla-query and
  /// get-vanilla-query-order-key-case.
  @Test(arguments: [
    ("GET", "", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
    ("POST", "", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
    ("POST", "Param1=value1", "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"),
    ("GET", "Param2=value2&Param1=value1", "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
  ])
  func signatureIsThatOfAWSsExamples(_ method: String, _ query: String, _ signature: String) {
    let request = AWSRequest(
      method, query: query, fields: ["host": "example.amazonaws.com", "x-amz-date": "20150830T123600Z"])
    #expect(
      request.authorization(
        keyID: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", region: "us-east-1",
        service: "service"
      )
        == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=\(signature)"
    )
  }
}
