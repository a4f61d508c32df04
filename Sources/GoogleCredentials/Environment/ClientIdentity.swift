// SPDX-License-Identifier: Apache-2.0

public import TokenStore

/// A certificate and its private key, for a connection that presents them.
public struct ClientIdentity: Sendable {
  /// The certificate as PEM, followed by those of intermediate authorities.
  public let certificate: [UInt8]
  /// The private key as PEM.
  public let key: Secret
}
