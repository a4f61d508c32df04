// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A request can be kept while the user signs in, also across a relaunch of the app. It holds Google's `state`: keep it where
/// only the app can read it, and remove it after the response.
extension AppFlipRequest: Codable {
  private enum CodingKeys: String, CodingKey { case clientID, scopes, redirect, state }

  /// Writes the request with the members of its link.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(clientID, forKey: .clientID)
    try container.encode(scopes, forKey: .scopes)
    try container.encode(redirect, forKey: .redirect)
    try container.encode(encodedState, forKey: .state)
  }

  /// Reads a request that was kept.
  ///
  /// - Throws: `DecodingError` if it is not one; a state that could add parameters to the response is refused too.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let state = try container.decode(String.self, forKey: .state)
    guard state.isQueryValue else {
      throw DecodingError.dataCorruptedError(
        forKey: .state, in: container, debugDescription: "The state is not the value of a query parameter.")
    }
    self.init(
      clientID: try container.decode(String.self, forKey: .clientID),
      scopes: try container.decode([String].self, forKey: .scopes),
      redirect: try container.decode(AppFlipRedirect.self, forKey: .redirect),
      encodedState: state)
  }
}

extension AppFlipRedirect: Codable {
  /// Writes the URL as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(uri)
  }

  /// Reads the URL from text.
  ///
  /// - Throws: `DecodingError` if it is not an App Flip redirect URI of Google's.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let redirect = AppFlipRedirect(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "The text is not an App Flip redirect URI.")
    }
    self = redirect
  }
}

extension String {
  /// Whether the text is percent-encoded, and one value of a query alone.
  fileprivate var isQueryValue: Bool {
    !isEmpty && !utf8.contains { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "#") }
      && URL(string: "https://host/?state=" + self, encodingInvalidCharacters: false) != nil
  }
}
