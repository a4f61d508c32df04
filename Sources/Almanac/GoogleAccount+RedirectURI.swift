// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
public import PlatformFoundation

extension GoogleAccount {
  /// Returns the redirect URI of an iOS client.
  ///
  /// Its scheme is the client identifier with the labels in reverse order
  /// ([OAuth 2.0 for iOS & Desktop Apps](https://developers.google.com/identity/protocols/oauth2/native-app#ios-redirect)).
  ///
  /// ```swift
  /// let redirectURI = try GoogleAccount.redirectURI(iOSClientID: "1234-abcd.apps.googleusercontent.com")
  /// // com.googleusercontent.apps.1234-abcd:/oauth2redirect
  /// ```
  ///
  /// - Parameter clientID: The identifier of a client of the type *iOS* in the Google Cloud console.
  /// - Throws: `OAuthError` with code `invalidConfiguration` if the identifier is not a Google client identifier.
  public static func redirectURI(iOSClientID clientID: String) throws -> URL {
    let suffix = ".apps.googleusercontent.com"
    let name = clientID.dropLast(suffix.count)
    guard clientID.hasSuffix(suffix), !name.isEmpty, name.utf8.allSatisfy(\.isOfAClientID),
      let url = URL(string: "com.googleusercontent.apps.\(name):/oauth2redirect")
    else {
      throw OAuthError(
        .invalidConfiguration,
        "The client identifier must end in \(suffix). Copy the one of the iOS client from the Google Cloud console.")
    }
    return url
  }
}

extension UInt8 {
  /// Whether a label of a client identifier can contain the byte: a lowercase letter, a digit or a hyphen.
  fileprivate var isOfAClientID: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
    default: false
    }
  }
}
