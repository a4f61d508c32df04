// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation
import Support

/// The frame of every page: head, title, header and main part.
struct Document {
  /// The state in a few words.
  ///
  /// The page's title begins with it, because a screen reader reads it first.
  let title: String
  let subtitle: String
  var buttons: HTML = ""
  /// The rules of the style element: the calendars' colours.
  var style: HTML = ""
  let main: HTML
  /// The path that the browser loads next, without user action.
  var next: StaticString?

  /// Returns the markup.
  ///
  /// - Parameter nonce: The nonce for the style element.
  func html(nonce: String) -> HTML {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(title) – Almanac</title>
    \(next.map { "<meta http-equiv=\"refresh\" content=\"0; url=\(HTML(stringLiteral: $0))\">" as HTML } ?? "")\
    <link rel="stylesheet" href="/style.css">
    <style nonce="\(nonce)">\(style)</style>
    </head>
    <body>
    <a class="skip" href="#content">Skip to the content</a>
    <header>
    <div><h1>Almanac</h1><p dir="auto">\(subtitle)</p></div>
    <div>\(buttons)</div>
    </header>
    <main id="content" tabindex="-1">
    \(main)
    </main>
    </body>
    </html>
    """
  }

  /// Returns a page with a heading, a text and a link to the main page.
  ///
  /// - Parameters:
  ///   - heading: The event.
  ///   - text: The explanation and the remedy.
  ///   - back: The label of the link to the main page.
  static func message(_ heading: String, _ text: String, back: String) -> Document {
    Document(
      title: heading, subtitle: "OAuth 2.0 and Google Calendar, on this computer.",
      main: """
        <section class="status error"><h2>\(heading)</h2><p>\(text)</p><p><a href="/">\(back)</a></p></section>
        """)
  }

  /// The page during the exchange of the authorization code.
  ///
  /// The page continues to the main page, which waits for the tokens.
  static let retrievingToken = Document(
    title: "Retrieving the token", subtitle: "OAuth 2.0 and Google Calendar, on this computer.",
    main: """
      <section class="progress" role="status"><h2>Retrieving the token …</h2>\
      <p>The authorization server's code is exchanged for tokens. <a href="/">Continue</a></p></section>
      """, next: "/")
}

extension HTTPResponse {
  /// Returns a page with strict security headers: it loads only its stylesheet and the profile's picture, cannot be framed, is not
  /// stored, and sends no referrer.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - document: The document.
  ///   - server: The authorization server, as a target of forms and a source of pictures. `nil` allows neither.
  ///   - nonce: The nonce for the style element.
  static func page(_ status: Int, _ document: Document, server: URL? = nil, nonce: String) -> HTTPResponse {
    let server = server.flatMap { Origin($0) }
    return HTTPResponse(
      status: status,
      fields: HTTPFields(
        SecurityHeaders.page(allowing: [
          "style-src 'self' 'nonce-\(nonce)'", "img-src \(server.map { "\($0)" } ?? "'none'")",
          "form-action 'self'\(server.map { " \($0)" } ?? "")",
        ])), body: Array(document.html(nonce: nonce).description.utf8))
  }

  static var stylesheet: HTTPResponse {
    HTTPResponse(
      status: 200,
      fields: HTTPFields(SecurityHeaders.common + [("Content-Type", "text/css; charset=utf-8")]),
      body: Array(Stylesheet.text.utf8))
  }

  /// Returns a redirect with status 303, which the browser follows with GET.
  static func redirect(to location: String) -> HTTPResponse {
    HTTPResponse(status: 303, fields: HTTPFields(SecurityHeaders.common + [("Location", location)]))
  }
}

/// Markup safe to include in a page.
///
/// All text is escaped, except literals in the source.
package struct HTML: ExpressibleByStringInterpolation, CustomStringConvertible {
  package private(set) var description: String

  package init(stringLiteral value: StaticString) { description = value.description }

  package init(stringInterpolation: Interpolation) { description = stringInterpolation.markup }

  /// Creates markup from text, with escapes for all characters that could end a text or an attribute.
  package init(text: String) { description = text.escapedForHTML }

  /// Creates markup by joining pieces.
  package init(_ pieces: some Sequence<HTML>) { description = pieces.map(\.description).joined() }

  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    package init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity * 2) }

    package mutating func appendLiteral(_ literal: StaticString) { markup += literal.description }

    package mutating func appendInterpolation(_ html: HTML) { markup += html.description }

    package mutating func appendInterpolation(_ text: String) { markup += HTML(text: text).description }

    package mutating func appendInterpolation(_ number: Int) { markup += String(number) }
  }
}
