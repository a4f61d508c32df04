// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Testing

/// From where hosts can be reached, by their names and addresses.
@Suite struct OriginReachTests {
  @Test(
    arguments: [
      ("example.com", .everywhere), ("8.8.8.8", .everywhere), ("172.32.0.1", .everywhere),
      ("100.128.0.1", .everywhere), ("[2001:4860:4860::8888]", .everywhere), ("10.example.com", .everywhere),
      ("localhost.example.com", .everywhere), ("internal.example.com", .everywhere), ("fe80.example", .everywhere),

      ("localhost", .machine), ("LOCALHOST.", .machine), ("a.b.localhost", .machine), ("127.0.0.1", .machine),
      ("127.255.0.3", .machine), ("0.0.0.0", .machine), ("[::1]", .machine), ("[::]", .machine),
      ("[::ffff:127.0.0.1]", .machine), ("[::ffff:7f00:1]", .machine), ("[::127.0.0.1]", .machine),
      ("[0:0:0:0:0:0:0:1]", .machine), ("[64:ff9b::7f00:1]", .machine), ("[2002:7f00:1::]", .machine),

      ("169.254.169.254", .link), ("[fe80::1]", .link), ("[fe80::1%25eth0]", .link), ("[febf::1]", .link),
      ("[::ffff:169.254.169.254]", .link), ("168.63.129.16", .link), ("[::ffff:168.63.129.16]", .link),
      ("168.63.129.17", .everywhere),

      ("10.0.0.1", .network), ("172.16.0.1", .network), ("172.31.255.255", .network), ("192.168.1.1", .network),
      ("100.64.0.1", .network), ("100.127.255.255", .network), ("[fc00::1]", .network), ("[fd20:ce::254]", .network),
      ("[::ffff:10.0.0.1]", .network), ("printer.local", .network), ("metadata.google.internal", .network),
      ("router.home.arpa", .network), ("localhost.localdomain", .network), ("intranet", .network),
      ("ip6-localhost", .network), ("nas.lan", .network), ("sso.example.corp", .network),
      ("localhost6.localdomain6", .network),
      // The names of clusters, containers and service discovery.
      ("kubernetes.default.svc", .network), ("KUBERNETES.default.svc.", .network),
      ("vault.prod.svc.cluster.local", .network),
      ("vault.service.consul", .network), ("api.docker", .network), ("host.docker.internal", .network),
      ("web.dns.podman", .network), ("api.nomad", .network), ("db.lxd", .network),
      // IANA's registry of special-use domain names, and names that were never delegated.
      ("ldap.private", .network), ("login.test", .network), ("login.invalid", .network), ("exchange.mail", .network),
      ("router.intranet", .network), ("printer.home", .network),
      ("service.onion", .unknown), ("name.alt", .unknown), ("name.i2p", .unknown),
      ("1.0.0.127.in-addr.arpa", .unknown), ("ipv4only.arpa", .unknown), ("_dns.resolver.arpa", .unknown),
      ("service.arpa", .unknown), ("home.arpa.example.com", .everywhere),
      // Delegated, or for documents.
      ("docker.com", .everywhere), ("svc.example.com", .everywhere), ("test.example", .everywhere),
      ("consul.io", .everywhere), ("host.private.example", .everywhere),

      ("224.0.0.1", .unknown), ("255.255.255.255", .unknown), ("192.0.0.192", .unknown), ("198.18.0.1", .unknown),
      ("[ff02::1]", .unknown), ("[fec0::1]", .unknown), ("[100::1]", .unknown),
      ("[2001::1]", .unknown), ("[2001:1ff::1]", .unknown), ("[2001:200::1]", .everywhere),
      // Spellings that some programs read as 127.0.0.1.
      ("127.1", .unknown), ("2130706433", .unknown), ("0x7f000001", .unknown), ("0177.0.0.1", .unknown),
      ("127.0.0.01", .unknown), ("127.0.0.0x1", .unknown), ("1.2.3.4.5", .unknown), ("%EF%BC%91.0.0.1", .unknown),
      ("%E2%93%9Bocalhost", .unknown),
      // Spellings that libcurl reads as localhost, by dropping a dot or by decoding.
      ("localhost..", .unknown), ("a..localhost", .unknown), (".", .unknown), ("a.example%252elocalhost", .unknown),
    ] as [(String, Origin.Reach)])
  func hostsAreToldApart(host: String, reach: Origin.Reach) throws {
    #expect(try #require(Origin("https://\(host)/path")).reach == reach)
  }
}
