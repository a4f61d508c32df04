import Almanac
import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The person at the sandbox's consent page: reads it and presses a button, over HTTP.
enum ConsentVisitor {
  /// It hands a redirect over instead of following it.
  static let http = DefaultTransport(limits: .init(redirects: 0))

  /// Returns where a URL redirects to.
  ///
  /// - Throws: ``DemoFailure`` if it does not; `TransportError`, `CancellationError`.
  static func follow(_ link: URL) async throws -> URL {
    guard let location = try await http.send(HTTPRequest(.get, link)).location else {
      throw DemoFailure("the link that the browser is opened at redirects to the authorization server")
    }
    return location
  }

  /// Opens an authorization address and answers what is asked there.
  ///
  /// - Parameter denies: Whether the person refuses; else they allow everything.
  /// - Returns: The address that the server sends the browser to.
  /// - Throws: ``DemoFailure`` if the server shows a page instead; `TransportError`, `CancellationError`.
  static func answer(_ address: URL, denies: Bool = false) async throws -> URL {
    let shown = try await http.send(HTTPRequest(.get, address))
    if let callback = shown.location { return callback }
    let page = String(decoding: shown.body, as: UTF8.self)
    guard let id = page.text(between: "name=\"consent\" value=\"", and: "\""),
      let action = page.text(between: "action=\"", and: "\""), let target = URL(string: action, relativeTo: address)
    else { throw DemoFailure("the authorization server asks the person") }
    var form: FormFields = ["consent": id, "decision": denies ? "deny" : "allow"]
    for piece in page.split(separator: "name=\"scope:").dropFirst() {
      form["scope:" + piece.prefix { $0 != "\"" }] = "on"
    }
    let answer = try await http.send(
      HTTPRequest(
        .post, target.absoluteURL, fields: ["Content-Type": "application/x-www-form-urlencoded"],
        body: FormEncoding.form.encode(form)))
    guard let callback = answer.location else { throw DemoFailure("the person's answer leads back to the application") }
    return callback
  }
}

extension HTTPResponse {
  fileprivate var location: URL? { status == 303 ? fields["Location"].flatMap { URL(string: $0) } : nil }
}

extension String {
  /// What stands between the first `start` and the next `end`.
  func text(between start: String, and end: String) -> String? {
    guard let from = firstRange(of: start)?.upperBound, let to = self[from...].firstRange(of: end)?.lowerBound else {
      return nil
    }
    return String(self[from..<to])
  }
}
