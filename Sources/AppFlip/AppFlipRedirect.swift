// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// An address that an answer may go to: a universal link of one of Google's apps.
///
/// Compared as text, exactly: another scheme, port, case, encoding or a query makes another address, which is none.
public struct AppFlipRedirect: Sendable, Hashable {
  /// Where Google takes answers.
  public enum Host: String, Sendable, Hashable, CaseIterable {
    /// What people use.
    case production = "oauth-redirect.googleusercontent.com"
    /// What Google's own tests use.
    case sandbox = "oauth-redirect-sandbox.googleusercontent.com"
  }

  /// The host.
  public let host: Host
  /// The bundle identifier of the app that the address opens.
  public let bundleIdentifier: String

  /// Creates an address.
  public init(host: Host = .production, bundleIdentifier: String) {
    self.host = host
    self.bundleIdentifier = bundleIdentifier
  }

  /// Reads an address, such as `https://oauth-redirect.googleusercontent.com/a/com.google.Chromecast`.
  ///
  /// - Returns: `nil` if it is on neither host, or anything but a bundle identifier is where one has to be. Whether the app
  ///   is a trusted one is not decided here.
  public init?(_ address: String) {
    let bytes = address.utf8
    for host in Host.allCases where bytes.starts(with: host.prefix.utf8) {
      let identifier = bytes.dropFirst(host.prefix.utf8.count)
      guard !identifier.isEmpty, identifier.allSatisfy(\.isBundleIdentifierCharacter) else { return nil }
      self.init(host: host, bundleIdentifier: String(Substring(identifier)))
      return
    }
    return nil
  }

  /// The address as text.
  ///
  /// What a bundle identifier cannot hold is percent-encoded.
  public var address: String { host.prefix + FormEncoding.query.encode(bundleIdentifier) }
}

extension AppFlipRedirect {
  /// The twelve addresses of the Google Home and Google Assistant apps
  /// ([App Flip for iOS](https://developers.google.com/identity/account-linking/app-flip-ios)).
  public static let google = onEveryHost([
    "com.google.Chromecast.dev", "com.google.Chromecast.enterprise", "com.google.Chromecast",
    "com.google.OPA.dev", "com.google.OPA.enterprise", "com.google.OPA",
  ])

  /// The addresses of some apps, on both hosts.
  ///
  /// - Parameter bundleIdentifiers: The apps' bundle identifiers.
  public static func onEveryHost(_ bundleIdentifiers: Set<String>) -> Set<AppFlipRedirect> {
    Set(Host.allCases.flatMap { host in bundleIdentifiers.map { AppFlipRedirect(host: host, bundleIdentifier: $0) } })
  }
}

extension AppFlipRedirect: CustomStringConvertible {
  /// The address.
  public var description: String { address }
}

extension AppFlipRedirect.Host {
  fileprivate var prefix: String { "https://\(rawValue)/a/" }
}

extension UInt8 {
  /// Letters, digits, hyphen and full stop.
  fileprivate var isBundleIdentifierCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
