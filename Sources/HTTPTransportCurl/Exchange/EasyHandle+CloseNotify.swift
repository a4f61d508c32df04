// SPDX-License-Identifier: Apache-2.0

import CLibcurl

extension EasyHandle {
  /// Whether the server has said that it closes the TLS connection of the running transfer (close_notify,
  /// [RFC 8446 § 6.1](https://www.rfc-editor.org/rfc/rfc8446.html#section-6.1)).
  ///
  /// Without it anyone on the way may have cut the connection. libcurl does not tell the difference for OpenSSL, and all other
  /// TLS libraries report the cut themselves.
  var hasCloseNotify: Bool {
    // Safe: the session is requested and used within a callback of the transfer that it belongs to.
    guard let session = unsafe almanac_easy_openssl_session(pointer) else { return true }
    guard let getShutdown = unsafe Self.getShutdown else { return false }
    let received: Int32 = 2  // SSL_RECEIVED_SHUTDOWN
    return unsafe getShutdown(session) & received != 0
  }

  /// OpenSSL's function; it stays where it is for the life of the process.
  private static let getShutdown = unsafe almanac_find_openssl_get_shutdown()
}
