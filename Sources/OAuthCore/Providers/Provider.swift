/// An authorization server and its habits, as data: nothing in the package branches on who it is.
public struct Provider: Sendable, Hashable {
  /// The server's name for people.
  public var name: String
  /// The server's endpoints.
  public var server: ServerMetadata
  /// Parameters that an authorization request needs beyond the standard ones.
  public var authorizationParameters: [String: String]

  /// Creates a provider.
  public init(name: String, server: ServerMetadata, authorizationParameters: [String: String] = [:]) {
    self.name = name
    self.server = server
    self.authorizationParameters = authorizationParameters
  }
}
