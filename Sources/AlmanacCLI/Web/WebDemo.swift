// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import HTTPTransport
import LoopbackHTTP
import OAuthCore
import OAuthUserAgents
import PlatformFoundation
import Synchronization
import Timekeeping

/// The web demonstration: the tutorials' page, served on loopback.
///
/// The tokens stay in this process and are never sent to the page.
enum WebDemo {
  /// Serves the page until the task is cancelled.
  static func run(_ context: Context, port: Int, opensBrowser: Bool) async throws {
    var configuration = Sandbox.Configuration()
    // The browser test of the page controls the sandbox to cause faults.
    configuration.isControllable = context.environment["ALMANAC_TEST_CONTROL"] == "1"
    try await DemoEnvironment.with(
      configuration: configuration, scopes: KnownProvider.googleScopes + [.calendarEvents], userAgent: nil
    ) { demo in
      let site = WebSite(demo: demo)
      let server = try await LoopbackServer.start(port: port) { await site.respond(to: $0) }
      await site.start(at: server.url)
      let url = await site.entrance
      if context.isJSON {
        try context.writeJSON(["url": url.absoluteString])
      } else {
        context.terminal.line("The page is at \(url.absoluteString)")
        context.terminal.line("The URL works once, for one browser. Stop with Ctrl-C.")
      }
      #if os(macOS) || os(Linux)
        if opensBrowser { _ = SystemBrowser.open(url) }
      #endif
      await context.waitForInterruption()
      await server.stop()
      context.terminal.note("Stopped.")
    }
  }
}
