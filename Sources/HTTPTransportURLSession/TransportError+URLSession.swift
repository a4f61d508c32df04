// SPDX-License-Identifier: Apache-2.0

package import HTTPTransport

#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
#else
  import Foundation
#endif

extension TransportError {
  /// Creates the error for a session's error, as precisely as the platform allows.
  ///
  /// Linux has one code, `unknown`, for most errors distinguished by libcurl. There, libcurl's text decides.
  ///
  /// - Parameters:
  ///   - hasHead: Whether the head of the response had arrived.
  ///   - isShort: Whether the body so far is shorter than its length.
  package init(_ error: any Error, server: Origin?, hasHead: Bool, isShort: Bool) {
    let (code, reason): (Code, Reason?) =
      if isShort {
        (.truncated, nil)
      } else {
        Self.fault((error as? URLError)?.code, text: error.localizedDescription.lowercased(), hasHead: hasHead)
      }
    self = .fault(code, reason, at: server, cause: error)
  }

  private static func fault(_ code: URLError.Code?, text: String, hasHead: Bool) -> (Code, Reason?) {
    switch code {
    case .timedOut: (.timedOut, hasHead ? .receiving : nil)
    case .cannotFindHost, .dnsLookupFailed: (.unreachable, .unknownHost)
    case .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed: (.unreachable, .noRoute)
    case .secureConnectionFailed: (.tls, .handshake)
    case .serverCertificateHasBadDate, .serverCertificateNotYetValid: (.tls, .certificateExpired)
    case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot: (.tls, tlsReason(text) ?? .certificateUntrusted)
    case .clientCertificateRejected, .clientCertificateRequired: (.tls, .handshake)
    case .cannotDecodeRawData, .cannotDecodeContentData: (.protocolViolation, .malformedEncoding)
    case .cannotParseResponse: (.protocolViolation, .malformedHead)
    case .badURL, .appTransportSecurityRequiresSecureConnection: (.invalidRequest, nil)
    #if canImport(FoundationNetworking)
      case .cannotConnectToHost:
        // One of several addresses may have refused before another one took the request.
        isFailureToConnect(text) ? (.unreachable, connectReason(text)) : (.connectionLost, nil)
      case .badServerResponse: (.connectionLost, nil)  // "Empty reply from server"
      case .unsupportedURL: (.protocolViolation, .malformedHead)  // HTTP/0.9; the scheme is checked before
      case .unknown: fault(text: text, hasHead: hasHead)
    #else
      case .cannotConnectToHost: (.unreachable, nil)
      case .badServerResponse: (.protocolViolation, nil)
      case .unsupportedURL: (.invalidRequest, nil)
    #endif
    default: (hasHead ? .truncated : .connectionLost, nil)
    }
  }

  #if canImport(FoundationNetworking)
    private static func fault(text: String, hasHead: Bool) -> (Code, Reason?) {
      if text.hasPrefix("transfer closed") || text.hasPrefix("end of response") { return (.truncated, nil) }
      // libcurl has limits of its own: 100 KB for a line, 300 KB for all of them.
      if text.hasPrefix("too large response headers") || text.hasPrefix("out of memory") { return (.tooLarge, .head) }
      if text.contains("chunked-encoding") { return (.protocolViolation, .malformedFraming) }
      if text.contains("encoding") { return (.protocolViolation, .malformedEncoding) }
      if hasHead { return (.protocolViolation, nil) }
      if ["ssl", "tls", "certificate"].contains(where: text.contains) { return (.tls, tlsReason(text)) }
      if text.contains("resolve proxy") { return (.unreachable, .proxy) }
      if isFailureToConnect(text) { return (.unreachable, connectReason(text)) }
      if text.contains("rewind") { return (.connectionLost, nil) }
      return (.protocolViolation, .malformedHead)
    }

    private static func isFailureToConnect(_ text: String) -> Bool {
      text.hasPrefix("failed to connect") || text.contains("couldn't connect to")
    }

    private static func connectReason(_ text: String) -> Reason? {
      if text.contains("refused") { return .connectionRefused }
      return text.contains("no route") || text.contains("unreachable") ? .noRoute : nil
    }
  #endif

  private static func tlsReason(_ text: String) -> Reason? {
    if text.contains("expired") || text.contains("not yet valid") { return .certificateExpired }
    if text.contains("does not match") || text.contains("no alternative certificate") { return .certificateWrongHost }
    if text.contains("self-signed") || text.contains("self signed") || text.contains("issuer") {
      return .certificateUntrusted
    }
    if text.contains("revoked") { return .certificateRevoked }
    return text.contains("wrong version number") || text.contains("handshake") ? .handshake : nil
  }
}
