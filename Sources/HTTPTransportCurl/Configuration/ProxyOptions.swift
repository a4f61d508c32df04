// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Which proxy a ``CurlTransport`` uses.
///
/// Loopback hosts and the metadata servers of clouds are always reached directly. An https URL by way of an https proxy has a new
/// connection for each exchange, unless the server supports HTTP/2.
public struct ProxyOptions: Sendable, CustomStringConvertible, CustomReflectable {
  /// The proxy for http URLs, as a URL.
  let http: String?
  /// The proxy for https URLs, as a URL.
  let https: String?
  /// The hosts that are reached directly, as libcurl reads them: names with their subdomains, addresses and CIDR blocks of
  /// IPv4, separated by commas, or `*`.
  let exceptions: String

  /// No proxy.
  public static let none = ProxyOptions(http: nil, https: nil, exceptions: "")

  /// One proxy for all hosts but `exceptions`.
  ///
  /// - Parameters:
  ///   - url: The proxy's URL, such as `http://proxy.example:3128` or `socks5h://127.0.0.1:1080`. It may hold a user name and
  ///     password.
  ///   - exceptions: Hosts that are reached directly: names, which cover their subdomains, addresses, and CIDR blocks of IPv4.
  public static func url(_ url: String, except exceptions: [String] = []) -> ProxyOptions {
    ProxyOptions(http: url, https: url, exceptions: exceptions.joined(separator: ","))
  }

  /// What the process's environment says: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, in capitals too except
  /// for `http_proxy`, which in capitals a web server may have set from a request's field.
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

  /// The URL of the proxy for requests to `origin`, before the exceptions; `nil` for none.
  func proxy(for origin: Origin) -> String? {
    guard let proxy = origin.scheme == "https" ? https : http, !origin.isBeyondProxies else { return nil }
    return proxy
  }

  /// Whether there is a proxy; never its URL, which may hold a password.
  public var description: String { http == nil && https == nil ? "no proxy" : "proxy" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
