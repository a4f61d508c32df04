// SPDX-License-Identifier: Apache-2.0

extension Command {
  static let demo = Command(
    name: "demo",
    summary: "Watch the whole journey against a server in this program: no account, no network.",
    discussion: """
      An authorization server and a Calendar API are started on this computer. The demonstration signs in with PKCE, keeps
      the token in a file, lists the calendars in their colours, lets the token expire, refreshes a rejected one and
      revokes the access: real HTTP, and the code that talks to Google. With --web you are the user in the browser.
      """,
    options: [
      Option("all", nil, "run every system that the package replaces, and check every statement"),
      Option("web", nil, "serve a page with Grant and Revoke until interrupted"),
      Option("port", "N", "the page's port (default: one that is free)"),
      Option("no-browser", nil, "do not open the page in a browser"),
    ]
  ) { context in
    guard !(context.arguments.has("web") && context.arguments.has("all")) else {
      throw UsageError("--web and --all exclude each other.", command: context.command)
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
