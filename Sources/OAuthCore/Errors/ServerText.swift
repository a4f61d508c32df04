// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// The text of a server, made fit to be shown.
package enum ServerText {
  /// Returns the printable ASCII characters of a text, with secrets replaced.
  ///
  /// - Parameters:
  ///   - text: The text of the server.
  ///   - secrets: What was sent to the server or came with its response, and must not be shown if it is repeated.
  ///   - limit: The maximum number of characters. Defaults to no limit.
  package static func shown(_ text: String, hiding secrets: [String], limit: Int = .max) -> String {
    // Cleaned first: a control character within a secret would hide it from the search and then be taken out.
    let forms = secrets.flatMap { [OAuthError.printable($0), FormEncoding.form.encode($0)] }
    // Three characters protect nothing, and stand in error codes by chance.
    let hidden = forms.filter { $0.utf8.count > 3 }.sorted { $0.utf8.count > $1.utf8.count }
    let shown = hidden.reduce(OAuthError.printable(text)) {
      $0.split(separator: $1, omittingEmptySubsequences: false).joined(separator: "<redacted>")
    }
    return String(shown.prefix(limit))
  }
}
