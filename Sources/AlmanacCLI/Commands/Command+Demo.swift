// SPDX-License-Identifier: Apache-2.0

extension Command {
  static let demo = Command(
    name: "demo",
    summary: "Show sign-in, refresh and revocation against a built-in server, without account or network.",
    discussion: """
      The demonstration starts an authorization server and a Calendar API on this computer. It signs in with PKCE, stores
      the token in a file, lists the calendars in their colours, lets the token expire, refreshes a rejected token and
      revokes the access. HTTP is real, and the code is the same as with Google. With --web, you are the user in the browser.
      """,
    options: [
      Option("all", nil, "demonstrate every system that the package replaces, and check every statement"),
      Option("web", nil, "serve a page with Grant and Revoke until interrupted"),
      Option("port", "N", "the page's port (default: a free one)"),
      Option("no-browser", nil, "do not open the page in a browser"),
    ]
  ) { context in
    guard !(context.arguments.has("web") && context.arguments.has("all")) else {
      throw UsageError("--web and --all cannot be combined. Omit one.", command: context.command)
    }
    if context.arguments.has("all") {
      try await SystemsDemo.run(context)
    } else if context.arguments.has("web") {
      let port = try context.port("port") ?? 0
      try await WebDemo.run(context, port: port, opensBrowser: !context.arguments.has("no-browser"))
    } else {
      try await TerminalDemo.run(context)
    }
  }
}
