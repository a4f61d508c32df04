// SPDX-License-Identifier: Apache-2.0

#if os(macOS) || os(Linux)
  import Dispatch
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif
  import HTTPTransport
  import Support

  /// Opens URLs in the user's browser.
  public enum SystemBrowser {
    /// Opens `url` in the browser: with `open` on macOS, on Linux with `$BROWSER` or else `xdg-open` where there is a display.
    ///
    /// - Parameter url: An http or https URL; it must hold no secret, since other processes can see it.
    /// - Returns: Whether a browser was started. `false` means that the user has to be shown the URL.
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
        // $BROWSER is a colon-separated list of commands; a command with arguments of its own is not ours to parse.
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
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif
  public import Timekeeping

  extension LoopbackUserAgent {
    /// The system's browser, and `announce` for where there is none.
    ///
    /// - Parameters:
    ///   - path: The path of the redirect URI, as registered with the server.
    ///   - port: The port of the redirect URI, for a server that compares ports. Defaults to 0: the system picks a free one
    ///     for every sign-in.
    ///   - clock: The clock that deadlines are judged by.
    ///   - handoff: The way in which the browser learns the authorization URL. Defaults to a one-time link.
    ///   - allowsOtherUsers: Whether the browser may be another user's, such as that of an administrator who runs this program as
    ///     a service's user. Defaults to `false`. Only Linux tells whose a connection is.
    ///   - announce: Called with the authorization URL to show the user, and whether a browser was started. The URL holds
    ///     the `state` of the sign-in: show it where only this user can read it, such as on their terminal, and never as an
    ///     argument of a program.
    ///   - refused: Called at most once in a sign-in, when a response arrives without its `state`, and is refused.
    public static func systemBrowser(
      path: String = "/callback", port: Int = 0, clock: some WallClock = SystemClock(),
      handoff: Handoff = .link, allowsOtherUsers: Bool = false,
      announce: @escaping @Sendable (_ authorizationURL: URL, _ opened: Bool) -> Void,
      refused: @escaping @Sendable () -> Void = {}
    ) -> LoopbackUserAgent {
      LoopbackUserAgent(
        path: path, port: port, clock: clock, handoff: handoff, allowsOtherUsers: allowsOtherUsers, refused: refused
      ) { url, authorizationURL in
        announce(authorizationURL, url.isFileURL ? SystemBrowser.open(file: url) : SystemBrowser.open(url))
      }
    }
  }
#endif
