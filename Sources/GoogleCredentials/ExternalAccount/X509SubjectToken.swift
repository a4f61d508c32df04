// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthJOSE
import PlatformFoundation
import TokenStore

/// The token of a workload with an X.509 certificate: its certificate chain, sent on a connection that presents the
/// certificate
/// ([X.509 certificates](https://cloud.google.com/iam/docs/workload-identity-federation-with-x509-certificates)).
struct X509SubjectToken: SubjectTokenSource {
  private let configurationFile: String
  private let chainFile: String?
  private let environment: CredentialEnvironment

  /// Parses the member `certificate` of a `credential_source`.
  init(_ certificate: CredentialDocument, _ environment: CredentialEnvironment) throws {
    let isDefault = try certificate.optionalBoolean("use_default_certificate_config") ?? false
    let location = try certificate.optionalString("certificate_config_location")
    guard isDefault == (location == nil) else {
      throw certificate.error(
        .malformed, "certificate_config_location",
        isDefault
          ? "is set together with use_default_certificate_config. Keep only one of them."
          : "is missing. Set it, or set use_default_certificate_config to true.")
    }
    guard
      let file = location ?? environment["GOOGLE_API_CERTIFICATE_CONFIG"]
        ?? environment.gcloudFolder.map({ $0 + "/certificate_config.json" })
    else {
      throw GoogleCredentialError(
        .invalidConfiguration,
        "The path of certificate_config.json is unknown, because there is no home folder. Set GOOGLE_API_CERTIFICATE_CONFIG."
      )
    }
    configurationFile = file
    chainFile = try certificate.optionalString("trust_chain_path")
    self.environment = environment
  }

  func subjectToken() async throws -> Secret { try await subject().token }

  func subject() async throws -> (token: Secret, transport: (any Transport)?) {
    guard let connect = environment.mutualTLS else {
      throw GoogleCredentialError(
        .unsupported,
        "The credential needs a transport that presents a client certificate. Set the environment's mutualTLS.")
    }
    let files = try CredentialDocument(json: try await content(of: configurationFile), file: configurationFile)
      .object("cert_configs").object("workload")
    let certificate = try await content(of: files.string("cert_path"))
    let key = try await content(of: files.string("key_path"))
    guard let leaf = Self.certificates(in: certificate)?.first else { throw unusable(try files.string("cert_path")) }
    guard let keyText = String(validating: key, as: UTF8.self) else {
      let path = try files.string("key_path")
      throw GoogleCredentialError(
        .subjectTokenUnavailable, "The file \(path.printable) contains no key in PEM format.", file: path)
    }
    var chain: [String] = []
    if let chainFile {
      guard let certificates = Self.certificates(in: try await content(of: chainFile)) else {
        throw unusable(chainFile)
      }
      chain = certificates.first == leaf ? Array(certificates.dropFirst()) : certificates
      guard !chain.contains(leaf) else {
        throw GoogleCredentialError(
          .subjectTokenUnavailable,
          "The file \(chainFile.printable) contains the workload's certificate, but not first. Move it to the beginning.",
          file: chainFile)
      }
    }
    let list = JSONValue.array(([leaf] + chain).map { .string($0) })
    return (
      Secret(String(decoding: list.json(), as: UTF8.self)),
      try connect(WorkloadCertificate(certificate: certificate, key: Secret(keyText)))
    )
  }

  private func content(of path: String) async throws -> [UInt8] {
    guard let content = try await environment.files.content(of: path) else {
      throw GoogleCredentialError(
        .subjectTokenUnavailable,
        "There is no file \(path.printable) for the workload's certificate. Create it, or correct the path that names it (GOOGLE_API_CERTIFICATE_CONFIG for certificate_config.json).",
        file: path)
    }
    return content
  }

  private func unusable(_ path: String) -> GoogleCredentialError {
    GoogleCredentialError(
      .subjectTokenUnavailable, "The file \(path.printable) contains no certificate in PEM format.", file: path)
  }

  /// Returns the Base64 of each certificate, or `nil` if there is none.
  private static func certificates(in pem: [UInt8]) -> [String]? {
    PEM.contents(of: String(decoding: pem, as: UTF8.self), label: "CERTIFICATE")?.map {
      Data($0).base64EncodedString()
    }
  }
}
