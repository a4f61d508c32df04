// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A client that was registered beforehand at one server, for resources that the caller names.
///
/// The metadata of a resource name its authorization server, and a hostile resource can name a server that the user trusts. A client
/// that signs in wherever a resource says would then obtain that server's token for the hostile resource. So the caller
/// names both sides:
///
/// ```swift
/// identity.given = GivenClient(
///   ClientRegistration(clientID: id, secret: secret), issuer: "https://login.example", resources: [url])
/// ```
public struct GivenClient: Sendable {
  /// The client.
  public let registration: ClientRegistration
  /// The issuer that knows the client, compared exactly.
  public let issuer: String
  /// The URLs of the resources that the client may sign in for, with all below them.
  public let resources: [URL]

  /// Creates a client of one server.
  ///
  /// - Parameters:
  ///   - registration: The client.
  ///   - issuer: The issuer that knows the client.
  ///   - resources: The URLs of the resources that the client may sign in for. Take them from the user or the program's
  ///     configuration, never from a response.
  public init(_ registration: ClientRegistration, issuer: String, resources: [URL]) {
    self.registration = registration
    self.issuer = issuer
    self.resources = resources
  }

  /// Whether the client may be used at a server for the resource at `url`.
  func belongs(to server: ServerMetadata, _ url: URL) -> Bool {
    issuer == server.issuer && resources.contains { url.isAtOrBelow($0) }
  }
}

extension URL {
  /// Whether this URL has the origin of `base`, and its path or one below.
  func isAtOrBelow(_ base: URL) -> Bool {
    guard let origin = Origin(self), origin == Origin(base) else { return false }
    let (base, path) = (base.path(percentEncoded: true), path(percentEncoded: true))
    return base.isEmpty || base == "/" || path == base || path.hasPrefix(base.hasSuffix("/") ? base : base + "/")
  }
}
