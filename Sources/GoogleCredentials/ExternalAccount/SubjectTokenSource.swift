// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import PlatformFoundation
import Support
import TokenStore

/// A source of a workload's tokens, which are exchanged for Google's.
protocol SubjectTokenSource: Sendable {
  /// Returns the current token.
  ///
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/subjectTokenUnavailable``. Also
  ///   `TransportError` and `CancellationError`.
  func subjectToken() async throws -> Secret

  /// Returns the current token and the transport for its exchange, or `nil` for the environment's transport.
  func subject() async throws -> (token: Secret, transport: (any Transport)?)
}

extension SubjectTokenSource {
  func subject() async throws -> (token: Secret, transport: (any Transport)?) { (try await subjectToken(), nil) }
}

/// The format of the token in a file or a response.
enum SubjectTokenFormat: Sendable {
  /// The whole content.
  case text
  /// A member of a JSON object.
  case json(member: String)

  /// Parses the member `format` of a `credential_source`.
  init(_ source: CredentialDocument) throws {
    guard let format = try source.optionalObject("format") else {
      self = .text
      return
    }
    switch try format.optionalString("type") ?? "text" {
    case "text": self = .text
    case "json": self = .json(member: try format.string("subject_token_field_name"))
    default: throw format.error(.unsupported, "type", "is neither text nor json.")
    }
  }

  /// Returns the token in `content`, or `nil` if there is none.
  func token(in content: [UInt8]) -> Secret? {
    let text =
      switch self {
      case .text: String(validating: ByteOrderMark.dropped(from: content), as: UTF8.self)
      case .json(let member): (try? JSONValue(json: content))?[member]?.string
      }
    // A file that was written by hand or by a shell ends with a line break, which is not part of the token.
    guard let token = text?.trimmed, !token.isEmpty else { return nil }
    return Secret(token)
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}

/// The token in a file kept current by another program, such as Kubernetes.
struct FileSubjectToken: SubjectTokenSource {
  let path: String
  let format: SubjectTokenFormat
  let files: any CredentialFiles

  func subjectToken() async throws -> Secret {
    guard let content = try await files.content(of: path) else {
      throw GoogleCredentialError(
        .subjectTokenUnavailable,
        "There is no file \(path.printable) with the workload's token. Check the program that writes it.", file: path)
    }
    guard let token = format.token(in: content) else {
      throw GoogleCredentialError(
        .subjectTokenUnavailable,
        "The file \(path.printable) contains no token in the credential's format.", file: path)
    }
    return token
  }
}

/// The token at a URL, such as another cloud's metadata server.
///
/// The file names the URL and the header fields, so the author of the file decides which request this program sends.
/// Redirects are not followed: the fields may be secret, and are for the named URL only.
struct URLSubjectToken: SubjectTokenSource {
  private let url: URL
  private let fields: HTTPFields
  private let format: SubjectTokenFormat
  private let transport: any Transport

  /// Parses the members `url`, `headers` and `format` of a `credential_source`.
  init(_ source: CredentialDocument, _ url: URL, _ environment: CredentialEnvironment) throws {
    // Metadata servers use plain http on a link-local address, whose traffic does not leave the host machine.
    guard let origin = Origin(url), origin.isSecure || origin.host == "169.254.169.254", url.user() == nil else {
      throw source.error(
        .untrustedURL, "url",
        "must be https. Plain http is allowed for loopback and the metadata server 169.254.169.254 only. Nothing was sent."
      )
    }
    self.url = url
    let fields = HTTPFields(try source.optionalTexts("headers") ?? [:])
    if let name = Self.reserved.first(where: { fields[$0] != nil }) {
      throw source.error(.malformed, "headers", "must not set \(name). Nothing was sent.")
    }
    self.fields = fields
    format = try SubjectTokenFormat(source)
    transport = environment.transport
  }

  /// The fields set only by the transport: they name the server, frame the message or belong to the connection.
  private static let reserved = [
    "Host", "Connection", "Content-Length", "Transfer-Encoding", "TE", "Trailer", "Upgrade", "Proxy-Authorization",
  ]

  func subjectToken() async throws -> Secret {
    let response = try await transport.send(
      HTTPRequest(.get, url, fields: fields, timeout: .seconds(10), redirectScope: .noOrigin))
    let name = Origin(url)?.description ?? "The URL"
    guard response.redirectedOrigin == nil else {
      throw GoogleCredentialError(
        .subjectTokenUnavailable, "\(name) redirected the request for the workload's token to another server.")
    }
    guard response.isSuccess else {
      throw GoogleCredentialError(
        .subjectTokenUnavailable,
        "\(name) responded with status \(response.status) to the request for the workload's token.")
    }
    guard let token = format.token(in: response.body) else {
      throw GoogleCredentialError(
        .subjectTokenUnavailable,
        "The response of \(name) contains no token in the credential's format.")
    }
    return token
  }
}
