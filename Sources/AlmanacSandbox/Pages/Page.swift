// SPDX-License-Identifier: Apache-2.0

import Support

/// The frame of every page: no script, no resources from elsewhere, one style that the policy knows by its digest.
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
