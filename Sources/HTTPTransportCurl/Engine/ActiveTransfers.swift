// SPDX-License-Identifier: Apache-2.0

/// The exchanges that libcurl has, and the sockets, for the callbacks of transfers, on the transport's thread.
final class ActiveTransfers {
  let exchanges = ThreadOwned(ActiveExchanges())
  let sockets: ThreadOwned<SocketSet>
  /// The streamed exchanges that have to be paused.
  ///
  /// They are paused after libcurl has returned: if it paused within a callback, it would itself keep the rest of what it is
  /// decoding, without a limit.
  var fullStreams: [Exchange] = []

  init(sockets: SocketSet) { self.sockets = ThreadOwned(sockets) }

  /// Whether there is another exchange, which may take a connection as soon as it is free.
  var hasSeveral: Bool { exchanges.value.all.count > 1 }
}
