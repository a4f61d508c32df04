// SPDX-License-Identifier: Apache-2.0

import PlatformFoundation

extension LoopbackUserAgent {
  /// The way in which the browser receives the authorization URL.
  ///
  /// The URL itself must not be an argument of a program, which every user of the machine can read: it contains the sign-in's
  /// `state`.
  public enum Handoff: Sendable, Hashable {
    /// A one-time link to this machine, which redirects to the authorization URL.
    ///
    /// Other users can read the link. Only the first request for it is accepted, and a second one ends the sign-in.
    case link
    #if os(macOS) || os(Linux)
      /// An HTML file that redirects the browser to the authorization URL.
      ///
      /// Only this user can read the file: its mode is 0600, in a new folder with mode 0700 in the folder for temporary files.
      /// It is removed when the sign-in ends.
      ///
      /// Other users can read only its name. A browser in a sandbox, such as one from a snap or flatpak, cannot read it.
      case privateFile
    #endif
  }
}

extension LoopbackUserAgent.Handoff {
  /// Shows the user the authorization URL through the link or a file, which exists until `wait` ends.
  func show(
    _ authorizationURL: URL, or link: URL, by show: (_ url: URL, _ authorizationURL: URL) async throws -> Void,
    _ wait: () async throws -> URL
  ) async throws -> URL {
    switch self {
    case .link:
      try await show(link, authorizationURL)
      return try await wait()
    #if os(macOS) || os(Linux)
      case .privateFile:
        let page = try await PrivatePage.write(sendingTo: authorizationURL)
        defer { page.remove() }
        try await show(page.url, authorizationURL)
        return try await wait()
    #endif
    }
  }
}
