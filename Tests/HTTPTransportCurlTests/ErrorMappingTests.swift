// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import CLibcurl
  import CLibcurlFaults
  import Foundation
  import HTTPTransport
  import HTTPTransportCurl
  import TestSupport
  import Testing
  import TransportKit

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// The errors for libcurl's results, with the information that distinguishes them.
  ///
  /// The results hold for the whole process, so it is one of its own.
  @Suite(.takesTurns) struct ErrorMappingTests {
    /// An end of a transfer as libcurl reports it.
    private struct End {
      let result: CURLcode
      var text = ""
      /// Whether the head of a response has arrived.
      var hasHead = false
      var isProxied = false
      var systemError: Int32 = 0
      var proxyStatus = 0
      var verification = 0
      var proxyVerification = 0
      var isConnected = true
      var isSent = true

      /// Reports this end for one exchange, and returns the error's code and reason, or the status.
      func outcome(at server: HostileServer) async throws -> String {
        for (info, number) in [
          (CURLINFO_OS_ERRNO, Int(systemError)), (CURLINFO_HTTP_CONNECTCODE, proxyStatus),
          (CURLINFO_SSL_VERIFYRESULT, verification), (CURLINFO_PROXY_SSL_VERIFYRESULT, proxyVerification),
          (CURLINFO_PRETRANSFER_TIME_T, isConnected ? 1000 : 0), (CURLINFO_REQUEST_SIZE, isSent ? 100 : 0),
        ] { libcurl_report(Int32(bitPattern: info.rawValue), number) }
        unsafe libcurl_end_with(Int32(bitPattern: result.rawValue), text)
        defer { unsafe libcurl_end_with(-1, "") }
        let path = hasHead ? "/head" : "/none"
        let http = CurlTransport(proxy: isProxied ? .url("http://127.0.0.1:\(server.port)") : .none)
        let url = try #require(isProxied ? URL(string: "http://origin.test\(path)") : server.url(path))
        do {
          return "\(try await http.send(HTTPRequest(.get, url)).status)"
        } catch let error as TransportError {
          let cause = error.cause.map { "\($0)" } ?? ""
          #expect(cause.hasSuffix(" (libcurl \(result.rawValue))") || !isSent)
          return "\(error.code)" + (error.reason.map { " \($0)" } ?? "")
        }
      }
    }

    private static let ends: [(End, String)] = [
      (End(result: CURLE_OK, hasHead: true), "200"), (End(result: CURLE_OK), "truncated"),
      (End(result: CURLE_URL_MALFORMAT), "invalidRequest"),
      (End(result: CURLE_COULDNT_RESOLVE_HOST), "unreachable unknownHost"),
      (End(result: CURLE_COULDNT_RESOLVE_PROXY), "unreachable proxy"), (End(result: CURLE_PROXY), "unreachable proxy"),

      // No connection.
      (End(result: CURLE_COULDNT_CONNECT, systemError: ECONNREFUSED), "unreachable connectionRefused"),
      (End(result: CURLE_COULDNT_CONNECT, systemError: ENETUNREACH), "unreachable noRoute"),
      (End(result: CURLE_COULDNT_CONNECT, systemError: EHOSTUNREACH), "unreachable noRoute"),
      (End(result: CURLE_COULDNT_CONNECT, systemError: ENETDOWN), "unreachable noRoute"),
      (End(result: CURLE_COULDNT_CONNECT, systemError: EHOSTDOWN), "unreachable noRoute"),
      (End(result: CURLE_COULDNT_CONNECT, systemError: EADDRNOTAVAIL), "unreachable noRoute"),
      (End(result: CURLE_COULDNT_CONNECT, systemError: EACCES), "unreachable"),
      (End(result: CURLE_COULDNT_CONNECT), "unreachable"),
      (
        End(
          result: CURLE_COULDNT_CONNECT, text: "Failed to connect to 127.0.0.1 port 80 after 1 ms", isProxied: true,
          systemError: ECONNREFUSED), "unreachable proxy"
      ),
      (
        End(
          result: CURLE_COULDNT_CONNECT, text: "Failed to connect to origin.test port 8080 after 1 ms",
          isProxied: true, systemError: ECONNREFUSED), "unreachable proxy"
      ),
      // The exceptions name the host, so the connection is to the server itself.
      (
        End(
          result: CURLE_COULDNT_CONNECT, text: "Failed to connect to origin.test port 80 after 1 ms", isProxied: true,
          systemError: ECONNREFUSED), "unreachable connectionRefused"
      ),

      // The phase of a timeout.
      (End(result: CURLE_OPERATION_TIMEDOUT, isConnected: false), "timedOut connecting"),
      (End(result: CURLE_OPERATION_TIMEDOUT), "timedOut waiting"),
      (End(result: CURLE_OPERATION_TIMEDOUT, hasHead: true, isConnected: false), "timedOut receiving"),

      // Responses that are not HTTP, or too large.
      (End(result: CURLE_UNSUPPORTED_PROTOCOL), "protocolViolation malformedHead"),
      (End(result: CURLE_WEIRD_SERVER_REPLY), "protocolViolation malformedHead"),
      (End(result: CURLE_BAD_FUNCTION_ARGUMENT), "protocolViolation malformedHead"),
      (End(result: CURLE_BAD_FUNCTION_ARGUMENT, hasHead: true), "truncated"),
      (End(result: CURLE_BAD_CONTENT_ENCODING, hasHead: true), "protocolViolation malformedEncoding"),
      (End(result: CURLE_WRITE_ERROR, hasHead: true), "protocolViolation malformedEncoding"),
      (End(result: CURLE_OUT_OF_MEMORY), "tooLarge head"),
      (End(result: CURLE_OUT_OF_MEMORY, isSent: false), "invalidRequest"),
      (End(result: CURLE_FILESIZE_EXCEEDED, hasHead: true), "tooLarge encodedBody"),

      // TLS.
      (End(result: CURLE_PEER_FAILED_VERIFICATION, verification: 10, proxyVerification: 1), "unreachable proxy"),
      (End(result: CURLE_SSL_ISSUER_ERROR), "tls certificateUntrusted"),
      (End(result: CURLE_SSL_INVALIDCERTSTATUS), "tls certificateRevoked"),
      (End(result: CURLE_SSL_CERTPROBLEM), "tls invalidConfiguration"),
      (End(result: CURLE_SSL_CACERT_BADFILE), "tls invalidConfiguration"),
      (End(result: CURLE_SSL_CRL_BADFILE), "tls invalidConfiguration"),
      (End(result: CURLE_SSL_CONNECT_ERROR), "tls handshake"), (End(result: CURLE_SSL_CIPHER), "tls handshake"),
      (End(result: CURLE_SSL_ENGINE_INITFAILED), "tls handshake"),
      (End(result: CURLE_SSL_PINNEDPUBKEYNOTMATCH), "tls handshake"),
      (End(result: CURLE_SSL_CLIENTCERT), "tls handshake"),
      (End(result: CURLE_USE_SSL_FAILED), "tls handshake"),

      // Connections that break, and what libcurl reports in the same way.
      (End(result: CURLE_RECV_ERROR), "connectionLost"), (End(result: CURLE_SEND_ERROR), "connectionLost"),
      (End(result: CURLE_RECV_ERROR, isConnected: false), "unreachable"),
      (End(result: CURLE_RECV_ERROR, isProxied: true, isConnected: false), "unreachable proxy"),
      (End(result: CURLE_RECV_ERROR, hasHead: true), "truncated"),
      (End(result: CURLE_RECV_ERROR, proxyStatus: 407), "unreachable proxy"),
      (End(result: CURLE_SEND_ERROR, proxyStatus: 502), "unreachable proxy"),
      (End(result: CURLE_RECV_ERROR, proxyStatus: 199), "unreachable proxy"),
      (End(result: CURLE_RECV_ERROR, proxyStatus: 200), "connectionLost"),
      (End(result: CURLE_RECV_ERROR, proxyStatus: 299), "connectionLost"),
      (
        End(result: CURLE_RECV_ERROR, text: "Malformed encoding in chunked-encoding", hasHead: true),
        "protocolViolation malformedFraming"
      ),
      (End(result: CURLE_RECV_ERROR, text: "Out of memory in chunked-encoding", hasHead: true), "tooLarge head"),
      (End(result: CURLE_RECV_ERROR, text: "tlsv13 alert certificate required"), "tls handshake"),
      (End(result: CURLE_RECV_ERROR, text: "tlsv1 alert unknown ca"), "tls handshake"),
      (End(result: CURLE_SEND_ERROR, text: "sslv3 alert access denied"), "tls handshake"),
      (End(result: CURLE_RECV_ERROR, text: "tlsv1 alert internal error"), "connectionLost"),
      (End(result: CURLE_RECV_ERROR, text: "the certificate of an unknown ca"), "connectionLost"),
      (End(result: CURLE_RECV_ERROR, text: "tlsv1 alert unknown ca", hasHead: true), "truncated"),
      (
        End(result: CURLE_HTTP2_STREAM, text: "stream 1 was not closed cleanly: PROTOCOL_ERROR"),
        "protocolViolation malformedHead"
      ),
      (End(result: CURLE_HTTP2_STREAM, text: "PROTOCOL_ERROR", hasHead: true), "truncated"),
      (End(result: CURLE_HTTP2_STREAM, text: "stream 1 was not closed cleanly: CANCEL"), "connectionLost"),
      (End(result: CURLE_HTTP2), "connectionLost"), (End(result: CURLE_HTTP2, hasHead: true), "truncated"),
      (End(result: CURLE_GOT_NOTHING), "connectionLost"), (End(result: CURLE_PARTIAL_FILE, hasHead: true), "truncated"),
      (End(result: CURLE_GOT_NOTHING, isConnected: false), "unreachable"),
    ]

    /// The reasons for a rejected certificate, by the number that X509_verify_cert_error_string(3) lists.
    private static func reason(_ number: Int) -> String {
      switch number {
      case 0, 1, 62...64: "certificateWrongHost"
      case 9...14: "certificateExpired"
      case 23: "certificateRevoked"
      default: "certificateUntrusted"
      }
    }

    @Test func resultHasItsError() async {
      await #expect(processExitsWith: .success) {
        let server = try HostileServer { request in
          request.target.hasSuffix("/head") ? [.response(200, body: "ok")] : [.close]
        }
        defer { server.stop() }
        for (end, expected) in Self.ends {
          let outcome = try await end.outcome(at: server)
          #expect(outcome == expected, "\(end)")
        }
        for number in [0, 1, 2, 8, 9, 10, 11, 12, 13, 14, 15, 18, 20, 22, 23, 24, 61, 62, 63, 64, 65] {
          let end = End(result: CURLE_PEER_FAILED_VERIFICATION, verification: number)
          let outcome = try await end.outcome(at: server)
          #expect(outcome == "tls \(Self.reason(number))", "\(number)")
        }
      }
    }
  }
#endif
