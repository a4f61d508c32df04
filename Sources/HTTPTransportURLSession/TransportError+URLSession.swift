import HTTPTransport

#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
#else
  import Foundation
#endif

extension TransportError {
  /// What a session's error means, as far as the platform tells.
  ///
  /// Linux has one code, `unknown`, for most of what libcurl tells apart; there libcurl's text has to decide.
  ///
  /// - Parameter answer: What had come of the answer before the error, if its head had.
  init(_ error: any Error, request: HTTPRequest, answer: HTTPResponse?) {
    let code: Code =
      if let answer, answer.isShorterThanAnnounced(for: request.method) {
        .truncated
      } else {
        Self.code((error as? URLError)?.code, text: error.localizedDescription, hasAnswer: answer != nil)
      }
    self.init(code, Self.message(code, request), cause: error)
  }

  static func truncated(_ request: HTTPRequest) -> TransportError {
    TransportError(.truncated, message(.truncated, request))
  }

  static func notHTTP(_ request: HTTPRequest) -> TransportError {
    TransportError(.protocolViolation, message(.protocolViolation, request))
  }

  private static func code(_ code: URLError.Code?, text: String, hasAnswer: Bool) -> Code {
    switch code {
    case .timedOut: .timedOut
    case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .internationalRoamingOff,
      .callIsActive, .dataNotAllowed:
      .unreachable
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired:
      .tls
    case .cannotDecodeRawData, .cannotDecodeContentData, .cannotParseResponse: .protocolViolation
    case .badURL, .appTransportSecurityRequiresSecureConnection: .invalidRequest
    #if canImport(FoundationNetworking)
      case .badServerResponse: .connectionLost  // "Empty reply from server"
      case .unsupportedURL: .protocolViolation  // "Received HTTP/0.9 when not allowed"; the scheme is checked before
      case .unknown: codeOfText(text.lowercased(), hasAnswer: hasAnswer)
    #else
      case .badServerResponse: .protocolViolation
      case .unsupportedURL: .invalidRequest
    #endif
    default: hasAnswer ? .truncated : .connectionLost
    }
  }

  #if canImport(FoundationNetworking)
    private static func codeOfText(_ text: String, hasAnswer: Bool) -> Code {
      if text.hasPrefix("transfer closed") || text.hasPrefix("end of response") { return .truncated }
      if hasAnswer { return .protocolViolation }  // a malformed chunk or content encoding
      if ["ssl", "tls", "certificate"].contains(where: text.contains) { return .tls }
      if text.contains("resolve proxy") { return .unreachable }
      if text.contains("rewind") { return .connectionLost }
      return .protocolViolation  // a malformed header field
    }
  #endif

  private static func message(_ code: Code, _ request: HTTPRequest) -> String {
    let server = Origin(request.url)?.description ?? "the server"
    return switch code {
    case .timedOut: "\(server) did not answer in time. Try again later."
    case .unreachable: "\(server) cannot be reached. Check the address and the network."
    case .tls:
      "A trusted TLS connection to \(server) could not be set up. Check its certificate and this machine's clock."
    case .truncated: "The answer of \(server) ended before its announced end. Try again."
    case .protocolViolation: "What \(server) answered is not valid HTTP."
    case .invalidRequest: "The platform refuses to send a request to this address: \(server)."
    default: "The connection to \(server) was lost before an answer came. The request may have been carried out."
    }
  }
}
