// SPDX-License-Identifier: Apache-2.0

import Almanac
package import HTTPTransport
package import OAuthCore
import OAuthUserAgents
package import PlatformFoundation
package import Timekeeping

/// The message to the user about the browser of a sign-in.
package enum BrowserNotice: Sendable {
  /// The URL of the sign-in page, and whether a browser was opened for it.
  case page(URL, isShown: Bool)
  /// A callback without the sign-in's `state` was rejected.
  case refusedResponse
  /// A request that may have been the callback was rejected, with the reason as a sentence.
  case refusedRequest(String)
}

/// The external services of the program: environment, console, storages, files, clock, network and browser.
///
/// Tests replace them to run the whole program in their own process.
package struct Services: Sendable {
  /// Creates a browser for a sign-in.
  ///
  /// - Parameters:
  ///   - port: The port of the redirect URI, or 0 for a free one.
  ///   - announce: Called with each notice to the user.
  package typealias BrowserMaker =
    @Sendable (_ port: Int, _ announce: @escaping @Sendable (BrowserNotice) -> Void) -> any UserAgent

  /// Opens a token storage.
  package typealias StorageOpener = @Sendable (StorageName) throws -> CommandStorage

  /// Creates a transport, which presents the client certificate if there is one.
  package typealias TransportMaker = @Sendable (ClientCertificate?) throws -> any Transport

  package var environment: [String: String]
  package var console: any Console
  package var openStorage: StorageOpener
  package var files: any CommandFiles
  package var clock: any WallClock
  package var makeTransport: TransportMaker
  package var makeBrowser: BrowserMaker

  package init(
    environment: [String: String], console: any Console, openStorage: @escaping StorageOpener,
    files: any CommandFiles = SystemFiles(), clock: any WallClock,
    makeTransport: @escaping TransportMaker, makeBrowser: @escaping BrowserMaker
  ) {
    self.environment = environment
    self.console = console
    self.openStorage = openStorage
    self.files = files
    self.clock = clock
    self.makeTransport = makeTransport
    self.makeBrowser = makeBrowser
  }

  /// The services of this computer.
  static func system(_ console: any Console) -> Services {
    Services(
      environment: ProcessInfo.processInfo.environment, console: console,
      openStorage: CommandStorage.system,
      clock: SystemClock(),
      makeTransport: { certificate in
        if let certificate { return try certificate.transport() }
        return DefaultTransport()
      },
      makeBrowser: { port, announce in
        LoopbackUserAgent.systemBrowser(port: port) {
          announce(.page($0, isShown: $1))
        } rejected: {
          switch $0 {
          case .otherState: announce(.refusedResponse)
          case .unreadable(let reason): announce(.refusedRequest(reason))
          }
        }
      })
  }
}
