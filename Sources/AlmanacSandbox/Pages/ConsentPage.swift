// SPDX-License-Identifier: Apache-2.0

import OAuthScope
import Support

/// The consent page, which shows the client, the account, the requested scopes and the redirect target.
struct ConsentPage {
  let id: String
  /// The path to which the form is posted.
  let action: String
  /// The redirect URI, for the link back to the application if the consent is used twice.
  let application: String
  let clientName: String
  let destination: String
  /// The users to choose from.
  let users: [Sandbox.User]
  /// The preselected user.
  let suggested: Sandbox.User
  let scopes: [Sandbox.OfferedScope]

  var html: String {
    let choices = scopes.filter { $0.scope != .openID }.map { scope in
      """
      <label><input type="checkbox" name="scope:\(scope.scope.rawValue.escapedForHTML)" checked>\
      <span>\(scope.explanation.escapedForHTML)<br><code class="soft">\(scope.scope.rawValue.escapedForHTML)</code></span></label>
      """
    }
    return page(
      title: "Allow \(clientName)?",
      """
      <h1><bdi>\(clientName.escapedForHTML)</bdi> wants access to your account</h1>
      \(users.count == 1 ? "<p class=\"account\">\(name(suggested))</p>" : "")
      <form method="post" action="\(action)">
      <input type="hidden" name="consent" value="\(id.escapedForHTML)">
      <input type="hidden" name="application" value="\(application.escapedForHTML)">
      \(users.count == 1 ? "" : accounts)
      \(choices.isEmpty
        ? "<p>It will know which account you use, and nothing else.</p>"
        : "<fieldset><legend>It will be able to</legend>\(choices.joined(separator: "\n"))</fieldset>")
      <p class="soft">Your decision is sent to <code>\(destination.escapedForHTML)</code>.</p>
      <div class="actions">
      <button name="decision" value="deny">Deny</button>
      <button name="decision" value="allow" class="primary">Allow</button>
      </div>
      </form>
      """)
  }

  private func name(_ user: Sandbox.User) -> String {
    "<bdi>\(user.name.escapedForHTML)</bdi> · <bdi>\(user.email.escapedForHTML)</bdi>"
  }

  private var accounts: String {
    let choices = users.map { user in
      """
      <label><input type="radio" name="user" value="\(user.email.escapedForHTML)"\
      \(user.email == suggested.email ? " checked" : "")><span>\(name(user))</span></label>
      """
    }
    return "<fieldset><legend>Sign in as</legend>\(choices.joined(separator: "\n"))</fieldset>"
  }
}

/// The picture of users without their own: head and shoulders on a disc, in a format decodable on every platform.
enum Avatar {
  static let png = PNG(
    side: 192,
    palette: [(0, 0, 0, 0), (0x16, 0xA7, 0x65, 0xFF), (0x1D, 0x1D, 0x1D, 0xFF)]
  ) { column, row in
    let isInside = { (y: Int, width: Int, height: Int) in
      let (x, y) = (column - 96, row - y)
      return x * x * height * height + y * y * width * width < width * width * height * height
    }
    if !isInside(96, 96, 96) { return 0 }
    return isInside(74, 34, 34) || isInside(176, 62, 58) ? 2 : 1
  }.bytes
}
