// SPDX-License-Identifier: Apache-2.0

import CLibcurl

extension EasyHandle {
  /// Whether the server has said that it closes the TLS connection of the running transfer (close_notify,
  /// [RFC 8446 § 6.1](https://www.rfc-editor.org/rfc/rfc8446.html#section-6.1)).
  ///
  /// Without it anyone on the way may have cut the connection. libcurl does not tell the difference for OpenSSL, and all other
  /// TLS libraries report the cut themselves.
  var hasCloseNotify: Bool {
    var session: UnsafeRawPointer?
    // Safe: the session is requested and used within a callback of the transfer that it belongs to.
    guard unsafe almanac_easy_get_openssl_session(pointer, &session), let session = unsafe session else { return true }
    guard let getShutdown = unsafe Self.getShutdown else { return false }
    let received: Int32 = 2  // SSL_RECEIVED_SHUTDOWN
    return unsafe getShutdown(session) & received != 0
  }

  /// Whether the TLS library may hold bytes of the running transfer's connection which libcurl has not read.
  ///
  /// They would pass for the beginning of the next response, and nothing shows them at the socket. `true` wherever it cannot be
  /// known: with another library than OpenSSL, and for TLS within that of a proxy, whose session libcurl does not give away.
  var mayHoldUnreadBytes: Bool {
    guard kind.isSecure || kind.isProxySecure else { return false }
    guard !(kind.isSecure && kind.isProxySecure) else { return true }
    var session: UnsafeRawPointer?
    // Safe: as above.
    guard unsafe almanac_easy_get_openssl_session(pointer, &session) else { return true }
    guard let session = unsafe session else { return kind.isSecure }
    guard let hasPending = unsafe Self.hasPending else { return true }
    return unsafe hasPending(session) != 0
  }

  /// OpenSSL's functions; they stay where they are for the life of the process.
  private static let getShutdown = unsafe almanac_find_openssl_question("SSL_get_shutdown")
  private static let hasPending = unsafe almanac_find_openssl_question("SSL_has_pending")
}
