// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A change of an account's authorization.
public enum SignInEvent: Sendable, Hashable {
  /// The user signed in, and the tokens are stored.
  case granted
  /// The access token was refreshed, and the new one is stored.
  case refreshed
  /// The server no longer accepts the refresh token. The user must sign in again.
  case signInRequired
  /// The stored tokens were removed, and the authorization at the server was not revoked.
  case signedOut
  /// The authorization was revoked, and the stored tokens were removed.
  case revoked
}

/// Sends every event to every active stream.
final class EventBroadcast<Event: Sendable>: Sendable {
  private let listeners = Mutex((nextID: 0, continuations: [Int: AsyncStream<Event>.Continuation]()))

  /// Returns a new stream of the events from now on.
  ///
  /// It buffers the newest 64 events for a slow listener.
  func stream() -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(64))
    let id = listeners.withLock { listeners in
      listeners.nextID += 1
      listeners.continuations[listeners.nextID] = continuation
      return listeners.nextID
    }
    continuation.onTermination = { [weak self] _ in
      self?.listeners.withLock { _ = $0.continuations.removeValue(forKey: id) }
    }
    return stream
  }

  func send(_ event: Event) {
    for continuation in listeners.withLock({ Array($0.continuations.values) }) { continuation.yield(event) }
  }

  deinit {
    for continuation in listeners.withLock({ Array($0.continuations.values) }) { continuation.finish() }
  }
}
