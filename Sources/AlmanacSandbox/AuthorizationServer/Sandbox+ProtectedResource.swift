// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthJOSE

extension Sandbox {
  /// The paths of the sandbox's protected resources: its APIs.
  static let resourcePaths: Set<String> = ["/calendar/v3", Path.userinfo]

  /// What a protected resource says of itself
  /// ([RFC 9728 § 3.2](https://www.rfc-editor.org/rfc/rfc9728.html#section-3.2)); `nil` for a path where there is none.
  func resourceMetadata(path: Substring, issuer: String) -> HTTPResponse? {
    guard Self.resourcePaths.contains(String(path)) else { return nil }
    let algorithms = configuration.proofs?.algorithms.map(\.rawValue).sorted()
    return .json(
      .object(of: [
        "resource": .string(issuer + path), "authorization_servers": [.string(issuer)],
        "scopes_supported": .array(configuration.scopes.map { .string($0.name) }),
        "bearer_methods_supported": ["header"], "resource_name": "Almanac Sandbox",
        "dpop_signing_alg_values_supported": algorithms.map { .array($0.map { .string($0) }) },
      ]))
  }
}
