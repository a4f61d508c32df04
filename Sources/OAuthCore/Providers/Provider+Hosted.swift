// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

extension Provider {
  /// Returns the provider at another base URL, such as a self-managed instance or a test server.
  ///
  /// The issuer and the endpoints keep their paths, which are appended to `url`. Use it for a provider whose endpoints share one origin,
  /// such as GitLab or Meetup.
  ///
  /// ```swift
  /// let provider = Provider.gitLab.hosted(at: URL(string: "https://gitlab.example/")!)
  /// ```
  ///
  /// - Parameter url: The base URL, with or without a trailing slash.
  public func hosted(at url: URL) -> Provider {
    var base = url.absoluteString
    if base.hasSuffix("/") { base.removeLast() }
    let moved = { (endpoint: URL) in URL(string: base + endpoint.path(percentEncoded: true)) ?? endpoint }
    var provider = self
    let path = URL(string: server.issuer)?.path(percentEncoded: true) ?? ""
    provider.server.issuer = base + path
    provider.server.tokenEndpoint = moved(server.tokenEndpoint)
    for endpoint in ServerMetadata.endpoints {
      provider.server[keyPath: endpoint.path] = server[keyPath: endpoint.path].map(moved)
    }
    provider.server.mtlsEndpointAliases = server.mtlsEndpointAliases?.mapValues(moved)
    provider.server.issuerAliases = []
    return provider
  }
}
