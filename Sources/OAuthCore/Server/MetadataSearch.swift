// SPDX-License-Identifier: Apache-2.0

package import HTTPTransport
import JSONCoding
package import PlatformFoundation

/// A metadata document, whose identifier is its only required member.
package protocol MetadataDocument: Decodable {
  /// The name of the required member.
  static var identifier: String { get }
}

/// A search for a metadata document at several URLs.
///
/// Any response other than the document lets the search continue: servers respond to an unknown path with 404, but also with 401, 403
/// or 405, or with a web page. If no URL has the document, the error names each URL and its response.
package struct MetadataSearch {
  private var misses: [(url: URL, response: String)] = []
  /// Whether a server was temporarily unavailable.
  ///
  /// The document may then exist nevertheless.
  package private(set) var isInterrupted = false

  package init() {}

  /// Returns the document at a URL, or `nil` for any other response.
  ///
  /// - Parameter timeout: The timeout of the request, or `nil` for the transport's.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidResponse`` if the document exceeds ``ServerLimits``.
  ///   Also `TransportError` and `CancellationError`.
  @concurrent package mutating func read<Document: MetadataDocument>(
    _ url: URL, as type: Document.Type, timeout: Duration? = nil, through transport: some Transport
  ) async throws -> Document? {
    let response = try await transport.send(
      HTTPRequest(
        .get, url, fields: ["Accept": "application/json"], timeout: timeout, redirectScope: .sameOrigin))
    // Another origin cannot publish the metadata.
    guard response.redirectedOrigin == nil else { return miss(url, "redirected to another origin") }
    guard response.status == 200 else {
      if response.isTransientFailure { isInterrupted = true }
      return miss(url, "responded with status \(response.status)")
    }
    // An empty member is absent (RFC 8414 § 3.2, RFC 9728 § 3.2).
    guard let json = (try? JSONValue(json: response.body))?.withoutAbsentMembers, let members = json.object else {
      return miss(url, "responded without a JSON object")
    }
    try ServerLimits.check(metadata: members, of: Self.shown(url))
    guard let document = try? JSONDecoder().decode(type, from: Data(json.json())) else {
      return miss(url, "responded without a valid member \(type.identifier)")
    }
    return document
  }

  private mutating func miss<Document>(_ url: URL, _ response: String) -> Document? {
    misses.append((url, response))
    return nil
  }

  private static func shown(_ url: URL) -> String {
    OAuthError.printable((Origin(url)?.description ?? "") + url.path(percentEncoded: true), limit: 300)
  }

  /// Returns the error of a search without a result.
  ///
  /// - Parameters:
  ///   - owner: The server or resource described by the metadata.
  ///   - remedy: The advice for an owner without metadata.
  package func error(searchingFor owner: String, remedy: String) -> OAuthError {
    let responses = misses.map { "\(Self.shown($0.url)) \($0.response)" }
    let found = "\(owner) publishes no metadata: \(responses.joined(separator: ", "))."
    return isInterrupted
      ? OAuthError(.serverUnavailable, "\(found) Try again later.") : OAuthError(.invalidResponse, "\(found) \(remedy)")
  }
}
