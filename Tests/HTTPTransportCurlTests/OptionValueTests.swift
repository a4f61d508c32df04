// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import CLibcurlFaults
  import Foundation
  import HTTPTransport
  import HTTPTransportCurl
  import TestSupport
  import Testing
  import TransportKit

  /// The options of libcurl that no server can observe.
  ///
  /// They are recorded for the whole process, so each test has one of its own.
  @Suite(.takesTurns) struct OptionValueTests {
    /// The options that an exchange sets, with their values.
    private static func options(
      _ http: CurlTransport, _ request: HTTPRequest, isStreamed: Bool = false
    ) async -> Set<String> {
      libcurl_record()
      if isStreamed {
        _ = try? await http.stream(request, body: nil).body.bytes(upTo: 9)
      } else {
        _ = try? await http.send(request)
      }
      return Set(unsafe String(cString: libcurl_recorded()).split(separator: "\n").map(String.init))
    }

    private static let unreachable = URL(literal: "https://127.0.0.1:1/")

    @Test func everyTransferHasTheSafeOptions() async {
      await #expect(processExitsWith: .success) {
        let server = try HostileServer(.response(200, body: "ok"))
        defer { server.stop() }
        let direct = CurlTransport(proxy: .none)
        let proxied = CurlTransport(
          proxy: .url("http://127.0.0.1:\(server.port)", except: ["x.test", "y.test"]), accepting: [])
        let origin = HTTPRequest(.get, URL(literal: "http://origin.test/"))
        for (name, options, proxy, exceptions) in [
          ("HTTP", await Self.options(direct, HTTPRequest(.get, server.url())), "", ""),
          ("stream", await Self.options(direct, HTTPRequest(.get, server.url()), isStreamed: true), "", ""),
          ("HTTPS", await Self.options(direct, HTTPRequest(.get, Self.unreachable)), "", ""),
          ("proxy", await Self.options(proxied, origin), "http://127.0.0.1:\(server.port)", "x.test,y.test"),
        ] {
          let expected: Set = [
            "PROTOCOLS_STR=http,https", "PATH_AS_IS=1", "NOSIGNAL=1", "QUICK_EXIT=1", "TCP_KEEPALIVE=1",
            "SUPPRESS_CONNECT_HEADERS=1", "NOPROGRESS=0", "PROXY=\(proxy)", "NOPROXY=\(exceptions)",
          ]
          #expect(options.isSuperset(of: expected), "\(name): \(expected.subtracting(options).sorted())")
          // Redirects, cookies and the user's configuration are not libcurl's, and it verifies certificates by default.
          let forbidden = [
            "FOLLOWLOCATION", "COOKIEFILE", "COOKIEJAR", "NETRC", "SSL_VERIFYPEER", "SSL_VERIFYHOST",
            "PROXY_SSL_VERIFYPEER", "PROXY_SSL_VERIFYHOST",
          ]
          for option in forbidden { #expect(!options.contains { $0.hasPrefix("\(option)=") }, "\(name): \(option)") }
        }
      }
    }

    /// A transfer that may use HTTP/2 shares no connection with one that may not.
    @Test func secureTransfersHaveTheirVersions() async {
      await #expect(processExitsWith: .success) {
        let http = CurlTransport(proxy: .none)
        let request = HTTPRequest(.get, Self.unreachable)
        let (tls12, tls12AndTLS13) = (6, 6 | 7 << 16)  // CURL_SSLVERSION_TLSv1_2, CURL_SSLVERSION_MAX_TLSv1_3
        let (http11, http2) = (2, 4)  // CURL_HTTP_VERSION_1_1, CURL_HTTP_VERSION_2TLS
        let whole = await Self.options(http, request)
        let streamed = await Self.options(http, request, isStreamed: true)
        for options in [whole, streamed] {
          #expect(options.isSuperset(of: ["PROXY_SSLVERSION=\(tls12)", "SSL_SESSIONID_CACHE=0"]))
        }
        #expect(whole.isSuperset(of: ["HTTP_VERSION=\(http2)", "PIPEWAIT=1", "SSLVERSION=\(tls12)"]))
        #expect(streamed.isSuperset(of: ["HTTP_VERSION=\(http11)", "SSLVERSION=\(tls12AndTLS13)"]))
        #expect(!streamed.contains("PIPEWAIT=1"))
      }
    }

    /// With the caller's authorities, libcurl trusts no other, neither of the server nor of the proxy.
    @Test func ownAuthoritiesReplaceTheSystems() async {
      await #expect(processExitsWith: .success) {
        let bytes = TLSOptions.PEM.bytes(Array("x".utf8))
        let file = TLSOptions.PEM.file("/nonexistent.pem")
        let request = HTTPRequest(.get, Self.unreachable)
        let ofFile = await Self.options(
          CurlTransport(
            tls: TLSOptions(
              authorities: file, clientCertificate: .init(certificate: bytes, key: file, password: "secret")),
            proxy: .none), request)
        let expected: Set = [
          "CAINFO=/nonexistent.pem", "PROXY_CAINFO=/nonexistent.pem", "CAPATH=NULL", "PROXY_CAPATH=NULL",
          "SSLCERT_BLOB=*", "SSLKEY=/nonexistent.pem", "KEYPASSWD=secret",
        ]
        #expect(ofFile.isSuperset(of: expected), "\(expected.subtracting(ofFile).sorted())")
        let ofBytes = await Self.options(
          CurlTransport(
            tls: TLSOptions(authorities: bytes, clientCertificate: .init(certificate: file, key: bytes)), proxy: .none),
          request)
        #expect(
          ofBytes.isSuperset(of: [
            "CAINFO_BLOB=*", "PROXY_CAINFO_BLOB=*", "SSLCERT=/nonexistent.pem", "SSLKEY_BLOB=*", "CAPATH=NULL",
          ]))
        #expect(!ofBytes.contains { $0.hasPrefix("CAINFO=") || $0.hasPrefix("KEYPASSWD=") })
        let system = await Self.options(CurlTransport(proxy: .none), request)
        #expect(!system.contains { $0.contains("CAINFO") || $0.contains("CAPATH") || $0.hasPrefix("SSLKEY") })
      }
    }
  }
#endif
