// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

/// A redirect URI for responses: a universal link of one of Google's apps.
///
/// It is compared exactly, as text. A URI with another scheme, port, case or encoding, or with a query, is rejected.
public struct AppFlipRedirect: Sendable, Hashable {
  /// Google's hosts for responses.
  public enum Host: String, Sendable, Hashable, CaseIterable {
    /// The host for users.
    case production = "oauth-redirect.googleusercontent.com"
    /// The host for Google's own tests.
    case sandbox = "oauth-redirect-sandbox.googleusercontent.com"
  }

  /// Google's host, or `nil` for the test tool.
  public let host: Host?
  /// The bundle identifier of the app opened by the URL, or `nil` for the test tool.
  public let bundleIdentifier: String?
  /// The redirect URI as a string.
  ///
  /// Characters not allowed in a bundle identifier are percent-encoded.
  public let uri: String

  /// Creates a redirect URI.
  public init(host: Host = .production, bundleIdentifier: String) {
    self.host = host
    self.bundleIdentifier = bundleIdentifier
    uri = host.prefix + FormEncoding.query.encode(bundleIdentifier)
  }

  /// Parses a redirect URI, such as `https://oauth-redirect.googleusercontent.com/a/com.google.Chromecast`.
  ///
  /// - Returns: `nil` if the URI is on neither host, or has no bundle identifier in its place. This does not check whether the
  ///   app is trusted.
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

  #if DEBUG
    private init(testTool uri: String) {
      host = nil
      bundleIdentifier = nil
      self.uri = uri
    }
  #endif
}

#if DEBUG
  extension AppFlipRedirect {
    /// Creates the redirect URI of Google's App Flip Test Tool
    /// ([App Flip Test Tool for iOS](https://github.com/googlesamples/identity-appflip-tester-ios)).
    ///
    /// The tool receives responses at a universal link of your own domain, the `redirectUri` of its `Config.plist`. Add the URI
    /// to ``AppFlipRegistration/redirects``:
    ///
    /// ```swift
    /// var google = AppFlipRegistration(clientID: "google-home")
    /// #if DEBUG
    ///   if let tool = AppFlipRedirect.testTool("https://tool.example/redirect") { google.redirects.insert(tool) }
    /// #endif
    /// ```
    ///
    /// It is available in debug builds only: a release build that uses it does not compile, so no released app sends a code
    /// there. A stored ``AppFlipRequest`` of the tool cannot be decoded.
    ///
    /// - Parameter uri: An https URL without user, query and fragment, in ASCII.
    /// - Returns: `nil` if `uri` is not such a URL.
    public static func testTool(_ uri: String) -> AppFlipRedirect? {
      let rest = uri.utf8.dropFirst("https://".utf8.count)
      let hostEnd = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      guard uri.utf8.starts(with: "https://".utf8), rest.startIndex != hostEnd,
        rest[..<hostEnd].allSatisfy({ $0.isBundleIdentifierCharacter || $0 == UInt8(ascii: ":") }),
        rest.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"?#\\\"<>^`{|}".utf8.contains($0) }),
        URL(string: uri, encodingInvalidCharacters: false) != nil
      else { return nil }
      return AppFlipRedirect(testTool: uri)
    }
  }
#endif

extension AppFlipRedirect {
  /// The twelve redirect URIs of the Google Home and Google Assistant apps
  /// ([App Flip for iOS](https://developers.google.com/identity/account-linking/app-flip-ios)).
  public static let google = onEveryHost([
    "com.google.Chromecast.dev", "com.google.Chromecast.enterprise", "com.google.Chromecast",
    "com.google.OPA.dev", "com.google.OPA.enterprise", "com.google.OPA",
  ])

  /// Returns the redirect URIs of some apps, on both hosts.
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
  /// Whether the byte is a letter, a digit, a hyphen or a full stop.
  fileprivate var isBundleIdentifierCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
