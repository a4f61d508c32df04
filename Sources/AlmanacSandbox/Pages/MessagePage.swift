// SPDX-License-Identifier: Apache-2.0

import Support

/// A page with a heading, a sentence and a way back.
struct MessagePage {
  let title: String
  let message: String
  /// Where the way back leads; `nil` for the sandbox's own first page.
  var application: String?

  var html: String {
    let back =
      application.map { #"<a href="\#($0.escapedForHTML)">Back to the application</a>"# }
      ?? #"<a href="/">About this server</a>"#
    return page(
      title: title, "<h1>\(title.escapedForHTML)</h1>\n<p>\(message.escapedForHTML)</p>\n<p class=\"back\">\(back)</p>")
  }
}
