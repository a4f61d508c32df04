// SPDX-License-Identifier: Apache-2.0

import Almanac
import HTTPTransport
import PlatformFoundation

/// A minimal browser for the demonstration's page, which keeps the cookie and presses buttons.
struct PageVisitor {
  private let base: URL
  private let http = DefaultTransport(limits: .init(redirects: 0))
  private var cookie: String?
  /// The last loaded page.
  private(set) var page = ""

  init(base: URL) { self.base = base }

  /// Loads a URL.
  mutating func get(_ url: URL) async throws { _ = try await send(HTTPRequest(.get, url)) }

  /// Presses the button with an identifier on the page.
  ///
  /// - Returns: The URL of the redirect.
  mutating func press(_ button: String) async throws -> URL {
    let form = page.text(between: "<form method=\"post\" action=\"/\(button)\">", and: "</form>")
    guard let key = form?.text(between: "name=\"key\" value=\"", and: "\"") else {
      throw DemoFailure("the page has a button called \(button)")
    }
    let response = try await send(
      HTTPRequest(
        .post, base.appending(path: button), fields: ["Content-Type": "application/x-www-form-urlencoded"],
        body: FormEncoding.form.encodedBytes(["key": key])))
    guard let location = response.fields["Location"], let url = URL(string: location, relativeTo: base) else {
      throw DemoFailure("the button \(button) leads somewhere")
    }
    return url.absoluteURL
  }

  private mutating func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    request.fields["Cookie"] = cookie
    let response = try await http.send(request)
    if let set = response.fields["Set-Cookie"] { cookie = set.split(separator: ";").first.map(String.init) }
    if response.isSuccess { page = String(decoding: response.body, as: UTF8.self) }
    return response
  }
}
