// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import TokenStore

/// The first page as a value: the account's state, its calendars, and what happened.
///
/// No token is within its reach.
struct AccountPage {
  /// The outcome of the last action, shown once.
  struct Notice {
    let text: String
    var isError = false

    init(text: String) { self.text = text }

    /// The message of an error, with its remedy.
    init(_ error: any Error) {
      text = Failure(error, hiding: []).message
      isError = true
    }
  }

  /// What was read with the token.
  struct Content {
    /// `nil` if the calendars were not granted.
    var calendars: (list: PaintedCalendars, agenda: Agenda)?
    /// `nil` if the profile was not granted.
    var profile: UserProfile?
  }

  var notice: Notice?
  let isSignedIn: Bool
  /// `nil` without a sign-in, or if it could not be read this time.
  let content: Content?
  let access: GrantedAccess
  let formKey: Secret
  let history: History

  var document: Document {
    Document(
      title: notice?.text ?? state, subtitle: isSignedIn ? state : "OAuth 2.0 and Google Calendar, on this computer.",
      buttons: buttons, style: paint,
      main: """
        \(notice.map(section) ?? "")
        \(access.missing.isEmpty || !isSignedIn ? "" : partialGrant)
        \(content.map(sections) ?? (isSignedIn ? log : invitation))
        """)
  }

  private var state: String {
    isSignedIn ? "\(content?.profile?.name ?? content?.profile?.email ?? "You") · signed in" : "Signed out"
  }

  private var buttons: HTML {
    guard isSignedIn else { return button("grant", "Grant", isPrimary: true) }
    return HTML([
      button("hour", "Let an hour pass"), button("forget", "Reject the token"), button("relaunch", "Relaunch"),
      button("revoke", "Revoke"),
    ])
  }

  func button(_ action: String, _ label: String, isPrimary: Bool = false) -> HTML {
    """
    <form method="post" action="/\(action)"><input type="hidden" name="key" value="\(formKey.reveal())">\
    <button id="\(action)"\(HTML(stringLiteral: isPrimary ? " class=\"primary\"" : ""))>\(label)</button></form>
    """
  }

  /// It takes the focus, so that a screen reader says it at once.
  private func section(_ notice: Notice) -> HTML {
    notice.isError
      ? """
      <section class="status error" role="alert" tabindex="-1" autofocus><p><strong>Error:</strong> \(notice.text)</p></section>
      """
      : """
      <section class="status" role="status" tabindex="-1" autofocus><p>\(notice.text)</p></section>
      """
  }

  private var invitation: HTML {
    """
    <section aria-labelledby="begin"><h2 id="begin">No account is signed in</h2>
    <p>Grant sends you to the sandbox's consent page and back. It requests your profile and for your calendars, read only.</p>
    </section>
    \(history.isEmpty ? "" : log)
    """
  }

  private var partialGrant: HTML {
    """
    <section class="status partial" aria-labelledby="access"><h2 id="access">Only a part of the access was granted</h2>
    <dl><dt>Granted</dt><dd>\(access.granted.joined(separator: "; "))</dd>\
    <dt>Not granted</dt><dd>\(access.missing.joined(separator: "; "))</dd></dl>
    \(button("grant", "Grant the rest", isPrimary: true))</section>
    """
  }

  var log: HTML {
    """
    <section aria-labelledby="log"><h2 id="log">What just happened</h2>
    \(history.isEmpty ? "<p>Nothing yet.</p>" : history.html)</section>
    """
  }
}
