// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import Testing

extension ServerTests {
  @Suite struct CertificateTests {
    private let servers: Servers

    init() throws { servers = try Servers() }

    private func get(_ name: String, host: String = "127.0.0.1", _ tls: TLSOptions) async throws -> String {
      let request = HTTPRequest(.get, try servers.url(name, "/short", host: host), timeout: .seconds(5))
      return await timedOutcome(CurlTransport(tls: tls, proxy: .none), request)
    }

    @Test(arguments: [
      ("tls-1.2", "200"),
      ("tls-1.3", "200"),
      ("expired", "tls/certificateExpired"),
      ("not-yet-valid", "tls/certificateExpired"),
      ("wrong-host", "tls/certificateWrongHost"),
      ("self-signed", "tls/certificateUntrusted"),
      ("untrusted", "tls/certificateUntrusted"),
      ("wrong-usage", "tls/certificateUntrusted"),
      ("tls-1.0", "tls/handshake"),
      ("tls-1.1", "tls/handshake"),
    ])
    func certificatesAndVersionsAreJudged(server: String, expected: String) async throws {
      let outcome = try await get(server, servers.trust)
      #expect(outcome == expected)
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func theNameIsThatOfTheURL(host: String) async throws {
      #expect(try await get("tls-1.3", host: host, servers.trust) == "200")
      #expect(try await get("wrong-host", host: host, servers.trust) == "tls/certificateWrongHost")
    }

    @Test func theSystemDoesNotTrustTheTests() async throws {
      #expect(try await get("tls-1.3", TLSOptions()) == "tls/certificateUntrusted")
    }

    @Test func aRefusedCertificateIsRefusedOnEveryTry() async throws {
      let http = CurlTransport(tls: servers.trust, proxy: .none)
      for server in ["expired", "wrong-host", "tls-1.3", "expired", "wrong-host", "untrusted"] {
        let request = HTTPRequest(.get, try servers.url(server), timeout: .seconds(5))
        #expect(await timedOutcome(http, request).hasPrefix(server == "tls-1.3" ? "200" : "tls/certificate"))
      }
    }

    @Test func streamsAreVerifiedToo() async throws {
      let http = CurlTransport(tls: servers.trust, proxy: .none)
      let request = HTTPRequest(.get, try servers.url("expired"), timeout: .seconds(5))
      let error = await #expect(throws: TransportError.self) { try await http.stream(request, body: nil) }
      #expect(error?.outcome == "tls/certificateExpired")
    }

    // MARK: Authorities

    @Test func authoritiesComeFromAFileOrFromBytes() async throws {
      let path = servers.file("ca.pem")
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      for authorities in [TLSOptions.PEM.file(path), .bytes(bytes)] {
        let tls = TLSOptions(authorities: authorities)
        #expect(try await get("tls-1.3", tls) == "200")
        #expect(try await get("untrusted", tls) == "tls/certificateUntrusted")
      }
      let others = TLSOptions(authorities: .file(servers.file("other-ca.pem")))
      #expect(try await get("untrusted", others) == "200")
      #expect(try await get("tls-1.3", others) == "tls/certificateUntrusted")
    }

    @Test func aSelfSignedCertificateCanBeItsOwnAuthority() async throws {
      #expect(try await get("self-signed", TLSOptions(authorities: .file(servers.file("self-signed.pem")))) == "200")
    }

    @Test func authoritiesThatCannotBeReadAreAConfigurationFault() async throws {
      for authorities in [
        TLSOptions.PEM.file("/nonexistent/ca.pem"), .file(servers.file("malformed.pem")), .file(servers.file("")),
        .bytes([]), .bytes(Array("not PEM".utf8)), .bytes(Array("-----BEGIN CERTIFICATE-----\n".utf8)),
      ] {
        let outcome = try await get("tls-1.3", TLSOptions(authorities: authorities))
        #expect(outcome == "tls/invalidConfiguration", "\(authorities)")
      }
    }

    /// Tools/Servers/test-http puts an authority of its own among the system's where it may.
    @Test(.enabled(if: Self.ownsSystemAuthorities, "The system's authorities cannot be replaced without privileges."))
    func authoritiesReplaceThoseOfTheSystem() async throws {
      #expect(try await get("system", TLSOptions()) == "200")
      #expect(try await get("system", servers.trust) == "tls/certificateUntrusted")
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: servers.file("ca.pem"))))
      #expect(try await get("system", TLSOptions(authorities: .bytes(bytes))) == "tls/certificateUntrusted")
    }

    private static let ownsSystemAuthorities = ProcessInfo.processInfo.environment["ALMANAC_TEST_AUTHORITIES"] != nil

    // MARK: Client certificates

    private func client(_ certificate: String, _ key: String, password: String? = nil) -> TLSOptions.ClientCertificate {
      TLSOptions.ClientCertificate(
        certificate: .file(servers.file(certificate)), key: .file(servers.file(key)), password: password)
    }

    private func name(_ server: String, _ client: TLSOptions.ClientCertificate?) async throws -> String {
      var tls = servers.trust
      tls.clientCertificate = client
      let http = CurlTransport(tls: tls, proxy: .none)
      let request = HTTPRequest(.get, try servers.url(server), timeout: .seconds(5))
      do {
        return try await http.send(request).text
      } catch let error as TransportError {
        return error.outcome
      }
    }

    @Test(arguments: ["client-certificate-1.2", "client-certificate-1.3"])
    func aClientCertificateIsShown(server: String) async throws {
      #expect(try await name(server, client("client.pem", "client.key")) == "client")
      let encrypted = client("client.pem", "client-encrypted.key", password: "correct")
      #expect(try await name(server, encrypted) == "client")
      func bytes(_ name: String) throws -> TLSOptions.PEM {
        .bytes(Array(try Data(contentsOf: URL(fileURLWithPath: servers.file(name)))))
      }
      let certificate = TLSOptions.ClientCertificate(certificate: try bytes("client.pem"), key: try bytes("client.key"))
      #expect(try await name(server, certificate) == "client")
    }

    @Test(arguments: ["client-certificate-1.2", "client-certificate-1.3"])
    func aClientCertificateThatIsMissingOrWrongIsATLSFault(server: String) async throws {
      for _ in 1...5 {
        let outcomes = [
          try await name(server, nil), try await name(server, client("other-client.pem", "other-client.key")),
        ]
        #expect(outcomes == ["tls/handshake", "tls/handshake"])
      }
    }

    @Test func streamsReportAMissingClientCertificateAlike() async throws {
      let http = CurlTransport(tls: servers.trust, proxy: .none)
      let request = HTTPRequest(.post, try servers.url("client-certificate-1.3"), timeout: .seconds(5))
      let body = BodyStream([UInt8](repeating: 0x61, count: 1 << 20))
      let error = await #expect(throws: TransportError.self) { try await http.stream(request, body: body) }
      // The server ends the connection while it is being written to, so that its alert may be lost.
      #expect([.tls, .connectionLost].contains(error?.code))
    }

    @Test func aClientCertificateThatCannotBeUsedIsAConfigurationFault() async throws {
      for client in [
        client("client.pem", "other-client.key"), client("client.pem", "malformed.key"),
        client("malformed.pem", "client.key"), client("nonexistent.pem", "client.key"),
        client("client.pem", "nonexistent.key"), client("client.pem", "client-encrypted.key"),
        client("client.pem", "client-encrypted.key", password: "wrong"),
        TLSOptions.ClientCertificate(certificate: .bytes([]), key: .bytes([])),
        TLSOptions.ClientCertificate(certificate: .bytes([1, 2, 3]), key: .bytes([0])),
      ] {
        let outcome = try await name("client-certificate-1.3", client)
        #expect(outcome == "tls/invalidConfiguration", "\(client)")
      }
    }
  }
}
