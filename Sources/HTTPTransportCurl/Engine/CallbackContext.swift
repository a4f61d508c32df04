// SPDX-License-Identifier: Apache-2.0

/// The sockets, the watchdog and the full streams of the transport's thread, for the callbacks of its transfers.
final class CallbackContext {
  let sockets: ThreadOwned<SocketSet>
  let watchdog: Watchdog
  /// The streamed exchanges whose transfers have to be paused.
  ///
  /// They are paused after libcurl returns. If a callback paused a transfer, libcurl itself would store the rest of the
  /// data that it is decoding, without a limit.
  var fullStreams: [Exchange] = []
  /// Whether there are several transfers, so another one could use a connection as soon as it is idle.
  var hasSeveral = false

  init(sockets: SocketSet, watchdog: Watchdog) {
    self.sockets = ThreadOwned(sockets)
    self.watchdog = watchdog
  }
}
