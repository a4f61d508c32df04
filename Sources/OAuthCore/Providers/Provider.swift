// SPDX-License-Identifier: Apache-2.0

/// An authorization server and its quirks, as data.
public struct Provider: Sendable, Hashable {
  /// The server's name, for display.
  public var name: String
  /// The server's endpoints.
  public var server: ServerMetadata
  /// The additional parameters of an authorization request.
  public var authorizationParameters: AuthorizationParameters
  /// The server's deviations from the specification.
  public var quirks: Quirks

  /// Creates a provider.
  public init(
    name: String, server: ServerMetadata, authorizationParameters: AuthorizationParameters = [:],
    quirks: Quirks = Quirks()
  ) {
    self.name = name
    self.server = server
    self.authorizationParameters = authorizationParameters
    self.quirks = quirks
  }
}
