// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import TestSupport
import Testing

/// `--client-cert-file` with a proxy that terminates TLS.
@Suite(.takesTurns) final class ClientCertificateOptionTests {
  private static let client = "certified"
  private let folder = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let files = [
      "cert.pem": "-----BEGIN CERTIFICATE-----\nAQID\n-----END CERTIFICATE-----\n",
      "other.pem": "-----BEGIN CERTIFICATE-----\nAQIE\n-----END CERTIFICATE-----\n",
      // Editors write a byte order mark.
      "key.pem": "\u{FEFF}-----BEGIN PRIVATE KEY-----\nczNjcmV0\n-----END PRIVATE KEY-----\n",
      "encrypted.pem": "-----BEGIN ENCRYPTED PRIVATE KEY-----\nczNjcmV0\n-----END ENCRYPTED PRIVATE KEY-----\n",
      "key.jwk": #"{"kty":"EC","d":"czNjcmV0"}"#,
    ]
    for (name, text) in files { try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func path(_ name: String) -> String { folder.appending(path: name).path() }

  private func harness(issuer: String? = nil) -> CommandHarness {
    var configuration = CommandHarness.configuration
    configuration.issuer = issuer
    configuration.clients.append(
      Sandbox.Client(
        id: Self.client, name: "Certified", redirectURIs: ["http://127.0.0.1/callback"],
        authentication: .tlsClientCertificate([1, 2, 3])))
    return CommandHarness(
      configuration: configuration,
      transport: { base in
        StubTransport { request in
          // The issuer is the sandbox's own.
          var request = request
          request.url = Sandbox.inProcessURL.appending(path: request.url.path())
          return try await base.send(request)
        }
      })
  }

  /// - Parameter options: The options. A value that begins with `@` is a file name.
  private func signIn(
    _ harness: CommandHarness, _ options: [String], issuer: String = "https://sandbox.invalid"
  ) async -> CommandHarness.Result {
    await harness.run(
      ["sign-in", "--issuer", issuer, "--client-id", Self.client, "--scope", "email"]
        + options.map { $0.hasPrefix("@") ? path(String($0.dropFirst())) : $0 })
  }

  private static let files = ["--client-cert-file", "@cert.pem", "--client-key-file", "@key.pem"]

  /// The second sign-in names the certificate again, which keeps its method, and the third names none.
  @Test(arguments: [nil, "tls_client_auth", "self_signed_tls_client_auth"])
  func certificateAuthenticatesTheClientInLaterCommandsToo(_ method: String?) async throws {
    let harness = harness()
    for options in [Self.files + (method.map { ["--client-auth", $0] } ?? []), Self.files, []] {
      let result = await signIn(harness, options)
      #expect(result.status == .success, "\(result.errors)")
      let settings = try String(contentsOfFile: "\(harness.home)/almanac/default.json", encoding: .utf8)
      #expect(method.map { settings.contains("\"\($0)\"") } ?? true)
    }
    #expect(await harness.run("revoke").status == .success)
    #expect(harness.sandbox.requestCount(.revocation) > 0)
  }

  @Test func anotherCertificateIsRefused() async throws {
    let result = await signIn(harness(), ["--client-cert-file", "@other.pem", "--client-key-file", "@key.pem"])
    #expect(result.status == .refused, "\(result.errors)")
  }

  @Test(
    arguments: [
      (["--client-auth", "tls_client_auth"], "--client-cert-file and --client-key-file"),
      (["--client-cert-file", "@cert.pem"], "--client-cert-file and --client-key-file"),
      (
        ["--client-auth", "tls_client_auth", "--client-key-file", "@key.pem"],
        "--client-cert-file and --client-key-file"
      ),
      (files + ["--client-auth", "private_key_jwt"], "--client-auth tls_client_auth"),
      (files + ["--client-auth", "none"], "--client-auth tls_client_auth"),
      (files + ["--client-secret-file", "@key.pem"], "takes only a certificate and its key"),
      (files + ["--client-key-id", "1"], "takes only a certificate and its key"),
      (["--client-cert-file", "@none.pem", "--client-key-file", "@key.pem"], "--client-cert-file cannot be read"),
      (["--client-cert-file", "@cert.pem", "--client-key-file", "@none.pem"], "--client-key-file cannot be read"),
      (["--client-cert-file", "@", "--client-key-file", "@key.pem"], "--client-cert-file cannot be read"),
      (["--client-cert-file", "@key.pem", "--client-key-file", "@key.pem"], "no certificate in PEM"),
      (["--client-cert-file", "@cert.pem", "--client-key-file", "@cert.pem"], "no private key in PEM"),
      (["--client-cert-file", "@cert.pem", "--client-key-file", "@key.jwk"], "no private key in PEM"),
      (["--client-cert-file", "@cert.pem", "--client-key-file", "@encrypted.pem"], "encrypted"),
    ] as [([String], String)])
  func unusableCertificateOptionsAreAUsageError(_ options: [String], _ message: String) async throws {
    let result = await signIn(harness(), options)
    #expect(result.status == .usage && result.errors.contains(message), "\(result.errors)")
    #expect(!result.errors.contains("czNjcmV0"))
  }

  @Test func serverWithoutTLSIsAUsageError() async throws {
    let issuer = "http://127.0.0.1:8"
    let result = await signIn(harness(issuer: issuer), Self.files, issuer: issuer)
    #expect(result.status == .usage && result.errors.contains("not https"), "\(result.errors)")
  }
}
