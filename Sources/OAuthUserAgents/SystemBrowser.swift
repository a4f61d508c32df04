// SPDX-License-Identifier: Apache-2.0

#if os(macOS) || os(Linux)
  import Dispatch
  import HTTPTransport
  public import PlatformFoundation
  import Support

  /// The user's browser.
  public enum SystemBrowser {
    /// Opens `url` in the browser.
    ///
    /// On macOS, this runs `open`. On Linux, it runs the first command of `$BROWSER`, a list separated by colons, if
    /// this command has no arguments of its own. Otherwise, it runs `xdg-open` if there is a display (`DISPLAY`,
    /// `WAYLAND_DISPLAY` or `WSL_DISTRO_NAME`).
    ///
    /// - Parameter url: An http or https URL. It must not contain a secret, since other processes can see it.
    /// - Returns: Whether a browser was started. If `false`, show the URL to the user.
    public static func open(_ url: URL) -> Bool {
      guard Origin(url) != nil, let opener = opener() else { return false }
      return start(opener, [url.absoluteString])
    }

    /// Opens a page of this package in the browser.
    static func open(file: URL) -> Bool {
      opener().map { start($0, [file.absoluteString]) } ?? false
    }

    private static func opener() -> String? {
      #if os(macOS)
        return "/usr/bin/open"
      #else
        let environment = ProcessInfo.processInfo.environment
        // `$BROWSER` is a colon-separated list of commands; a command with arguments of its own is not parsed.
        if let browser = environment["BROWSER"]?.split(separator: ":").first,
          !browser.contains(where: { " %".contains($0) })
        {
          return String(browser)
        }
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"].contains {
          environment[$0]?.isEmpty == false
        }
        return hasDisplay ? "xdg-open" : nil
      #endif
    }

    /// Starts a program, and reaps it when it ends.
    private static func start(_ program: String, _ arguments: [String]) -> Bool {
      guard let child = ProgramStart.start(program, arguments) else { return false }
      DispatchQueue.global(qos: .utility).async {
        ProgramStart.wait(for: child)
      }
      return true
    }
  }
#endif

#if os(macOS) || os(Linux)
  public import PlatformFoundation
  public import Timekeeping

  extension LoopbackUserAgent {
    /// Returns a user agent that opens the system's browser, or announces the URL if there is none.
    ///
    /// ``SystemBrowser/open(_:)`` documents which browser is opened, and the effect of `$BROWSER`.
    ///
    /// - Parameters:
    ///   - path: The path of the redirect URI, as registered with the server.
    ///   - port: The port of the redirect URI, for a server that compares ports. Defaults to 0: the system chooses a
    ///     free port for every sign-in.
    ///   - clock: The clock for deadlines.
    ///   - handoff: The way in which the browser receives the authorization URL. Defaults to a one-time link.
    ///   - allowsOtherUsers: Whether the browser may belong to another user, such as an administrator who runs this program as
    ///     a service's user. Defaults to `false`. Only Linux reports the owner of a connection.
    ///   - page: The browser's last page. Defaults to one with the name of this process.
    ///   - announce: A closure called with the authorization URL, and whether a browser was started. The URL contains
    ///     the sign-in's `state`: show it where only this user can read it, such as on their terminal, and never as an
    ///     argument of a program.
    ///   - rejected: A closure called when a possible callback is rejected, at most once per sign-in for each kind of
    ///     ``Rejection``.
    public static func systemBrowser(
      path: String = "/callback", port: Int = 0, clock: some WallClock = SystemClock(),
      handoff: Handoff = .link, allowsOtherUsers: Bool = false, page: SignInPage = SignInPage(),
      announce: @escaping @Sendable (_ authorizationURL: URL, _ opened: Bool) -> Void,
      rejected: @escaping @Sendable (Rejection) -> Void = { _ in }
    ) -> LoopbackUserAgent {
      LoopbackUserAgent(
        path: path, port: port, clock: clock, handoff: handoff, allowsOtherUsers: allowsOtherUsers, page: page,
        rejected: rejected
      ) { url, authorizationURL in
        announce(authorizationURL, url.isFileURL ? SystemBrowser.open(file: url) : SystemBrowser.open(url))
      }
    }
  }
#endif
