// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportURLSession
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The meaning of a session's errors.
@Suite struct SessionErrorTests {
  private typealias Meaning = (code: TransportError.Code, reason: TransportError.Reason?)

  private func meaning(_ code: URLError.Code, _ text: String = "", hasHead: Bool = false, isShort: Bool = false)
    -> Meaning
  {
    let error = URLError(code, userInfo: text.isEmpty ? [:] : [NSLocalizedDescriptionKey: text])
    let result = TransportError(error, server: Origin("https://a.example"), hasHead: hasHead, isShort: isShort)
    #expect(result.message.contains("https://a.example"))
    #expect((result.cause as? URLError)?.code == code)
    return (result.code, result.reason)
  }

  @Test(
    arguments: [
      (.cannotFindHost, .unreachable, .unknownHost), (.dnsLookupFailed, .unreachable, .unknownHost),
      (.notConnectedToInternet, .unreachable, .noRoute), (.internationalRoamingOff, .unreachable, .noRoute),
      (.callIsActive, .unreachable, .noRoute), (.dataNotAllowed, .unreachable, .noRoute),
      (.secureConnectionFailed, .tls, .handshake), (.serverCertificateHasBadDate, .tls, .certificateExpired),
      (.serverCertificateNotYetValid, .tls, .certificateExpired),
      (.serverCertificateUntrusted, .tls, .certificateUntrusted),
      (.serverCertificateHasUnknownRoot, .tls, .certificateUntrusted), (.clientCertificateRejected, .tls, .handshake),
      (.clientCertificateRequired, .tls, .handshake), (.cannotDecodeRawData, .protocolViolation, .malformedEncoding),
      (.cannotDecodeContentData, .protocolViolation, .malformedEncoding),
      (.cannotParseResponse, .protocolViolation, .malformedHead), (.badURL, .invalidRequest, nil),
      (.appTransportSecurityRequiresSecureConnection, .invalidRequest, nil),
    ] as [(URLError.Code, TransportError.Code, TransportError.Reason?)], [false, true])
  func codeMeansTheSameWheneverItComes(
    _ row: (URLError.Code, TransportError.Code, TransportError.Reason?), _ hasHead: Bool
  ) {
    #expect(meaning(row.0, hasHead: hasHead) == (row.1, row.2))
    #expect(meaning(row.0, hasHead: hasHead, isShort: true) == (.truncated, nil))
  }

  @Test func whatItMeansMayDependOnTheHead() {
    #expect(meaning(.timedOut) == (.timedOut, nil))
    #expect(meaning(.timedOut, hasHead: true) == (.timedOut, .receiving))
    for code in [URLError.Code.networkConnectionLost, .cancelled, .resourceUnavailable] {
      #expect(meaning(code) == (.connectionLost, nil))
      #expect(meaning(code, hasHead: true) == (.truncated, nil))
    }
  }

  @Test(
    arguments: [
      ("certificate has expired", .certificateExpired), ("certificate is not yet valid", .certificateExpired),
      ("The name does not match the target", .certificateWrongHost),
      ("no alternative certificate subject name matches", .certificateWrongHost),
      ("self-signed certificate", .certificateUntrusted), ("self signed certificate", .certificateUntrusted),
      ("unable to get local issuer certificate", .certificateUntrusted),
      ("the certificate was revoked", .certificateRevoked), ("wrong version number", .handshake),
      ("alert handshake failure", .handshake), ("something else", .certificateUntrusted),
    ] as [(String, TransportError.Reason)])
  func textNamesTheFaultOfACertificate(_ text: String, _ reason: TransportError.Reason) {
    #expect(meaning(.serverCertificateUntrusted, text) == (.tls, reason))
    #if canImport(FoundationNetworking)
      let isCertain = reason != .certificateUntrusted || text.contains("certificate")
      #expect(meaning(.unknown, "SSL: \(text)") == (.tls, isCertain ? reason : nil))
    #endif
  }

  #if canImport(FoundationNetworking)
    /// The texts are libcurl's; the reason with a head and without one.
    @Test(
      arguments: [
        ("Transfer closed with 3 bytes remaining", (.truncated, nil), (.truncated, nil)),
        ("end of response with 3 bytes missing", (.truncated, nil), (.truncated, nil)),
        ("Too large response headers: 307201 > 307200", (.tooLarge, .head), (.tooLarge, .head)),
        ("Out of memory", (.tooLarge, .head), (.tooLarge, .head)),
        (
          "Illegal or missing hexadecimal sequence in chunked-encoding", (.protocolViolation, .malformedFraming),
          (.protocolViolation, .malformedFraming)
        ),
        (
          "Unrecognized content encoding type", (.protocolViolation, .malformedEncoding),
          (.protocolViolation, .malformedEncoding)
        ),
        ("SSL connect error", (.tls, nil), (.protocolViolation, nil)),
        ("GnuTLS recv error", (.tls, nil), (.protocolViolation, nil)),
        ("problem with the certificate", (.tls, nil), (.protocolViolation, nil)),
        ("Could not resolve proxy: p.example", (.unreachable, .proxy), (.protocolViolation, nil)),
        (
          "Failed to connect to a.example port 1: Connection refused", (.unreachable, .connectionRefused),
          (.protocolViolation, nil)
        ),
        ("Couldn't connect to server", (.unreachable, nil), (.protocolViolation, nil)),
        ("Failed to connect: No route to host", (.unreachable, .noRoute), (.protocolViolation, nil)),
        ("Failed to connect: Network is unreachable", (.unreachable, .noRoute), (.protocolViolation, nil)),
        ("necessary data rewind was not possible", (.connectionLost, nil), (.protocolViolation, nil)),
        ("Weird server reply", (.protocolViolation, .malformedHead), (.protocolViolation, nil)),
        ("an end of response", (.protocolViolation, .malformedHead), (.protocolViolation, nil)),
      ] as [(String, (TransportError.Code, TransportError.Reason?), (TransportError.Code, TransportError.Reason?))])
    func textOfAnUnknownErrorDecides(
      _ text: String, _ before: (TransportError.Code, TransportError.Reason?),
      _ after: (TransportError.Code, TransportError.Reason?)
    ) {
      #expect(meaning(.unknown, text) == before)
      #expect(meaning(.unknown, text, hasHead: true) == after)
    }

    @Test(
      arguments: [
        (.cannotConnectToHost, "Failed to connect: Connection refused", .unreachable, .connectionRefused),
        (.cannotConnectToHost, "Failed to connect: No route to host", .unreachable, .noRoute),
        (.cannotConnectToHost, "Failed to connect", .unreachable, nil),
        (.cannotConnectToHost, "Connection was reset", .connectionLost, nil),
        (.badServerResponse, "", .connectionLost, nil),
        (.unsupportedURL, "", .protocolViolation, .malformedHead),
      ] as [(URLError.Code, String, TransportError.Code, TransportError.Reason?)])
    func connectionThatFailsIsToldFromOneThatIsLost(
      _ code: URLError.Code, _ text: String, _ meant: TransportError.Code, _ reason: TransportError.Reason?
    ) {
      #expect(meaning(code, text) == (meant, reason))
    }

    // MARK: The environment

    @Test(
      arguments: [
        ([:], nil), (["no_proxy": "a"], nil), (["http_proxy": ""], nil), (["HTTP_PROXY": "p"], nil),
        (["http_proxy": "p"], "x,y"), (["https_proxy": "p"], "x,y"), (["HTTPS_PROXY": "p"], "x,y"),
        (["all_proxy": "p"], "x,y"), (["ALL_PROXY": "p"], "x,y"),
        (["http_proxy": "p", "no_proxy": "a, b"], "a,b,x,y"), (["http_proxy": "p", "NO_PROXY": "a"], "a,x,y"),
        (["http_proxy": "p", "no_proxy": "a", "NO_PROXY": "b"], "a,x,y"),
        (["http_proxy": "p", "no_proxy": "x"], "x,y"),
        (["http_proxy": "p", "no_proxy": "", "NO_PROXY": "b"], "x,y"), (["http_proxy": "p", "no_proxy": "y x"], nil),
        (["http_proxy": "p", "no_proxy": "*"], nil), (["http_proxy": "p", "no_proxy": "*,a"], "*,a,x,y"),
      ] as [([String: String], String?)])
    func hostsAreAddedToTheListThatCounts(_ environment: [String: String], _ list: String?) {
      #expect(ProxyExemption.noProxy(adding: ["x", "y"], in: environment) == list)
    }
  #endif
}
