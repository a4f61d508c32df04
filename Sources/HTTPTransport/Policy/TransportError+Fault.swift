// SPDX-License-Identifier: Apache-2.0

extension TransportError {
  /// Returns the error for a fault of an exchange with `server`, with the same message for every transport.
  ///
  /// - Parameter server: The origin of the request, or `nil` if unknown.
  package static func fault(
    _ code: Code, _ reason: Reason? = nil, at server: Origin?, cause: (any Error)? = nil
  ) -> TransportError {
    let server = server?.description ?? "the server"
    return TransportError(code, reason: reason, message(code, reason, server), cause: cause)
  }

  private static func message(_ code: Code, _ reason: Reason?, _ server: String) -> String {
    switch code {
    case .unreachable: unreachable(reason, server)
    case .tls: tls(reason, server)
    case .timedOut: timedOut(reason, server)
    case .tooLarge: tooLarge(reason, server)
    case .protocolViolation: protocolViolation(reason, server)
    case .truncated: "The response of \(server) ended before its announced end. Try again."
    case .sendingDeadlinePassed:
      "The request to \(server) was not sent, because its deadline had passed. Send a new request."
    case .invalidRequest: "The platform cannot send a request to this URL: \(server)."
    default: "The connection to \(server) was lost before a response arrived. The request may have been carried out."
    }
  }

  private static func unreachable(_ reason: Reason?, _ server: String) -> String {
    switch reason {
    case .unknownHost: "The host of \(server) cannot be found. Check the name and the network."
    case .connectionRefused: "\(server) refuses connections. Check the port, and that the server is running."
    case .proxy: "The proxy does not connect to \(server). Check the proxy's settings."
    default: "\(server) cannot be reached. Check the URL and the network."
    }
  }

  private static func tls(_ reason: Reason?, _ server: String) -> String {
    switch reason {
    case .certificateExpired:
      "The certificate of \(server) has expired or is not valid yet. Check it and this machine's clock."
    case .certificateWrongHost: "The certificate of \(server) is for another host. Check the URL."
    case .certificateUntrusted:
      "The certificate of \(server) is not signed by a trusted authority. If it is your own, configure its CA file."
    case .certificateRevoked: "The certificate of \(server) has been revoked. Report it to the server's operator."
    case .invalidConfiguration:
      "The CA file, client certificate or key for \(server) cannot be used. Check that they are PEM and belong together."
    default: "A TLS connection to \(server) could not be set up. Check that it supports TLS 1.2 or newer on this port."
    }
  }

  private static func timedOut(_ reason: Reason?, _ server: String) -> String {
    switch reason {
    case .connecting: "Connecting to \(server) timed out. Check the network, or allow more time."
    case .waiting: "\(server) did not respond in time. Try again later, or allow more time."
    case .receiving: "The response of \(server) was not complete in time. Try again later, or allow more time."
    default: "\(server) did not send a complete response in time. Try again later, or allow more time."
    }
  }

  private static func tooLarge(_ reason: Reason?, _ server: String) -> String {
    switch reason {
    case .head:
      "The head of the response of \(server) is larger than the transport's limit. If you expect this size, raise the limit."
    case .encodedBody:
      "The response of \(server) is larger than the transport's limit for encoded bodies. If you expect this size, raise the limit."
    case .expansion:
      "The response of \(server) expands too much to be read in pieces. Request it with Accept-Encoding: identity."
    default: "The response of \(server) is larger than the transport's limit. If you expect this size, raise the limit."
    }
  }

  private static func protocolViolation(_ reason: Reason?, _ server: String) -> String {
    switch reason {
    case .malformedEncoding:
      "The content encoding of the response of \(server) is damaged or unknown. Check the server and any proxy."
    case .malformedFraming:
      "The framing of the response of \(server) is not valid HTTP. Check the server and any proxy."
    default: "The response of \(server) is not valid HTTP. Check the server and any proxy."
    }
  }
}
