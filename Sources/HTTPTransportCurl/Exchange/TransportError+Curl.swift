// SPDX-License-Identifier: Apache-2.0

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
  /// Returns the phase in which an exchange timed out.
  func phase(_ receiver: ResponseReceiver) -> TransportError.Reason {
    if receiver.isHeadComplete { return .receiving }
    return size(CURLINFO_PRETRANSFER_TIME_T) == 0 ? .connecting : .waiting
  }
}

extension TransportError {
  /// Creates the error for libcurl's result, or returns `nil` if the response is complete.
  init?(_ result: CURLcode, _ handle: EasyHandle, _ receiver: ResponseReceiver, at origin: Origin?) {
    guard result != CURLE_OK || !receiver.isComplete else { return nil }
    if result == CURLE_OUT_OF_MEMORY, handle.long(CURLINFO_REQUEST_SIZE) == 0 {
      self = .requestTooLong
      return
    }
    var (code, reason) = Self.meaning(of: result, handle, receiver, origin)
    if code == .connectionLost, handle.phase(receiver) == .connecting {
      // Nothing was sent to the server: there was no connection, or only one to the proxy.
      (code, reason) = (.unreachable, handle.hasProxy ? .proxy : nil)
    }
    self = .fault(code, reason, at: origin, cause: CurlError(code: result))
  }

  private static func meaning(
    of result: CURLcode, _ handle: EasyHandle, _ receiver: ResponseReceiver, _ origin: Origin?
  ) -> (Code, Reason?) {
    switch result {
    // libcurl reports success for a head that ends with the connection, and for a body whose end is unproven.
    case CURLE_OK: (.truncated, nil)
    case CURLE_URL_MALFORMAT: (.invalidRequest, nil)
    case CURLE_COULDNT_RESOLVE_HOST: (.unreachable, .unknownHost)
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: (.unreachable, .proxy)
    case CURLE_COULDNT_CONNECT: (.unreachable, connectReason(handle, origin))
    case CURLE_OPERATION_TIMEDOUT: (.timedOut, handle.phase(receiver))
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: (.protocolViolation, .malformedHead)
    // A head that begins with a continuation line.
    case CURLE_BAD_FUNCTION_ARGUMENT where !receiver.isHeadComplete: (.protocolViolation, .malformedHead)
    case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR: (.protocolViolation, .malformedEncoding)
    // libcurl's own limit for a line of the head or the trailer.
    case CURLE_OUT_OF_MEMORY: (.tooLarge, .head)
    case CURLE_FILESIZE_EXCEEDED: (.tooLarge, .encodedBody)
    case CURLE_PEER_FAILED_VERIFICATION where handle.long(CURLINFO_PROXY_SSL_VERIFYRESULT) != 0: (.unreachable, .proxy)
    case CURLE_PEER_FAILED_VERIFICATION: (.tls, certificateReason(handle))
    case CURLE_SSL_ISSUER_ERROR: (.tls, .certificateUntrusted)
    case CURLE_SSL_INVALIDCERTSTATUS: (.tls, .certificateRevoked)
    case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE: (.tls, .invalidConfiguration)
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
      (.tls, .handshake)
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR: connectionFault(handle, receiver)
    case CURLE_HTTP2_STREAM: streamFault(handle, receiver)
    // This includes CURLE_HTTP2: the server ended the connection without processing the request.
    default: (receiver.isHeadComplete ? .truncated : .connectionLost, nil)
    }
  }

  private static func connectionFault(_ handle: EasyHandle, _ receiver: ResponseReceiver) -> (Code, Reason?) {
    // The proxy refused to connect, so the server has received nothing.
    if handle.long(CURLINFO_HTTP_CONNECTCODE) / 100 != 2, handle.long(CURLINFO_HTTP_CONNECTCODE) != 0 {
      return (.unreachable, .proxy)
    }
    // libcurl has one result for a broken connection, malformed chunks and a trailer line that is too long. Only its text
    // differs.
    let text = handle.errorText
    if text.contains("chunked-encoding") {
      return text.contains("memory") ? (.tooLarge, .head) : (.protocolViolation, .malformedFraming)
    }
    guard !receiver.isHeadComplete else { return (.truncated, nil) }
    return isCertificateAlert(text) ? (.tls, .handshake) : (.connectionLost, nil)
  }

  /// Whether the server has rejected the client certificate, or requires one.
  ///
  /// In TLS 1.3, the server reports this after the handshake, when the request may have been sent (RFC 8446 § 4.4.2.4). Only
  /// OpenSSL's text names the alert.
  private static func isCertificateAlert(_ text: String) -> Bool {
    text.contains(" alert ") && ["certificate", "unknown ca", "access denied"].contains(where: text.contains)
  }

  private static func streamFault(_ handle: EasyHandle, _ receiver: ResponseReceiver) -> (Code, Reason?) {
    guard !receiver.isHeadComplete else { return (.truncated, nil) }
    // The HTTP/2 code for a malformed message (RFC 9113 § 8.1.1). Only libcurl's text contains it.
    return handle.errorText.contains("PROTOCOL_ERROR")
      ? (.protocolViolation, .malformedHead) : (.connectionLost, nil)
  }

  private static func connectReason(_ handle: EasyHandle, _ origin: Origin?) -> Reason? {
    // libcurl's text names the host that it could not connect to.
    if handle.hasProxy, let origin, !handle.errorText.contains("\(origin.host) port \(origin.port) ") { return .proxy }
    return switch Int32(clamping: handle.long(CURLINFO_OS_ERRNO)) {
    case ECONNREFUSED: .connectionRefused
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL: .noRoute
    default: nil
    }
  }

  /// Returns the reason for the rejection of a certificate, by the numbers of X509_verify_cert_error_string(3).
  private static func certificateReason(_ handle: EasyHandle) -> Reason {
    switch handle.long(CURLINFO_SSL_VERIFYRESULT) {
    // libcurl itself compares the name before it reads OpenSSL's result, so the number still has its initial value.
    case 0, 1, 62, 63, 64: .certificateWrongHost
    case 9, 10, 11, 12, 13, 14: .certificateExpired
    case 23: .certificateRevoked
    default: .certificateUntrusted
    }
  }
}

/// libcurl's result, as the cause of a `TransportError`.
struct CurlError: Error, CustomStringConvertible {
  let code: CURLcode

  /// libcurl's name for the result, such as `Couldn't connect to server`.
  var description: String {
    // Safe: libcurl returns a string that it never frees.
    unsafe String(cString: almanac_curl_easy_strerror(code)) + " (libcurl \(code.rawValue))"
  }
}
