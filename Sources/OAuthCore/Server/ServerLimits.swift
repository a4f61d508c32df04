// SPDX-License-Identifier: Apache-2.0

/// The limits in number and size of everything that a server names.
///
/// | Named | Number | Size of each, in bytes | Beyond it |
/// |---|--:|--:|---|
/// | each list of a server's or resource's metadata | 10,000 | 2,048 | the document is refused |
/// | each URL of ``ServerURL`` | 1 | 2,048 | the document is refused |
/// | scopes and context classes of a challenge | 10,000 | 2,048 | the rest is ignored |
/// | granted scopes | 10,000 | 2,048 | the rest is ignored |
/// | granted authorization details | 10,000 | | they are ignored |
/// | scopes that a resource chooses for a sign-in | | 8,192 together | the caller must name them |
/// | the URL of a page | 1 | 16,384 | the page is not opened |
/// | a device's user code | 1 | 256 | the response is refused |
/// | keys | as `JWKSet` documents | | |
package enum ServerLimits {
  /// The maximum number of elements of a list.
  package static let elements = 10_000
  /// The maximum size of an element or a URL, in bytes.
  package static let elementSize = 2_048
  /// The maximum size of all scopes of a sign-in that a resource chooses, in bytes.
  package static let scopesSize = 8_192
  /// The maximum size of a URL that is shown to the user, in bytes.
  ///
  /// Servers accept request lines of 8 KiB (Apache httpd, nginx) to 16 KiB (IIS, Node.js).
  package static let pageURLSize = 16_384
  /// The maximum size of a device's user code, in bytes.
  static let userCodeSize = 256

  /// Checks a list of a document.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidResponse``.
  package static func check(_ list: [String]?, _ member: String, of document: String) throws(OAuthError) {
    guard let list else { return }
    guard list.count <= elements else {
      throw OAuthError(
        .invalidResponse,
        "The \(member) of \(document) has \(list.count) elements, where at most \(elements) are accepted."
      )
    }
    guard list.allSatisfy({ $0.utf8.count <= elementSize }) else {
      throw OAuthError(
        .invalidResponse, "The \(member) of \(document) has an element of more than \(elementSize) bytes.")
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
  ///   - remedy: A sentence that says how to make it smaller.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration``.
  package func checkPageURL(size: Int, remedy: String) throws(OAuthError) {
    guard size <= ServerLimits.pageURLSize else {
      throw OAuthError(
        .invalidConfiguration,
        "The URL of the page at \(server.name) would have \(size) bytes, and servers accept at most \(ServerLimits.pageURLSize). \(remedy)"
      )
    }
  }
}
