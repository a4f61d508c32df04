// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// A URL that a response may go to: a universal link of one of Google's apps.
///
/// Compared as text, exactly: another scheme, port, case, encoding or a query makes another URI, which is refused.
public struct AppFlipRedirect: Sendable, Hashable {
  /// Where Google receives responses.
  public enum Host: String, Sendable, Hashable, CaseIterable {
    /// What users use.
    case production = "oauth-redirect.googleusercontent.com"
    /// What Google's own tests use.
    case sandbox = "oauth-redirect-sandbox.googleusercontent.com"
  }

  /// The host.
  public let host: Host
  /// The bundle identifier of the app that the URL opens.
  public let bundleIdentifier: String

  /// Creates a redirect URI.
  public init(host: Host = .production, bundleIdentifier: String) {
    self.host = host
    self.bundleIdentifier = bundleIdentifier
  }

  /// Parses a redirect URI, such as `https://oauth-redirect.googleusercontent.com/a/com.google.Chromecast`.
  ///
  /// - Returns: `nil` if it is on neither host, or anything but a bundle identifier is where one has to be. Whether the app
  ///   is a trusted one is not decided here.
  public init?(_ uri: String) {
    let bytes = uri.utf8
    for host in Host.allCases where bytes.starts(with: host.prefix.utf8) {
      let identifier = bytes.dropFirst(host.prefix.utf8.count)
      guard !identifier.isEmpty, identifier.allSatisfy(\.isBundleIdentifierCharacter) else { return nil }
      self.init(host: host, bundleIdentifier: String(Substring(identifier)))
      return
    }
    return nil
  }

  /// The redirect URI as a string.
  ///
  /// What a bundle identifier cannot hold is percent-encoded.
  public var uri: String { host.prefix + FormEncoding.query.encode(bundleIdentifier) }
}

extension AppFlipRedirect {
  /// The twelve redirect URIs of the Google Home and Google Assistant apps
  /// ([App Flip for iOS](https://developers.google.com/identity/account-linking/app-flip-ios)).
  public static let google = onEveryHost([
    "com.google.Chromecast.dev", "com.google.Chromecast.enterprise", "com.google.Chromecast",
    "com.google.OPA.dev", "com.google.OPA.enterprise", "com.google.OPA",
  ])

  /// The redirect URIs of some apps, on both hosts.
  ///
  /// - Parameter bundleIdentifiers: The apps' bundle identifiers.
  public static func onEveryHost(_ bundleIdentifiers: Set<String>) -> Set<AppFlipRedirect> {
    Set(Host.allCases.flatMap { host in bundleIdentifiers.map { AppFlipRedirect(host: host, bundleIdentifier: $0) } })
  }
}

extension AppFlipRedirect: CustomStringConvertible {
  /// The URL.
  public var description: String { uri }
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
