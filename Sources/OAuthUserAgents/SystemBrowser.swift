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
