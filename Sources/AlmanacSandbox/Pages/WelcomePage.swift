// SPDX-License-Identifier: Apache-2.0

import Support

/// The overview page at the base URL.
struct WelcomePage {
  let issuer: String
  let user: Sandbox.User

  var html: String {
    page(
      title: "Sandbox",
      """
      <h1>Sandbox</h1>
      <p>An authorization server and a Calendar API to try applications against.</p>
      <p class="account"><bdi>\(user.name.escapedForHTML)</bdi> · <bdi>\(user.email.escapedForHTML)</bdi></p>
      <p>Issuer: <code>\(issuer.escapedForHTML)</code></p>
      <p>Metadata: <a href="/.well-known/openid-configuration"><code>/.well-known/openid-configuration</code></a></p>
      <p>Calendar API: <code>\(issuer.escapedForHTML)/calendar/v3/</code></p>
      <p>A second provider, like Meetup: <code>\(issuer.escapedForHTML)\(Path.meetup)/</code></p>
      """)
  }
}
