// SPDX-License-Identifier: Apache-2.0

package import JSONCoding

/// The limits in number and size of everything named by a server.
///
/// | Named | Number | Size of each, in bytes | Beyond it |
/// |---|--:|--:|---|
/// | the members of a server's or resource's metadata | 10,000 | | the document is refused |
/// | each list in them: scopes, servers, methods, algorithms, aliases | 10,000 | 2,048 | the document is refused |
/// | the name of a resource | 1 | 2,048 | the document is refused |
/// | each URL of ``ServerURL`` | 1 | 2,048 | the document is refused |
/// | challenges of a response | 10,000 | | the rest is ignored |
/// | scopes and context classes (`acr_values`) of a challenge | 10,000 | 2,048 | the rest is ignored |
/// | granted scopes | 10,000 | 2,048 | the rest is ignored |
/// | scopes and audiences of an introspected token | 10,000 | 2,048 | the rest is ignored |
/// | each list of a registered client's metadata | 10,000 | 2,048 | the rest is ignored |
/// | granted authorization details | 10,000 | | they are ignored |
/// | scopes that a resource chooses for a sign-in | | 8,192 together | the caller must name them |
/// | the URL of a page | 1 | 16,384 | the page is not opened |
/// | a device's user code | 1 | 256 | the response is refused |
/// | claims of an ID token, a logout token or a profile | 10,000 | | it is refused |
/// | audiences (`aud`) and authentication methods (`amr`) in them | 10,000 | 2,048 | it is refused |
/// | the context class (`acr`) in them | 1 | 2,048 | it is refused |
/// | a token with them, as `JWS` documents | 1 | 262,144 | it is refused |
/// | keys, as `JWKSet` documents | 1,000 | 1,048,576 together | the set is refused |
/// | keys that are tried for one signature | 16 | | the token is refused |
package enum ServerLimits {
  /// The maximum number of elements of a list.
  package static let elements = 10_000
  /// The maximum size of an element or a URL, in bytes.
  package static let elementSize = 2_048
  /// The maximum size of all scopes chosen by a resource for a sign-in, in bytes.
  package static let scopesSize = 8_192
  /// The maximum size of a URL shown to the user, in bytes.
  ///
  /// Servers accept request lines of 8 KiB (Apache httpd, nginx) to 16 KiB (IIS, Node.js).
  package static let pageURLSize = 16_384
  /// The maximum size of a device's user code, in bytes.
  static let userCodeSize = 256

  /// Checks the number of members of a metadata document, and all lists, objects and names in it, before it is decoded.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidResponse``.
  static func check(metadata members: [String: JSONValue], of document: String) throws(OAuthError) {
    try check(count: members.count, "members", of: "The document \(document)")
    for (name, value) in members {
      try check(value, name, of: document)
      if name == "resource_name" { try check(.array([value]), name, of: document) }
    }
  }

  /// Checks the number of claims of a token or profile, and the lists in them.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidResponse``.
  package static func check(claims: [String: JSONValue], of document: String) throws(OAuthError) {
    try check(count: claims.count, "claims", of: "The \(document)")
    for name in ["aud", "acr", "amr"] {
      guard let value = claims[name] else { continue }
      try check(value.array == nil ? .array([value]) : value, name, of: "the \(document)")
    }
  }

  private static func check(_ list: JSONValue, _ member: String, of document: String) throws(OAuthError) {
    let member = OAuthError.printable(member, limit: 64)
    let (count, strings) = (list.array?.count ?? list.object?.count, list.array?.lazy.compactMap(\.string))
    if let count { try check(count: count, "elements", of: "The \(member) of \(document)") }
    guard strings?.allSatisfy({ $0.utf8.count <= elementSize }) ?? true else {
      throw OAuthError(
        .invalidResponse, "The \(member) of \(document) has an element of more than \(elementSize) bytes.")
    }
  }

  private static func check(count: Int, _ unit: String, of owner: String) throws(OAuthError) {
    guard count <= elements else {
      throw OAuthError(.invalidResponse, "\(owner) has \(count) \(unit). At most \(elements) are accepted.")
    }
  }

  /// Returns the elements of a list within the limits.
  static func bounded(_ list: [String]) -> [String] {
    list.prefix(elements).filter { $0.utf8.count <= elementSize }
  }
}

extension OAuthClient {
  /// Checks that servers accept a request for a page.
  ///
  /// - Parameters:
  ///   - size: The size of the page's URL, in bytes.
  ///   - remedy: A sentence with advice for shortening the URL.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration``.
  package func checkPageURL(size: Int, remedy: String) throws(OAuthError) {
    guard size <= ServerLimits.pageURLSize else {
      throw OAuthError(
        .invalidConfiguration,
        "The URL of the page at \(server.name) would have \(size) bytes. Servers accept at most \(ServerLimits.pageURLSize). \(remedy)"
      )
    }
  }
}
