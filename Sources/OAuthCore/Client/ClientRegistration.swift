// SPDX-License-Identifier: Apache-2.0

public import OAuthJOSE
public import TokenStore

/// A client as its authorization server has registered it: its identifier and how it authenticates.
public struct ClientRegistration: Sendable {
  /// The client identifier.
  public var clientID: String
  /// The method by which the client authenticates.
  public var authentication: any ClientAuthentication
  /// The key that signs authorization requests, for a client that is registered so or a server that requires it
  /// ([RFC 9101](https://www.rfc-editor.org/rfc/rfc9101.html)); `nil` for requests without a signature.
  public var requestSigning: RequestSigning?
  /// Whether authorization requests are pushed also where the server does not require it
  /// ([RFC 9126](https://www.rfc-editor.org/rfc/rfc9126.html)).
  public var pushesAuthorizationRequests = false
  /// Whether tokens are bound to a key, so that they are of no use to others
  /// ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449.html)).
  ///
  /// Defaults to ``DPoPUse/off``.
  public var dpop = DPoPUse.off
  /// The algorithm of that key, unless the server's metadata leave it out; then it is one that they name.
  ///
  /// Defaults to ES256.
  public var dpopAlgorithm = JWS.Algorithm.es256

  /// Creates a registration.
  ///
  /// - Parameters:
  ///   - clientID: The client identifier.
  ///   - authentication: The method by which the client authenticates. Defaults to none, for a public client.
  public init(clientID: String, authentication: any ClientAuthentication = .none) {
    self.clientID = clientID
    self.authentication = authentication
  }

  /// Creates the registration of a client whose secret is sent by a method that the server supports.
  ///
  /// - Parameters:
  ///   - clientID: The client identifier.
  ///   - secret: The client's secret; `nil` for a public client.
  public init(clientID: String, secret: Secret?) {
    self.init(clientID: clientID, authentication: secret.map { .clientSecret($0) } ?? NoClientAuthentication())
  }
}
