// SPDX-License-Identifier: Apache-2.0

import Almanac
import HTTPTransport
import PlatformFoundation

/// A simulated user of the sandbox's consent page, who loads the page and presses a button over HTTP.
enum ConsentVisitor {
  /// The transport, which returns redirects instead of following them.
  static let http = DefaultTransport(limits: .init(redirects: 0))

  /// Returns the URL to which `link` redirects.
  ///
  /// - Throws: ``DemoFailure`` without a redirect, `TransportError`, or `CancellationError`.
  static func follow(_ link: URL) async throws -> URL {
    guard let location = try await http.send(HTTPRequest(.get, link)).location else {
      throw DemoFailure("the link that the browser is opened at redirects to the authorization server")
    }
    return location
  }

  /// Opens an authorization URL and submits the consent form.
  ///
  /// - Parameters:
  ///   - url: The authorization URL.
  ///   - denies: Whether to deny the request. Defaults to `false`, which allows everything.
  /// - Returns: The URL of the server's redirect.
  /// - Throws: ``DemoFailure`` if the server shows a page instead, `TransportError`, or `CancellationError`.
  static func decide(_ url: URL, denies: Bool = false) async throws -> URL {
    let shown = try await http.send(HTTPRequest(.get, url))
    if let callback = shown.location { return callback }
    let page = String(decoding: shown.body, as: UTF8.self)
    guard let id = page.text(between: "name=\"consent\" value=\"", and: "\""),
      let action = page.text(between: "action=\"", and: "\""), let target = URL(string: action, relativeTo: url)
    else { throw DemoFailure("the authorization server shows a consent form") }
    var form: FormFields = ["consent": id, "decision": denies ? "deny" : "allow"]
    for piece in page.split(separator: "name=\"scope:").dropFirst() {
      form["scope:" + piece.prefix { $0 != "\"" }] = "on"
    }
    let response = try await http.send(
      HTTPRequest(
        .post, target.absoluteURL, fields: ["Content-Type": "application/x-www-form-urlencoded"],
        body: FormEncoding.form.encodedBytes(form)))
    guard let callback = response.location else { throw DemoFailure("the decision leads back to the application") }
    return callback
  }
}

extension HTTPResponse {
  fileprivate var location: URL? { status == 303 ? fields["Location"].flatMap { URL(string: $0) } : nil }
}

extension String {
  /// Returns the text between the first `start` and the next `end`.
  func text(between start: String, and end: String) -> String? {
    guard let from = firstRange(of: start)?.upperBound, let to = self[from...].firstRange(of: end)?.lowerBound else {
      return nil
    }
    return String(self[from..<to])
  }
}
