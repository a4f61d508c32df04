// SPDX-License-Identifier: Apache-2.0

/// A request to Amazon Web Services, which can be signed
/// ([Signature Version 4](https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html)).
package struct AWSRequest: Sendable {
  /// The method, such as `POST`.
  package var method: String
  /// The path, percent-encoded.
  package var path = "/"
  /// The query without its question mark, percent-encoded.
  package var query = ""
  /// The signed header fields, by their names in lower case.
  ///
  /// `x-amz-date` has the time of the signature, such as `20150830T123600Z`.
  package var fields: [String: String]
  package var body: [UInt8] = []

  package init(_ method: String, query: String, fields: [String: String]) {
    self.method = method
    self.query = query
    self.fields = fields
  }

  /// Returns the value of the header field `Authorization`.
  package func authorization(keyID: String, secret: String, region: String, service: String) -> String {
    let time = fields["x-amz-date"] ?? ""
    let scope = "\(time.prefix(8))/\(region)/\(service)/aws4_request"
    let names = fields.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let signed = names.joined(separator: ";")
    let request = [
      method, path, canonicalQuery, names.map { "\($0):\(fields[$0] ?? "")\n" }.joined(), signed,
      Self.hex(MessageDigest.sha256(body)),
    ].joined(separator: "\n")
    let text = ["AWS4-HMAC-SHA256", time, scope, Self.hex(MessageDigest.sha256(request))].joined(separator: "\n")
    var key = Array("AWS4\(secret)".utf8)
    defer { key.wipe() }
    for part in scope.split(separator: "/") {
      let next = MessageDigest.hmacSHA256(Array(part.utf8), key: key)
      key.wipe()
      key = next
    }
    let signature = Self.hex(MessageDigest.hmacSHA256(Array(text.utf8), key: key))
    return "AWS4-HMAC-SHA256 Credential=\(keyID)/\(scope), SignedHeaders=\(signed), Signature=\(signature)"
  }

  /// The parameters in the order of their bytes, each with an equals sign.
  private var canonicalQuery: String {
    query.split(separator: "&").map { $0.contains("=") ? String($0) : "\($0)=" }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "&")
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
