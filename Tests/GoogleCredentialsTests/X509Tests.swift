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
import TokenStore

/// Workloads with an X.509 certificate.
///
/// The sandbox compares certificates and does not parse them.
@Suite struct X509Tests {
  private static func pem(_ names: String...) -> String {
    names.map { "-----BEGIN CERTIFICATE-----\n\(base64($0))\n-----END CERTIFICATE-----\n" }.joined()
  }

  private static func base64(_ name: String) -> String { Data(name.utf8).base64EncodedString() }

  private static let configuration =
    #"{"cert_configs":{"workload":{"cert_path":"/leaf.pem","key_path":"/key.pem"}}}"#

  private func token(
    _ certificate: [String: JSONValue], files: [String: String], _ variables: [String: String] = [:],
    presenting presented: String = "leaf"
  ) async throws -> (cloud: Cloud, subjectToken: String?) {
    let cloud = try await Cloud {
      var provider = GoogleCloudSandbox.IdentityProvider(
        audience: ExternalAccountTests.audience, issuer: "ca", keys: JWKSet([]))
      provider.certificates = [Self.base64("leaf"): "job-7"]
      $0.identityProviders = [provider]
    }
    let all = ["/leaf.pem": Self.pem("leaf"), "/key.pem": "the key"].merging(files) { $1 }
    var environment = cloud.environment(files: all, variables)
    environment.mutualTLS = { identity in
      #expect(identity.certificate == Array(Self.pem("leaf").utf8) && identity.key.reveal() == "the key")
      return StubTransport { request in
        var request = request
        request.fields["Client-Cert"] = ":\(Self.base64(presented)):"
        return try await cloud.transport.send(request)
      }
    }
    let file = ExternalAccountTests.file([
      "subject_token_type": "urn:ietf:params:oauth:token-type:mtls",
      "token_url": "https://sts.mtls.googleapis.com/v1/token",
      "credential_source": ["certificate": .object(certificate)],
    ])
    let credential = try GoogleCredential.json(Array(file.utf8), scopes: [Cloud.scope], in: environment)
    let access = try await credential.accessToken()
    #expect(
      cloud.sandbox.identity(ofAccessToken: access.value.reveal())?.principal
        == "principal:\(ExternalAccountTests.pool)/subject/job-7")
    return (cloud, cloud.transport.requests.first?.form["subject_token"])
  }

  @Test(
    arguments: [
      (nil, ["leaf"]), ("\u{FEFF}" + pem("leaf", "between"), ["leaf", "between"]),
      ("Issuer: CA\r\n" + pem("leaf", "between").replacing("\n", with: "\r\n"), ["leaf", "between"]),
      (pem("between"), ["leaf", "between"]),
    ] as [(String?, [String])])
  func chainIsExchangedOnAConnectionWithTheCertificate(_ chain: String?, _ names: [String]) async throws {
    var certificate: [String: JSONValue] = ["certificate_config_location": "/config.json"]
    if chain != nil { certificate["trust_chain_path"] = "/chain.pem" }
    let files = ["/config.json": Self.configuration, "/chain.pem": chain ?? ""]
    let subjectToken = try await token(certificate, files: files).subjectToken
    #expect(try JSONValue(json: Array((subjectToken ?? "").utf8)).strings == names.map(Self.base64))
  }

  @Test(
    arguments: [
      ("/home/ada/.config/gcloud/certificate_config.json", [:]),
      ("/c/certificate_config.json", ["CLOUDSDK_CONFIG": "/c"]),
      ("/x.json", ["GOOGLE_API_CERTIFICATE_CONFIG": "/x.json"]),
    ] as [(String, [String: String])])
  func defaultConfigurationIsThatOfGcloud(_ path: String, _ variables: [String: String]) async throws {
    _ = try await token(["use_default_certificate_config": true], files: [path: Self.configuration], variables)
  }

  @Test(
    arguments: [
      ("/config.json", "{}", "cert_configs is missing. Download"),
      ("/chain.pem", String(pem("leaf", "between").dropLast(26)), "no certificate in PEM form"),
      ("/leaf.pem", "no PEM", "no certificate in PEM form"),
      ("/chain.pem", pem("between", "leaf"), "Move it to the beginning"),
    ])
  func faultOfAFileIsNamed(_ path: String, _ content: String, _ message: String) async throws {
    let files = ["/config.json": Self.configuration, "/chain.pem": Self.pem("leaf")].merging([path: content]) { $1 }
    let error = try await failure(GoogleCredentialError.self) {
      try await token(["certificate_config_location": "/config.json", "trust_chain_path": "/chain.pem"], files: files)
    }
    #expect(error.message.contains(message) && error.message.contains(path) && error.file == path)
  }

  @Test func anotherCertificateOnTheConnectionIsRefused() async throws {
    let error = try await failure(OAuthError.self) {
      try await token(
        ["certificate_config_location": "/config.json"], files: ["/config.json": Self.configuration],
        presenting: "other")
    }
    #expect(error.serverCode == "invalid_grant")
  }

  @Test func environmentWithoutMutualTLSSaysSo() async throws {
    let cloud = try await Cloud()
    let source: JSONValue = ["certificate": ["use_default_certificate_config": true]]
    let credential = try cloud.credential(ExternalAccountTests.file(["credential_source": source]))
    await expectFailure(.unsupported, "mutualTLS") { try await credential.accessToken() }
  }
}
