// SPDX-License-Identifier: Apache-2.0

import Almanac
package import HTTPTransport
package import OAuthCore
import OAuthUserAgents
package import Timekeeping
package import TokenStore

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The message to the user about the browser of a sign-in.
package enum BrowserNotice: Sendable {
  /// The URL of the server's page, and whether a browser shows it.
  case page(URL, isShown: Bool)
  /// A response arrived without the `state` of the sign-in, and was refused.
  case refusedResponse
}

/// What the program reaches outside itself.
///
/// A test replaces it, and runs the whole program in its own process.
package struct Services: Sendable {
  /// Makes a browser for a sign-in.
  ///
  /// - Parameters:
  ///   - port: The port of the redirect URI; 0 for one that is free.
  ///   - announce: Called with what the user is told.
  package typealias BrowserMaker =
    @Sendable (_ port: Int, _ announce: @escaping @Sendable (BrowserNotice) -> Void) -> any UserAgent

  /// Makes a transport, which shows the client certificate if there is one.
  package typealias TransportMaker = @Sendable (ClientCertificate?) throws -> any Transport

  package var environment: [String: String]
  package var console: any Console
  package var storage: any TokenStorage
  package var clock: any WallClock
  package var makeTransport: TransportMaker
  package var makeBrowser: BrowserMaker

  package init(
    environment: [String: String], console: any Console, storage: any TokenStorage, clock: any WallClock,
    makeTransport: @escaping TransportMaker, makeBrowser: @escaping BrowserMaker
  ) {
    self.environment = environment
    self.console = console
    self.storage = storage
    self.clock = clock
    self.makeTransport = makeTransport
    self.makeBrowser = makeBrowser
  }

  /// This computer.
  static func system(_ console: any Console) -> Services {
    Services(
      environment: ProcessInfo.processInfo.environment, console: console, storage: FileTokenStorage(),
      clock: SystemClock(),
      makeTransport: { certificate in
        if let certificate { return try certificate.transport() }
        return DefaultTransport()
      },
      makeBrowser: { port, announce in
        LoopbackUserAgent.systemBrowser(port: port) {
          announce(.page($0, isShown: $1))
        } refused: {
          announce(.refusedResponse)
        }
      })
  }
}
