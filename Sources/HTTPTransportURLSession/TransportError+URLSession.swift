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
  /// Linux has one code, `unknown`, for most of what libcurl tells apart; there the text is libcurl's and decides.
  ///
  /// - Parameter response: The head of the answer, if it had come before the error.
  init(_ error: any Error, request: HTTPRequest, response: HTTPURLResponse?) {
    let fault = error as? URLError
    let code = Self.code(fault?.code, text: error.localizedDescription, hasResponse: response != nil)
    self.init(code, Self.message(code, request), cause: error)
  }

  static func truncated(_ request: HTTPRequest) -> TransportError {
    TransportError(.truncated, message(.truncated, request))
  }

  static func notHTTP(_ request: HTTPRequest) -> TransportError {
    TransportError(.protocolViolation, message(.protocolViolation, request))
  }

  private static func code(_ code: URLError.Code?, text: String, hasResponse: Bool) -> Code {
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
      case .unknown: codeOfText(text.lowercased(), hasResponse: hasResponse)
    #else
      case .badServerResponse: .protocolViolation
      case .unsupportedURL: .invalidRequest
    #endif
    default: hasResponse ? .truncated : .connectionLost
    }
  }

  #if canImport(FoundationNetworking)
    private static func codeOfText(_ text: String, hasResponse: Bool) -> Code {
      if text.hasPrefix("transfer closed") { return .truncated }
      if hasResponse { return .protocolViolation }  // a malformed chunk or content encoding
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
