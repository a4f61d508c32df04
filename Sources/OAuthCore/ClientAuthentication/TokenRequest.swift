// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import PlatformFoundation
public import Timekeeping
public import TokenStore

/// A form request to the token endpoint, or to another endpoint with the same client authentication, such as the revocation endpoint.
///
/// A ``ClientAuthentication`` completes it.
public struct TokenRequest: Sendable {
  /// The URL the form is posted to.
  public internal(set) var endpoint: URL
  /// The client's identifier.
  public let clientID: String
  /// The server with its quirks.
  public let provider: Provider
  /// The time by the client's clock, for signed assertions.
  public let time: Timestamp
  /// The header fields.
  public var fields: HTTPFields
  /// The parameters of the form.
  public var parameters: FormFields
  /// The values to redact in the server's error description.
  public var secrets: [Secret]
}

extension TokenRequest {
  /// Creates a request without the client's identifier and credentials.
  init(_ parameters: FormFields, to endpoint: URL, clientID: String, provider: Provider, time: Timestamp) {
    self.init(
      endpoint: endpoint, clientID: clientID, provider: provider, time: time,
      fields: ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"],
      parameters: parameters,
      secrets: Self.secretParameters.compactMap { parameters[$0].map { Secret($0) } })
  }

  /// The secret parameters of grants.
  private static let secretParameters = [
    "code", "refresh_token", "token", "code_verifier", "device_code", "assertion", "subject_token", "actor_token",
  ]

  /// The HTTP request.
  ///
  /// It follows redirects within its origin only.
  var httpRequest: HTTPRequest {
    HTTPRequest(
      .post, endpoint, fields: fields, body: FormEncoding.form.encodedBytes(parameters), redirectScope: .sameOrigin)
  }
}

extension TokenRequest: CustomStringConvertible, CustomReflectable {
  /// The endpoint and the names of the parameters, without their values.
  public var description: String { "\(endpoint.redactedDescription) \(parameters)" }
  /// A redacted mirror for debugging.
  public var customMirror: Mirror {
    Mirror(self, children: ["endpoint": endpoint.redactedDescription, "fields": fields, "parameters": parameters])
  }
}
