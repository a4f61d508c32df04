// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension GoogleCredential {
  /// Returns the credential of the service account that is attached to the machine or service that the program runs on.
  ///
  /// No request is sent to find out whether there is one.
  ///
  /// - Parameters:
  ///   - account: The account's e-mail address; `nil` for the one that is the default.
  ///   - scopes: The scopes of the access tokens. Cloud Run and App Engine obey them; a machine of Compute Engine has scopes of
  ///     its own.
  ///   - environment: What requests go through; its `GCE_METADATA_HOST` names another server.
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/invalidConfiguration`` if the variable or the
  ///   account is of no use.
  public static func metadataServer(
    account: String? = nil, scopes: [String] = [], in environment: CredentialEnvironment
  ) throws -> GoogleCredential {
    guard account?.utf8.allSatisfy(\.isAccountCharacter) ?? true, account?.isEmpty != true else {
      throw GoogleCredentialError(.invalidConfiguration, "The account is not the e-mail address of a service account.")
    }
    return metadataServer(try MetadataServer(environment), account: account, scopes: scopes, in: environment)
  }

  static func metadataServer(
    _ server: MetadataServer, account: String? = nil, scopes: [String], in environment: CredentialEnvironment
  ) -> GoogleCredential {
    GoogleCredential(
      MetadataServerMethod(server, account: account ?? "default", clock: environment.clock),
      at: .metadataServer(host: server.host), scopes: scopes, in: environment)
  }
}

extension UInt8 {
  /// Whether the e-mail address of a service account may hold the character; none of them means anything in a URL.
  var isAccountCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "@.-_".utf8.contains(self)
    }
  }
}
