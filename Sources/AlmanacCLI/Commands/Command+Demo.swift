extension Command {
  static let demo = Command(
    name: "demo",
    summary: "Watch the whole journey against a server in this program: no account, no network.",
    discussion: """
      An authorization server and a Calendar API are started on this computer. The demonstration signs in with PKCE, keeps
      the token in a file, lists the calendars in their colours, lets the token expire, heals a rejected one and
      revokes the access: real HTTP, and the code that talks to Google. With --web you are the person in the browser.
      """,
    options: [
      Option("web", nil, "serve a page with Grant and Revoke until interrupted"),
      Option("port", "N", "the page's port (default: one that is free)"),
      Option("no-browser", nil, "do not open the page in a browser"),
    ]
  ) { context in
    if context.arguments.has("web") {
      guard let port = Int(context.arguments["port"] ?? "0"), (0...65_535).contains(port) else {
        throw UsageError("--port is a number from 0 to 65535.", command: context.command)
      }
      try await WebDemo.run(context, port: port, opensBrowser: !context.arguments.has("no-browser"))
    } else {
      try await TerminalDemo.run(context)
    }
  }
}
