// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
import PlatformFoundation
import Support
import Timekeeping

// The input, the transport and the browser of a command.
extension Context {
  /// Returns a transport without retries, which writes every exchange to standard error with --verbose.
  ///
  /// - Parameter certificate: The certificate for servers asking for one.
  /// - Throws: ``UsageError`` if the platform's transport has no client certificates.
  func transport(showing certificate: ClientCertificate? = nil) throws -> any Transport {
    let base = secrets.noted(by: try services.makeTransport(certificate))
    guard arguments.has("verbose") else { return base }
    let terminal = terminal
    return base.logging { terminal.note("\($0)") }
  }

  /// Returns the browser of a sign-in, or the prompt in place of it.
  ///
  /// Before the page is shown, the user agent writes the sign-in's API, server and scopes, if an API chose them. After the callback,
  /// it writes that the token is being retrieved, except with --json.
  ///
  /// - Parameters:
  ///   - port: The port of the redirect URI.
  ///   - explainsErrorPages: Whether to write the likely causes of an error page if the browser takes long.
  ///   - scopes: The scopes of the sign-in.
  func userAgent(port: Int?, explainsErrorPages: Bool, scopes: [Scope]) -> any UserAgent {
    let terminal = terminal
    var source = callbackSource(port: port)
    if explainsErrorPages, !arguments.has("no-browser") {
      source = ExplainingUserAgent(base: source, clock: clock) {
        tellCausesOfAnErrorPage(redirectURI: $0, scopes: scopes)
      }
    }
    let userAgent = source.confirming {
      tellSignIn(for: $0.resources, at: $0.issuer, page: $0.authorizationURL, scopes: $0.scopes)
    }
    guard !isJSON else { return userAgent }
    return AnnouncingUserAgent(base: userAgent) { terminal.note("Retrieving the token …") }
  }

  /// Writes the scopes, the API and the server of a sign-in, if an API chose them.
  ///
  /// The API and the server come last, so no number of scopes moves them off the screen. A page at another origin than the server's is
  /// named too: it can belong to another server, whose code the server would receive ([RFC 9700 § 4.4](https://www.rfc-editor.org/rfc/rfc9700.html#section-4.4)).
  func tellSignIn(for resources: [URL], at issuer: String, page: URL, scopes: [Scope]) {
    guard !resources.isEmpty else { return }
    terminal.note("This signs in to:")
    terminal.note("  Scopes: \(scopes.isEmpty ? "none" : scopes.shown())")
    terminal.note("  API: \(resources.map(\.absoluteString).shown())")
    terminal.note("  Server: \([issuer].shown())")
    if let origin = Origin(page), origin != Origin(issuer) { terminal.note("  Page: \(origin)") }
  }

  private func callbackSource(port: Int?) -> any UserAgent {
    let terminal = terminal
    if arguments.has("no-browser") { return PastedCallbackUserAgent(terminal: terminal, port: port) }
    return services.makeBrowser(port ?? 0) { notice in
      switch notice {
      case .page(let url, isShown: true):
        terminal.note(
          """
          Your browser shows the sign-in page. If it shows an error, end the sign-in here with Ctrl-C.
          If it shows nothing, open this URL:
          \(url.absoluteString)
          """)
      case .page(let url, isShown: false):
        terminal.note("Open this URL in a browser on this computer, or use --no-browser:\n\(url.absoluteString)")
      case .refusedRequest(let reason):
        terminal.note(
          """
          A request to the sign-in's port was rejected: \(reason)
          The sign-in is still waiting. If the request was the callback, end with Ctrl-C, and sign in with --no-browser.
          """)
      case .refusedResponse:
        terminal.note(
          """
          A callback was rejected, because its state is missing or does not match this sign-in. The sign-in is still waiting. If the
          callback came from the server's page, the server does not return the state and its sign-ins are not safe: end with
          Ctrl-C.
          """)
      }
    }
  }

  /// Returns the content of a file, or of standard input for `-`, without a byte order mark.
  ///
  /// - Throws: ``UsageError`` if it cannot be read or has more than 64 MiB, or `CancellationError`.
  func content(of file: String, option: String) async throws -> [UInt8] {
    let limit = 64 * 1024 * 1024
    let content =
      file == "-"
      ? try await terminal.readAll()
      : try await BlockingWork.runCancellable { try BlockingRead.content(of: file, upTo: limit + 1, isCancelled: $0) }
    guard let content else { throw UsageError("The file for --\(option) cannot be read.", command: command) }
    guard content.count <= limit else {
      throw UsageError("The file for --\(option) has more than 64 MiB.", command: command)
    }
    return Array(ByteOrderMark.dropped(from: content))
  }

  /// Returns the remaining validity in words, such as `for 59 min 30 s`.
  ///
  /// - Parameters:
  ///   - expiry: The expiry by the server's clock, or `nil` if unknown.
  ///   - offset: The server's clock minus this computer's.
  func validity(until expiry: Timestamp?, serverClockOffset offset: Duration) -> String {
    guard let expiry else { return "for an unknown time" }
    // Of times, not of durations: a stored offset can be any duration.
    let seconds = (expiry - (clock.now + offset)).components.seconds
    return seconds > 0 ? "for \(Self.inWords(seconds))" : "no longer"
  }

  /// Returns a number of seconds in its two largest units.
  private static func inWords(_ seconds: Int64) -> String {
    let parts = [
      (seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "min"),
      (seconds % 60, "s"),
    ]
    let first = parts.firstIndex { $0.0 > 0 } ?? parts.count - 1
    return parts[first...].prefix(2).map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }
}
