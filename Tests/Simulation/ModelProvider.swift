// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthFixtures
import Synchronization

/// The refresh token `r.2.7`: the seventh of the second sign-in.
struct RefreshToken: Hashable, Comparable, CustomStringConvertible {
  let signIn: Int
  let number: Int

  init(signIn: Int, number: Int) { (self.signIn, self.number) = (signIn, number) }

  init?(_ text: String) {
    let numbers = text.split(separator: ".").dropFirst().compactMap { Int($0) }
    guard numbers.count == 2 else { return nil }
    self.init(signIn: numbers[0], number: numbers[1])
  }

  var next: RefreshToken { RefreshToken(signIn: signIn, number: number + 1) }
  var description: String { "r.\(signIn).\(number)" }

  static func < (one: RefreshToken, other: RefreshToken) -> Bool {
    (one.signIn, one.number) < (other.signIn, other.number)
  }
}

/// A model of an authorization server that rotates one user's refresh tokens.
///
/// If a refresh token is used again after its grace period, the server revokes all tokens of the sign-in.
final class ModelProvider: Sendable {
  private struct State {
    var current = RefreshToken(signIn: 0, number: 1)
    var rotated = Duration.zero
    var isRevoked = true
    var accessTokens = 0
  }

  /// The result of a refresh.
  struct Outcome {
    /// The new refresh token, or `nil` if the old one was rejected.
    let token: RefreshToken?
    /// Whether the token had been spent, and the sign-in was valid.
    let isReuse: Bool
    let response: HTTPResponse
  }

  private let state = Mutex(State())
  private let grace: Duration

  init(grace: Duration) { self.grace = grace }

  /// Begins a new sign-in, and returns its refresh token.
  func signIn() -> RefreshToken {
    state.withLock { state in
      state.current = RefreshToken(signIn: state.current.signIn + 1, number: 1)
      state.isRevoked = false
      return state.current
    }
  }

  /// Returns whether a refresh with a token would succeed.
  func accepts(_ token: RefreshToken, at now: Duration) -> Bool { state.withLock { accepts(token, $0, now) } }

  private func accepts(_ token: RefreshToken, _ state: State, _ now: Duration) -> Bool {
    guard !state.isRevoked else { return false }
    return token == state.current || token.next == state.current && now - state.rotated <= grace
  }

  func refresh(_ token: RefreshToken, at now: Duration) -> Outcome {
    state.withLock { state in
      let isReuse = !state.isRevoked && token.signIn == state.current.signIn && token != state.current
      guard accepts(token, state, now) else {
        if isReuse { state.isRevoked = true }
        return Outcome(
          token: nil, isReuse: isReuse, response: Fixtures.json(#"{"error":"invalid_grant"}"#, status: 400))
      }
      if !isReuse { (state.current, state.rotated) = (state.current.next, now) }
      state.accessTokens += 1
      let body = """
        {"access_token":"a.\(state.accessTokens)","token_type":"Bearer","expires_in":60,"refresh_token":"\(state.current)"}
        """
      return Outcome(token: state.current, isReuse: isReuse, response: Fixtures.json(body))
    }
  }
}
