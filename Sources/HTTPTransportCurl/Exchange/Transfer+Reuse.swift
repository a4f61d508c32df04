// SPDX-License-Identifier: Apache-2.0

import CLibcurl

extension Transfer {
  /// Lets libcurl keep the connection only if no bytes have followed the response.
  ///
  /// libcurl would read such bytes as the response to the next request. They may be in the TLS library, where the socket does
  /// not show them, or at the socket. The socket is watched only after libcurl returns, and another transfer can use the
  /// connection before that.
  func keepConnectionIfQuiet() {
    guard let handle else { return }
    let isQuiet =
      !handle.mayHoldUnreadBytes
      && (!context.hasSeveral || connection.map { context.sockets.value.isQuiet($0) } ?? false)
    if !handle.setForbidsReuse(!isQuiet) { disconnect() }
  }

  /// Makes libcurl close the connection at the end of the transfer.
  func forbidReuse() {
    if let handle, !handle.forbidReuse() { disconnect() }
  }

  /// The socket of the connection, or `nil` if unknown.
  ///
  /// libcurl does not always report the socket of a connection used by another transfer. The socket is then found by
  /// the connection's local port.
  var connection: SocketSet.Socket? {
    guard let handle else { return nil }
    let port = handle.long(CURLINFO_LOCAL_PORT)
    guard port > 0 else { return nil }
    if let socket, context.sockets.value.isOpen(socket, localPort: port) { return socket }
    return context.sockets.value.socket(localPort: port)
  }

  /// Ends the connection without closing its descriptor, which libcurl owns.
  private func disconnect() {
    if let connection { context.sockets.value.disconnect(connection) }
  }
}
