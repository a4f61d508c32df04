public import TokenStore

/// What the server knows of the application: its identifier and how it proves to be itself.
public struct ClientRegistration: Sendable, Hashable {
  /// How the application authenticates at the token endpoint.
  public enum Authentication: Sendable, Hashable {
    /// A public client: PKCE alone protects the exchange
    /// ([RFC 8252 § 8.5](https://www.rfc-editor.org/rfc/rfc8252.html#section-8.5)).
    case none
    /// The secret as a form parameter. Google's desktop clients send theirs this way; it is not confidential there.
    case secretPost(Secret)
    /// The secret in the `Authorization` field, identifier and secret form-encoded first
    /// ([RFC 6749 § 2.3.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-2.3.1)).
    case secretBasic(Secret)
    /// As ``secretBasic(_:)`` without the form-encoding, for servers that do not undo it.
    case secretBasicUnencoded(Secret)
  }

  /// The client identifier.
  public var clientID: String
  /// How the application authenticates.
  public var authentication: Authentication

  /// Creates a registration.
  public init(clientID: String, authentication: Authentication = .none) {
    self.clientID = clientID
    self.authentication = authentication
  }
}
