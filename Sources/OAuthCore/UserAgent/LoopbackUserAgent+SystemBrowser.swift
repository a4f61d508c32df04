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
    ///   - path: The path of the redirect address, as registered with the server.
    ///   - clock: The clock that deadlines are judged by.
    ///   - announce: Called with the address to show the person, and whether a browser was started with it. The address
    ///     holds no secret.
    public static func systemBrowser(
      path: String = "/callback", clock: some WallClock = SystemClock(),
      announce: @escaping @Sendable (_ address: URL, _ opened: Bool) -> Void
    ) -> LoopbackUserAgent {
      LoopbackUserAgent(path: path, clock: clock) { address in
        announce(address, SystemBrowser.open(address))
      }
    }
  }
#endif
