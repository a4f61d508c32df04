// SPDX-License-Identifier: Apache-2.0

#if os(macOS) || os(Linux)
  import Dispatch
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif
  import HTTPTransport
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

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

    /// Starts a program found by `PATH`, its input and output being /dev/null, and reaps it when it ends.
    private static func start(_ program: String, _ arguments: [String]) -> Bool {
      #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
      #else
        var actions = unsafe posix_spawn_file_actions_t()
      #endif
      // Every pointer below is used within its call: `actions` is initialised by the first and destroyed at the end, and
      // the argument strings are freed after the spawn, which copies them.
      unsafe posix_spawn_file_actions_init(&actions)
      defer { unsafe posix_spawn_file_actions_destroy(&actions) }
      // In a process group of its own, so that Ctrl-C here does not end it, and with signals as a new program expects them
      // instead of as this thread has them.
      #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
      #else
        var attributes = posix_spawnattr_t()
      #endif
      unsafe posix_spawnattr_init(&attributes)
      defer { unsafe posix_spawnattr_destroy(&attributes) }
      var signals = sigset_t()
      unsafe sigemptyset(&signals)
      unsafe posix_spawnattr_setsigmask(&attributes, &signals)
      unsafe sigfillset(&signals)
      unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
      unsafe posix_spawnattr_setpgroup(&attributes, 0)
      let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
      unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
      for descriptor: Int32 in 0...2 {
        unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
      }
      var argv: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map { unsafe strdup($0) }
      unsafe argv.append(nil)
      defer { unsafe argv.forEach { unsafe free($0) } }
      var process: pid_t = 0
      guard unsafe posix_spawnp(&process, program, &actions, &attributes, argv, environ) == 0 else { return false }
      let child = process
      DispatchQueue.global(qos: .utility).async {
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) == -1, errno == EINTR {}
      }
      return true
    }
  }
#endif
