// SPDX-License-Identifier: Apache-2.0

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
