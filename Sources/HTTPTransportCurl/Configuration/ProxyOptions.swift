// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The proxies of a ``CurlTransport``.
///
/// Loopback hosts and the metadata servers of clouds are always reached directly. With an https proxy, each exchange with an
/// https URL opens a new connection, unless the server supports HTTP/2.
public struct ProxyOptions: Sendable, CustomStringConvertible, CustomReflectable {
  /// The proxy for http URLs, as a URL.
  let http: String?
  /// The proxy for https URLs, as a URL.
  let https: String?
  /// The hosts reached directly, in libcurl's notation: names with their subdomains, addresses and IPv4 CIDR blocks,
  /// separated by commas, or `*`.
  let exceptions: String

  /// No proxy.
  public static let none = ProxyOptions(http: nil, https: nil, exceptions: "")

  /// One proxy for all hosts except `exceptions`.
  ///
  /// - Parameters:
  ///   - url: The proxy's URL, such as `http://proxy.example:3128` or `socks5h://127.0.0.1:1080`. It may contain a user name
  ///     and password.
  ///   - exceptions: The hosts reached directly: names, which cover their subdomains, addresses, and IPv4 CIDR blocks.
  public static func url(_ url: String, except exceptions: [String] = []) -> ProxyOptions {
    ProxyOptions(http: url, https: url, exceptions: exceptions.joined(separator: ","))
  }

  /// The proxies of the process's environment: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
  ///
  /// Upper-case names are read too, except `HTTP_PROXY`: a web server may have set it from a request's field.
  public static var environment: ProxyOptions {
    environment { name in
      // Safe: the name lives through the call, and the value is copied before anything else runs on this thread.
      unsafe getenv(name).map { unsafe String(cString: $0) }
    }
  }

  static func environment(_ value: (String) -> String?) -> ProxyOptions {
    func first(_ names: String...) -> String? {
      names.lazy.compactMap(value).first { !$0.isEmpty }
    }
    let all = first("all_proxy", "ALL_PROXY")
    return ProxyOptions(
      http: first("http_proxy") ?? all, https: first("https_proxy", "HTTPS_PROXY") ?? all,
      exceptions: first("no_proxy", "NO_PROXY") ?? "")
  }

  /// Returns the URL of the proxy for requests to `origin`, regardless of the exceptions, or `nil` if there is none.
  func proxy(for origin: Origin) -> String? {
    guard let proxy = origin.scheme == "https" ? https : http, !origin.isBeyondProxies else { return nil }
    return proxy
  }

  /// Whether there is a proxy, but never its URL, which may contain a password.
  public var description: String { http == nil && https == nil ? "no proxy" : "proxy" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
