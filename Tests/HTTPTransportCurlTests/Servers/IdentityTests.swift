// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import Testing

extension ServerTests {
  /// The client certificate that a server sees after its file changed.
  @Suite struct IdentityTests {
    private let servers: Servers

    init() throws { servers = try Servers() }

    @Test(arguments: ["identity-1.2", "identity-1.3"])
    func aChangedIdentityIsSeenAtTheNextConnection(server: String) async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: String.unique())
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let (certificate, key) = (folder.appending(path: "client.pem"), folder.appending(path: "client.key"))
      var tls = servers.trust
      tls.clientCertificate = TLSOptions.ClientCertificate(
        certificate: .file(certificate.path), key: .file(key.path))
      let http = CurlTransport(tls: tls, proxy: .none)
      for round in 0..<20 {
        let name = round % 2 == 0 ? "client" : "second-client"
        try Data(contentsOf: URL(filePath: servers.file("\(name).pem"))).write(to: certificate, options: .atomic)
        try Data(contentsOf: URL(filePath: servers.file("\(name).key"))).write(to: key, options: .atomic)
        let response = try await http.send(HTTPRequest(.get, servers.url(server)))
        #expect(response.text == "\(name) new")
      }
    }
  }
}
