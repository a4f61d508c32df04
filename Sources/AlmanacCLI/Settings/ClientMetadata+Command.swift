// SPDX-License-Identifier: Apache-2.0

import OAuthCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ClientMetadata {
  /// The metadata that the command registers with; the server's list decides how it authenticates.
  ///
  /// - Parameter port: The port of the redirect URI.
  static func command(port: Int) -> ClientMetadata {
    var metadata = ClientMetadata(
      clientName: "almanac",
      redirectURIs: [URL(string: "http://127.0.0.1:\(port)/callback")].compactMap(\.self))
    metadata.grantTypes = ["authorization_code", "refresh_token"]
    metadata.responseTypes = ["code"]
    metadata.applicationType = "native"
    return metadata
  }
}
