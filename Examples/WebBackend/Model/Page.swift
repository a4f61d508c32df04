// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import OAuthCore

extension HTTPResponse {
  /// Returns a page with a list, and buttons for a signed-in user.
  static func page(_ status: Int, _ title: String, _ items: [String]) -> HTTPResponse {
    let list = items.map { "<li>\(escaped($0))</li>" }.joined()
    let buttons = [("sign-out", "Sign out"), ("disconnect", "Disconnect from Google")].map {
      #"<form method="post" action="/\#($0)"><button>\#($1)</button></form>"#
    }
    return page(status, title, html: "<ul>\(list)</ul>\(buttons.joined())")
  }

  static func page(_ status: Int, _ title: String, _ text: String = "", signIn: String = "Sign in again")
    -> HTTPResponse
  {
    page(status, title, html: #"<p>\#(escaped(text))</p><p><a href="/sign-in">\#(escaped(signIn))</a></p>"#)
  }

  /// Returns a page about a sign-in that failed or has ended.
  static func page(_ error: OAuthError) -> HTTPResponse {
    switch error.code {
    case .accessDenied: page(403, "No access", error.message)
    case .signInRequired: page(401, "Signed out", error.message)
    case .serverUnavailable: page(502, "That did not work", error.message)
    default: page(400, "That did not work", error.message)
    }
  }

  private static func page(_ status: Int, _ title: String, html: String) -> HTTPResponse {
    let title = escaped(title)
    let text = "<!doctype html><meta charset=utf-8><title>\(title)</title><h1>\(title)</h1>\(html)"
    return HTTPResponse(
      status: status,
      fields: [
        "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store",
        "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
      ],
      body: Array(text.utf8))
  }

  /// Returns text with HTML's special characters escaped, because a calendar's title can be any text.
  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
  }
}

extension HTTPRequest {
  /// The session's identifier, from the cookie.
  var session: String? {
    let cookies = (fields["Cookie"] ?? "").split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
    return cookies.first { $0.hasPrefix("session=") }.map { String($0.dropFirst("session=".count)) }
  }
}
