// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import AlmanacCLI
  import AlmanacTesting
  import Foundation
  import HTTPTransportCurl
  import OAuthCore
  import TestSupport
  import Testing
  import Timekeeping
  import TokenStore

  /// The servers that `Tools/Servers/run.py` started.
  private struct Servers: Decodable {
    static let text = ProcessInfo.processInfo.environment["ALMANAC_TEST_SERVERS"]
    static var areRunning: Bool { text != nil }

    let folder: String
    let ports: [String: Int]
  }

  /// `--client-cert-file` with an authorization server of `Tools/Servers` that terminates TLS itself.
  @Suite(
    .enabled(if: Servers.areRunning, "Tools/Servers/test-http starts the server that these tests need, and runs them."),
    .takesTurns)
  struct ClientCertificateServerTests {
    private func signIn(certificate: String, key: String) async throws -> (AlmanacCLI.ExitStatus, String) {
      let servers = try JSONDecoder().decode(Servers.self, from: Data(try #require(Servers.text).utf8))
      let port = try #require(servers.ports["authorization-server"])
      let home = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)").path()
      defer { try? FileManager.default.removeItem(atPath: home) }
      let console = ScriptedConsole()
      let services = Services(
        environment: ["XDG_CONFIG_HOME": home, "HOME": home], console: console,
        openStorage: { [storage = InMemoryTokenStorage()] _ in CommandStorage(storage) }, clock: SystemClock(),
        makeTransport: { certificate in
          let trust = TLSOptions.PEM.file("\(servers.folder)/ca.pem")
          return CurlTransport(
            tls: TLSOptions(authorities: trust, clientCertificate: certificate?.identity), proxy: .none)
        },
        makeBrowser: { _, _ in
          ScriptedUserAgent { pending in
            try #require(URL(string: "\(pending.redirectURI)?code=code&state=\(pending.state.reveal())"))
          }
        })
      let status = await Program(services: services).run([
        "sign-in", "--issuer", "https://localhost:\(port)", "--client-id", "client", "--scope", "read",
        "--client-cert-file",
        "\(servers.folder)/\(certificate).pem", "--client-key-file", "\(servers.folder)/\(key).key",
      ])
      return (status, console.errors)
    }

    @Test func certificateIsSeenByTheTokenEndpoint() async throws {
      let (status, errors) = try await signIn(certificate: "client", key: "client")
      #expect(status == .success, "\(errors)")
    }

    @Test(
      arguments: [
        ("second-client", "second-client", .refused, "the certificate of another client"),
        ("other-client", "other-client", .network, "a certificate of an authority that the server does not know"),
        ("client", "second-client", .usage, "the key of another certificate"),
      ] as [(String, String, AlmanacCLI.ExitStatus, String)])
    func otherCertificateIsRefused(
      _ certificate: String, _ key: String, _ expected: AlmanacCLI.ExitStatus, _ reason: String
    ) async throws {
      let (status, errors) = try await signIn(certificate: certificate, key: key)
      #expect(status == expected, "\(reason): \(errors)")
      #expect(!errors.contains("PRIVATE"))
    }
  }
#endif
