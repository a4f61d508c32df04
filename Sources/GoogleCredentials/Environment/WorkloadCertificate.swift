// SPDX-License-Identifier: Apache-2.0

public import TokenStore

/// The certificate and the private key of a workload, for a connection that presents them.
public struct WorkloadCertificate: Sendable {
  /// The certificate as PEM, followed by those of intermediate authorities.
  public let certificate: [UInt8]
  /// The private key as PEM.
  public let key: Secret
}
