// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Support

/// The page whose form posts the authorization response to the application
/// ([form_post](https://openid.net/specs/oauth-v2-form-post-response-mode-1_0.html)).
///
/// The user submits it, because pages have no script.
struct PostedResponsePage {
  /// The redirect URI.
  let target: String
  let parameters: FormFields

  var html: String {
    let fields = parameters.map {
      #"<input type="hidden" name="\#($0.name.escapedForHTML)" value="\#($0.value.escapedForHTML)">"#
    }
    return page(
      title: "Back to the application",
      """
      <h1>Back to the application</h1>
      <form method="post" action="\(target.escapedForHTML)">\(fields.joined())<button>Continue</button></form>
      """)
  }
}
