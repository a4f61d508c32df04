// SPDX-License-Identifier: Apache-2.0

package import HTTPTransport

#if canImport(FoundationNetworking)
  import Foundation
  package import FoundationNetworking
#else
  package import Foundation
#endif

/// The status and the fields of a response.
package struct ResponseHead: Sendable {
  package let status: Int
  package let fields: HTTPFields
}

extension ResponseHead {
  package init(_ response: HTTPURLResponse) {
    var fields = HTTPFields()
    for case (let name as String, let value as String) in response.allHeaderFields {
      fields.append(name, value.replacingLineBreaks)
    }
    status = response.statusCode
    self.fields = fields
  }

  /// Checks the head, and its announced length, against the limits.
  ///
  /// - Throws: `TransportError` with code `tooLarge` or `protocolViolation`.
  package func check(_ limits: TransportLimits, for request: HTTPRequest) throws(TransportError) {
    let server = request.origin
    let size = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    guard size <= limits.headerBytes, fields.count <= limits.headerFields else {
      throw .fault(.tooLarge, .head, at: server)
    }
    guard let text = fields["Content-Length"] else { return }
    guard let length = Self.length(text) else { throw .fault(.protocolViolation, .malformedHead, at: server) }
    guard hasBody(for: request.method), fields["Transfer-Encoding"] == nil else { return }
    guard length <= limits.bodyBytes || fields["Content-Encoding"] != nil else {
      throw .fault(.tooLarge, .body, at: server)
    }
    guard length <= limits.encodedBodyLimit else { throw .fault(.tooLarge, .encodedBody, at: server) }
  }

  /// Whether a body of this many bytes is shorter than `Content-Length`.
  ///
  /// `Content-Length` counts encoded bytes, so this is `false` for a decoded body.
  package func announces(moreThan receivedBytes: Int, for method: HTTPMethod) -> Bool {
    guard hasBody(for: method), fields["Content-Encoding"] == nil, fields["Transfer-Encoding"] == nil else {
      return false
    }
    return fields["Content-Length"].flatMap(Self.length).map { receivedBytes < $0 } ?? false
  }

  private func hasBody(for method: HTTPMethod) -> Bool { method != .head && status != 204 && status != 304 }

  /// Parses one number, or the same number several times (RFC 9110 § 8.6).
  private static func length(_ text: String) -> Int? {
    let parts = text.split(ascii: ",", omittingEmptySubsequences: false).map { $0.trimmingPrefix { $0 == " " } }
    guard let first = parts.first, parts.allSatisfy({ $0 == first }),
      !first.isEmpty, first.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(first)
  }
}

extension String {
  /// The value with a space in place of each character that could end a line (RFC 9110 § 5.5).
  fileprivate var replacingLineBreaks: String {
    guard utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else { return self }
    return String(decoding: utf8.map { $0 == 0 || $0 == 10 || $0 == 13 ? 0x20 : $0 }, as: UTF8.self)
  }
}
