// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

/// The check of whether a URL in a credential file belongs to one of Google's services.
///
/// A file can come from anywhere. The tokens and assertions sent to its URLs give access to an account. Without this
/// check, the author of the file could direct them to another host
/// ([externally sourced
/// credentials](https://cloud.google.com/docs/authentication/external/externally-sourced-credentials)).
enum GoogleHost {
  /// The domain of Google's public cloud.
  static let publicUniverse = "googleapis.com"

  /// Whether a URL belongs to a service.
  ///
  /// The URL must use https on the default port, without a user name. Its host must be the service's host in the universe, or the
  /// host of one of the service's regions or private endpoints.
  ///
  /// Not every host of the universe is a service of Google: anyone may own the bucket `sts`, whose host is
  /// `sts.storage.googleapis.com`.
  static func isHost(_ url: URL, of service: String, in universe: String) -> Bool {
    guard isPlainHTTPS(url), let host = Origin(url)?.host, host.hasSuffix("." + universe) else { return false }
    let labels = host.dropLast(universe.utf8.count + 1).split(ascii: ".", omittingEmptySubsequences: false)
    guard labels.allSatisfy({ !$0.isEmpty }) else { return false }
    switch labels.count {
    // sts, us-east1-sts
    case 1:
      return labels[0] == service
        || (labels[0].hasSuffix("-" + service) && isLocation(labels[0].dropLast(service.utf8.count + 1)))
    // us-east1.sts, sts.us-east1, sts.mtls, sts-endpoint.p
    case 2:
      return (labels[1] == service && isLocation(labels[0]))
        || (labels[0] == service && (isLocation(labels[1]) || labels[1] == "mtls"))
        || (labels[1] == "p" && labels[0].hasPrefix(service + "-"))
    // sts.us-east1.rep
    case 3: return labels[0] == service && isLocation(labels[1]) && labels[2] == "rep"
    default: return false
    }
  }

  /// Whether a name has the form of a region, such as `us-east1`, or of several regions
  /// ([regions](https://cloud.google.com/compute/docs/regions-zones)).
  private static func isLocation(_ name: Substring) -> Bool {
    if ["eu", "us", "global"].contains(name) { return true }
    let parts = name.split(ascii: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = parts[1].firstIndex(where: \.isNumber) else { return false }
    let words = [parts[0], parts[1][..<number]]
    return words.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0 >= 0x61 && $0 <= 0x7A } }
      && parts[1][number...].utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }

  /// Whether a URL is one of Google's token endpoints: the current one, or one named by older files.
  static func isTokenEndpoint(_ url: URL, in universe: String) -> Bool {
    guard isPlainHTTPS(url), let host = Origin(url)?.host else { return false }
    switch (host, url.path(percentEncoded: true)) {
    case ("oauth2." + universe, "/token"), ("www." + universe, "/oauth2/v4/token"),
      ("www." + universe, "/oauth2/v3/token"):
      return true
    case ("accounts.google.com", "/o/oauth2/token"): return universe == publicUniverse
    default: return false
    }
  }

  static func isPlainHTTPS(_ url: URL) -> Bool {
    guard let origin = Origin(url) else { return false }
    return origin.scheme == "https" && origin.port == 443 && url.user() == nil && url.password() == nil
      && url.fragment() == nil
  }
}
