// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport

/// A content coding that a ``CurlTransport`` decodes
/// ([RFC 9110 § 8.4.1](https://www.rfc-editor.org/rfc/rfc9110.html#section-8.4.1)).
///
/// Each decoder needs memory in addition to the body: gzip 64 KiB, brotli up to 24 MiB, and zstd as much as the body, up to 128
/// MiB. The server determines the amount for each response. A transport therefore accepts only gzip by default. To accept more
/// codings, name them:
///
/// ```swift
/// let http = CurlTransport(accepting: ContentCoding.supported)
/// ```
public struct ContentCoding: Sendable, Hashable, CustomStringConvertible {
  /// The name in `Accept-Encoding`.
  public let description: String

  /// gzip.
  ///
  /// If it is accepted, libcurl also decodes deflate.
  public static let gzip = ContentCoding(description: "gzip")
  /// Brotli ([RFC 7932](https://www.rfc-editor.org/rfc/rfc7932.html)), if libcurl was built with it.
  public static let brotli = ContentCoding(description: "br")
  /// Zstandard ([RFC 8878](https://www.rfc-editor.org/rfc/rfc8878.html)), if libcurl was built with it.
  public static let zstd = ContentCoding(description: "zstd")

  /// All codings supported by the installed libcurl.
  public static let supported: [ContentCoding] = {
    // Safe: libcurl returns a constant that is never freed.
    let features = unsafe almanac_curl_version_info(CURLVERSION_ELEVENTH)?.pointee.features ?? 0
    return [
      features & CURL_VERSION_LIBZ != 0 ? .gzip : nil, features & CURL_VERSION_BROTLI != 0 ? .brotli : nil,
      features & CURL_VERSION_ZSTD != 0 ? .zstd : nil,
    ].compactMap(\.self)
  }()
}

/// The accepted content codings of a transport.
struct AcceptedCodings: Sendable {
  /// The value of `Accept-Encoding`, or `nil` if nothing is decoded.
  let list: String?
  /// Content codings that libcurl decodes unrequested.
  private let refused: [ContentCoding]

  init(_ codings: [ContentCoding]) {
    let accepted = ContentCoding.supported.filter(codings.contains)
    let list = accepted.isEmpty ? nil : accepted.map(\.description).joined(separator: ", ")
    self.list = list
    refused = accepted.isEmpty ? [] : ContentCoding.supported.filter { !codings.contains($0) }
  }

  /// Whether the values of a response's `Content-Encoding` name no coding decoded by libcurl unrequested.
  func allow(_ values: [String]) -> Bool {
    refused.isEmpty
      || values.allSatisfy { value in
        value.lowercasedASCII.split { $0 == "," || $0 == " " || $0 == "\t" }
          .allSatisfy { name in !refused.contains { $0.description == name } }
      }
  }
}
