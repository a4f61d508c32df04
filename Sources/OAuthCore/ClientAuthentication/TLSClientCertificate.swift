// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

/// Client authentication with a certificate in the TLS handshake, `tls_client_auth` and
/// `self_signed_tls_client_auth` ([RFC 8705 § 2](https://www.rfc-editor.org/rfc/rfc8705.html#section-2)).
///
/// The request contains only the client identifier. The client sends the request to the endpoint's alias in
/// ``ServerMetadata/mtlsEndpointAliases``, if there is one. The client's transport presents the certificate, such as a
/// `CurlTransport` created with one.
public struct TLSClientCertificate: ClientAuthentication, Hashable {
  /// Creates the method.
  public init() {}

  /// Adds the client identifier, and replaces the endpoint with its alias for certificates.
  public func authenticate(_ request: inout TokenRequest) {
    request.parameters["client_id"] = request.clientID
    if let alias = request.provider.server.mtlsAlias(of: request.endpoint) { request.endpoint = alias }
  }
}

extension ClientAuthentication where Self == TLSClientCertificate {
  /// Client authentication with a certificate presented by the transport.
  public static var tlsClientCertificate: TLSClientCertificate { TLSClientCertificate() }
}

extension ServerMetadata {
  /// Returns the alias of an endpoint for clients with a certificate
  /// ([RFC 8705 § 5](https://www.rfc-editor.org/rfc/rfc8705.html#section-5)).
  fileprivate func mtlsAlias(of endpoint: URL) -> URL? {
    let key =
      endpoint == tokenEndpoint
      ? CodingKeys.tokenEndpoint : Self.endpoints.first { self[keyPath: $0.path] == endpoint }?.key
    return key.flatMap { mtlsEndpointAliases?[$0.rawValue] }
  }
}
