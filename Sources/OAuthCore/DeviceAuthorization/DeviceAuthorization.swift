// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import Timekeeping
public import TokenStore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A sign-in that the user completes on another device, in one value: what to show, and what to ask the server with
/// ([RFC 8628 § 3.2](https://www.rfc-editor.org/rfc/rfc8628.html#section-3.2)).
///
/// It is made by ``OAuthClient/beginDeviceAuthorization(scopes:parameters:)``, and handed back to
/// ``OAuthClient/completeDeviceAuthorization(_:)``. Show ``verificationURI`` and ``userCode``; where there is
/// ``verificationURIComplete``, show it too, as a link or a QR code. It holds a secret: keep it in memory, or where only its user
/// can reach it.
public struct DeviceAuthorization: Sendable, Hashable {
  /// The code that the user enters.
  public let userCode: String
  /// Where the user enters it.
  public let verificationURI: URL
  /// The same with the code in it, such as for a QR code; `nil` if the server has none.
  ///
  /// Show the code beside it, so that the user can compare the two
  /// ([RFC 8628 § 3.3.1](https://www.rfc-editor.org/rfc/rfc8628.html#section-3.3.1)).
  public let verificationURIComplete: URL?
  /// How long to wait before each request for the tokens.
  public let interval: Duration
  /// How long the user may take, from the moment the authorization was begun.
  public let lifetime: Duration
  /// When the authorization ends unanswered, by the clock of the client that began it.
  public let deadline: Timestamp
  /// What the device identifies the sign-in by.
  public let deviceCode: Secret
  /// The issuer that was asked.
  public let issuer: String
  /// The scopes that were requested.
  public let scopes: [String]
  /// The services that the access token is for.
  public let resources: [URL]
  /// The key that the tokens will be bound to; `nil` if they will not.
  public let proofKey: ProofKey?
}

extension DeviceAuthorization: CustomStringConvertible, CustomReflectable {
  /// The issuer, and nothing that is secret.
  public var description: String { "device authorization pending at \(issuer)" }
  /// What a dump shows, without any secret.
  public var customMirror: Mirror { Mirror(self, children: ["issuer": issuer, "scopes": scopes]) }
}
