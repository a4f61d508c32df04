import CLibcurl
import HTTPTransport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension EasyHandle {
  /// How far an exchange has come that ran out of time.
  func phase(_ receiver: ResponseReceiver) -> TransportError.Reason {
    if receiver.isHeadComplete { return .receiving }
    return size(CURLINFO_PRETRANSFER_TIME_T) == 0 ? .connecting : .waiting
  }
}

extension TransportError {
  /// What libcurl's result means; `nil` if it means a complete response.
  init?(_ result: CURLcode, _ handle: EasyHandle, _ receiver: ResponseReceiver, at origin: Origin?) {
    guard result != CURLE_OK || !receiver.isHeadComplete else { return nil }
    let (code, reason) = Self.meaning(of: result, handle, receiver)
    self = .fault(code, reason, at: origin, cause: CurlError(code: result))
  }

  private static func meaning(
    of result: CURLcode, _ handle: EasyHandle, _ receiver: ResponseReceiver
  ) -> (Code, Reason?) {
    switch result {
    // libcurl takes a head that the end of the connection cuts off for a complete one.
    case CURLE_OK: (.truncated, nil)
    case CURLE_URL_MALFORMAT: (.invalidRequest, nil)
    case CURLE_COULDNT_RESOLVE_HOST: (.unreachable, .unknownHost)
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: (.unreachable, .proxy)
    case CURLE_COULDNT_CONNECT: (.unreachable, connectReason(handle.long(CURLINFO_OS_ERRNO)))
    case CURLE_OPERATION_TIMEDOUT: (.timedOut, handle.phase(receiver))
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: (.protocolViolation, .malformedHead)
    case CURLE_HTTP2: (.protocolViolation, .malformedFraming)
    case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR: (.protocolViolation, .malformedEncoding)
    // libcurl's own ceiling for a line of the head or the trailer.
    case CURLE_OUT_OF_MEMORY: (.tooLarge, .head)
    case CURLE_FILESIZE_EXCEEDED: (.tooLarge, .encodedBody)
    case CURLE_PEER_FAILED_VERIFICATION: (.tls, certificateReason(handle))
    case CURLE_SSL_ISSUER_ERROR: (.tls, .certificateUntrusted)
    case CURLE_SSL_INVALIDCERTSTATUS: (.tls, .certificateRevoked)
    case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE: (.tls, .invalidConfiguration)
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
      (.tls, .handshake)
    case CURLE_RECV_ERROR: receiveFault(handle, receiver)
    case CURLE_PARTIAL_FILE, CURLE_HTTP2_STREAM: (receiver.isHeadComplete ? .truncated : .connectionLost, nil)
    default: (receiver.isHeadComplete ? .truncated : .connectionLost, nil)
    }
  }

  private static func receiveFault(_ handle: EasyHandle, _ receiver: ResponseReceiver) -> (Code, Reason?) {
    // The response of a proxy that would not connect; the server has seen nothing.
    if handle.long(CURLINFO_HTTP_CONNECTCODE) / 100 != 2, handle.long(CURLINFO_HTTP_CONNECTCODE) != 0 {
      return (.unreachable, .proxy)
    }
    // libcurl has one result for a connection that broke, chunks that are malformed, and a line of the trailer that is longer
    // than it takes. Only its text differs.
    let text = handle.errorText
    if text.contains("chunked-encoding") {
      return text.contains("memory") ? (.tooLarge, .head) : (.protocolViolation, .malformedFraming)
    }
    return (receiver.isHeadComplete ? .truncated : .connectionLost, nil)
  }

  private static func connectReason(_ number: Int) -> Reason? {
    switch Int32(clamping: number) {
    case ECONNREFUSED: .connectionRefused
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL: .noRoute
    default: nil
    }
  }

  /// Why a certificate was refused, by the number that X509_verify_cert_error_string(3) lists.
  private static func certificateReason(_ handle: EasyHandle) -> Reason {
    switch handle.long(CURLINFO_SSL_VERIFYRESULT) {
    case 0, 62, 63, 64: .certificateWrongHost  // libcurl compares the name after OpenSSL has accepted the certificate
    case 9, 10, 11, 12, 13, 14: .certificateExpired
    case 23: .certificateRevoked
    default: .certificateUntrusted
    }
  }
}

/// libcurl's result, as the cause of a `TransportError`.
struct CurlError: Error, CustomStringConvertible {
  let code: CURLcode

  /// The name that libcurl gives the result, such as `Couldn't connect to server`.
  var description: String {
    // Safe: libcurl returns a string that it never frees.
    unsafe String(cString: curl_easy_strerror(code)) + " (libcurl \(code.rawValue))"
  }
}
