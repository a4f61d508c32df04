// SPDX-License-Identifier: Apache-2.0

/// Whether a client binds its tokens to a key
/// ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449.html)).
public enum DPoPUse: Sendable, Hashable {
  /// It does not.
  case off
  /// It does where the server's metadata name an algorithm for proofs, and takes the token that the server gives.
  case preferred
  /// It does, and refuses a token that is not bound.
  case required
}
