// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
  import Foundation

  #if canImport(Musl)
    import Musl
  #elseif canImport(Glibc)
    import Glibc
  #endif

  /// The exemption of loopback addresses and metadata servers from a proxy in the environment.
  ///
  /// `URLSession` uses libcurl here, which reads the environment for every request. The session's own proxy settings have no
  /// effect.
  package enum ProxyExemption {
    /// Adds the exempt hosts to `no_proxy`, once per process, if the environment has a proxy and does not exempt all of them.
    static let applyOnce: Void = {
      let hosts = [
        "localhost", "127.0.0.1", "127.0.0.0/8", "::1", "169.254.0.0/16", "169.254.169.254", "fd20:ce::254",
        "fd00:ec2::254",
        "metadata.google.internal",
      ]
      if let list = noProxy(adding: hosts, in: ProcessInfo.processInfo.environment) {
        // Both strings live through the call, which copies them. The variable is set at most once by this process.
        _ = unsafe setenv("no_proxy", list, 1)
      }
    }()

    /// Returns the value for `no_proxy` with `hosts` added, or `nil` if no change is needed.
    package static func noProxy(adding hosts: [String], in environment: [String: String]) -> String? {
      let proxies = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
      guard proxies.contains(where: { !(environment[$0] ?? "").isEmpty }) else { return nil }
      // The lower-case name takes precedence.
      let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
      let entries = list.split { $0 == "," || $0 == " " }.map(String.init)
      let missing = hosts.filter { !entries.contains($0) }
      guard entries != ["*"], !missing.isEmpty else { return nil }
      return (entries + missing).joined(separator: ",")
    }
  }
#endif
