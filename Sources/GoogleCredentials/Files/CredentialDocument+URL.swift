// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CredentialDocument {
  /// Returns the domain of the cloud that the file is for, which has to be the one that the program expects.
  ///
  /// Otherwise a file could name a domain of its own, and pass every check of its URLs.
  func universe(expecting expected: String) throws -> String {
    let universe = try optionalString("universe_domain") ?? GoogleHost.publicUniverse
    guard universe == expected else {
      throw error(
        .untrustedURL, "universe_domain",
        "is not \(expected.printable). If you trust that cloud, set GOOGLE_CLOUD_UNIVERSE_DOMAIN to it.")
    }
    return universe
  }

  /// Returns an error about a URL that leads elsewhere.
  func untrusted(_ member: String, expecting example: String) -> GoogleCredentialError {
    error(
      .untrustedURL, member,
      "leads elsewhere than to Google, such as \(example). Nothing was sent. Do not use the file unless you know who wrote it."
    )
  }
}

extension CredentialEnvironment {
  /// The domain of the cloud that the program is for.
  var universe: String { self["GOOGLE_CLOUD_UNIVERSE_DOMAIN"] ?? GoogleHost.publicUniverse }
}
