// SPDX-License-Identifier: Apache-2.0

import Support

/// Returns a page with a common layout: no scripts, no external resources, and one style, allowed by its digest in the
/// content security policy.
func page(title: String, _ body: String) -> String {
  """
  <!doctype html>
  <html lang="en">
  <head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>\(title.escapedForHTML) – Sandbox</title>
  <style>\(Stylesheet.css)</style>
  </head>
  <body>
  <main>
  \(body)
  </main>
  <footer>A sandbox for testing. Neither the account nor its data is real.</footer>
  </body>
  </html>

  """
}

/// The style of every page, included verbatim.
enum Stylesheet {
  static let css = """
    :root{color-scheme:light dark;--ink:#1d1d1d;--soft:#55595f;--paper:#f4f5f7;--card:#fff;--line:#d5d9de;--accent:#1a56c4;\
    --on-accent:#fff}\
    @media(prefers-color-scheme:dark){:root{--ink:#f1f3f4;--soft:#b3b9c1;--paper:#15171a;--card:#202327;--line:#3c4147;\
    --accent:#8ab4f8;--on-accent:#10131a}}\
    *{box-sizing:border-box}\
    body{margin:0;min-height:100vh;display:flex;flex-direction:column;align-items:center;justify-content:center;\
    padding:1rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}\
    main{width:100%;max-width:30rem;padding:2rem;border:1px solid var(--line);border-radius:1rem;background:var(--card)}\
    h1{margin:0 0 .5rem;font-size:1.4rem;line-height:1.3}\
    p{margin:.5rem 0}\
    a{color:var(--accent);overflow-wrap:anywhere}\
    .back a{display:inline-block;padding:.625rem 0}\
    footer,.soft{color:var(--soft);font-size:.875rem}\
    footer{margin-top:1rem;text-align:center}\
    .account{display:inline-block;margin:.5rem 0 1rem;padding:.25rem .75rem;border:1px solid var(--line);\
    border-radius:1rem;overflow-wrap:anywhere}\
    fieldset{margin:0;padding:0;border:0}\
    legend{padding:0;font-weight:600}\
    label{display:flex;gap:.75rem;padding:.75rem 0;border-bottom:1px solid var(--line)}\
    input{flex:none;width:1.25rem;height:1.25rem;margin:.125rem 0;accent-color:var(--accent)}\
    code{overflow-wrap:anywhere}\
    .actions{display:flex;flex-wrap:wrap;gap:.75rem;justify-content:flex-end;margin-top:1.5rem}\
    button{min-height:2.75rem;padding:.5rem 1.5rem;border:1px solid var(--accent);border-radius:1.5rem;\
    background:transparent;color:var(--accent);font:inherit;font-weight:600;cursor:pointer}\
    button.primary{background:var(--accent);color:var(--on-accent)}\
    :focus-visible{outline:3px solid var(--accent);outline-offset:2px}\
    @media(max-width:24rem){main{padding:1.25rem}button{width:100%}}
    """
}

/// A page with a heading, a message and a link back.
struct MessagePage {
  let title: String
  let message: String
  /// The target of the link back, or `nil` for the sandbox's welcome page.
  var application: String?

  var html: String {
    let back =
      application.map { #"<a href="\#($0.escapedForHTML)">Back to the application</a>"# }
      ?? #"<a href="/">About this server</a>"#
    return page(
      title: title, "<h1>\(title.escapedForHTML)</h1>\n<p>\(message.escapedForHTML)</p>\n<p class=\"back\">\(back)</p>")
  }
}
