// SPDX-License-Identifier: Apache-2.0

import Support

/// The confirmation page of a sign-out, for requests without a valid ID token hint.
struct LogoutPage {
  /// The path to which the form is posted.
  let action: String
  let clientName: String?
  let parameters: Parameters

  private static let names = ["client_id", "post_logout_redirect_uri", "state"]

  var html: String {
    let fields = Self.names.compactMap { name in
      parameters[name].map { #"<input type="hidden" name="\#(name)" value="\#($0.escapedForHTML)">"# }
    }
    let reason = clientName.map { "<p><bdi>\($0.escapedForHTML)</bdi> asks you to sign out.</p>" } ?? ""
    return page(
      title: "Sign out?",
      """
      <h1>Sign out?</h1>
      \(reason)
      <form method="post" action="\(action)">
      \(fields.joined(separator: "\n"))
      <div class="actions">
      <button name="confirmed" value="yes" class="primary">Sign out</button>
      </div>
      </form>
      """)
  }
}
