// SPDX-License-Identifier: Apache-2.0

public import OAuthJOSE
public import TokenStore

/// A client's registration at its authorization server: its identifier, its authentication and its options.
public struct ClientRegistration: Sendable {
  /// The client identifier.
  public var clientID: String
  /// The client authentication method.
  public var authentication: any ClientAuthentication
  /// The key for signing authorization requests ([RFC 9101](https://www.rfc-editor.org/rfc/rfc9101.html)).
  ///
  /// Defaults to `nil`, for unsigned requests. Set it if the server or the client's registration requires signed requests.
  public var requestSigning: RequestSigning?
  /// Whether authorization requests are pushed even if the server does not require it
  /// ([RFC 9126](https://www.rfc-editor.org/rfc/rfc9126.html)).
  ///
  /// Defaults to `false`.
  public var pushesAuthorizationRequests = false
  /// The use of DPoP, which binds tokens to a key ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449.html)).
  ///
  /// Defaults to ``DPoPUse/off``.
  public var dpop = DPoPUse.off
  /// The preferred algorithm of DPoP keys.
  ///
  /// Defaults to ES256. If the server's metadata does not list it, the client uses one of the listed algorithms.
  public var dpopAlgorithm = JWS.Algorithm.es256

  /// Creates a registration.
  ///
  /// - Parameters:
  ///   - clientID: The client identifier.
  ///   - authentication: The client authentication method. Defaults to ``ClientAuthentication/none``, for a public client.
  public init(clientID: String, authentication: any ClientAuthentication = .none) {
    self.clientID = clientID
    self.authentication = authentication
  }

  /// Creates a registration whose secret is sent by a method supported by the server.
  ///
  /// - Parameters:
  ///   - clientID: The client identifier.
  ///   - secret: The client's secret, or `nil` for a public client.
  public init(clientID: String, secret: Secret?) {
    self.init(clientID: clientID, authentication: secret.map { .clientSecret($0) } ?? NoClientAuthentication())
  }
}
