// SPDX-License-Identifier: Apache-2.0

public import TokenStore

/// A client as its authorization server has registered it: its identifier and how it authenticates.
public struct ClientRegistration: Sendable {
  /// The client identifier.
  public var clientID: String
  /// The method by which the client authenticates.
  public var authentication: any ClientAuthentication

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
