// SPDX-License-Identifier: Apache-2.0

public import TokenStore

extension Sandbox {
  /// Who may register clients ([RFC 7591 § 3](https://www.rfc-editor.org/rfc/rfc7591.html#section-3)).
  public enum RegistrationAccess: Sendable, Hashable {
    /// Every program.
    case open
    /// A program with this initial access token.
    case withToken(Secret)
  }
}
