// SPDX-License-Identifier: Apache-2.0

import Support

/// The trusted authorities of a ``CurlTransport``, and its client certificate.
///
/// ```swift
/// let tls = TLSOptions(authorities: .file("/etc/company/ca.pem"))
/// ```
///
/// TLS 1.2 is the minimum version. The server's certificate and its name are always verified.
///
/// TLS sessions are not resumed. A new connection presents the current client certificate of its file. An open
/// connection keeps its identity. To use another identity for every further request, create a new transport.
public struct TLSOptions: Sendable {
  /// The authorities to trust instead of the system's, in PEM form, or `nil` for the system's.
  public var authorities: PEM?
  /// The certificate for servers that request one (mutual TLS,
  /// [RFC 8705](https://www.rfc-editor.org/rfc/rfc8705.html)), or `nil` for none.
  public var clientCertificate: ClientCertificate?

  /// Creates options.
  public init(authorities: PEM? = nil, clientCertificate: ClientCertificate? = nil) {
    self.authorities = authorities
    self.clientCertificate = clientCertificate
  }

  /// Certificates or a key in PEM form.
  ///
  /// A description shows their source, never their content.
  public struct PEM: Sendable, CustomStringConvertible, CustomReflectable {
    enum Source {
      case file(String)
      case bytes([UInt8])
    }

    let source: Source

    /// A file, which is read for each new connection.
    ///
    /// The content of a file of authorities is cached for a day. The file must not begin with a byte order mark: OpenSSL does
    /// not find the first block after one.
    public static func file(_ path: String) -> PEM { PEM(source: .file(path)) }

    /// Bytes in memory, without their byte order mark if they begin with one.
    public static func bytes(_ bytes: [UInt8]) -> PEM { PEM(source: .bytes(Array(ByteOrderMark.dropped(from: bytes)))) }

    /// The source, without a key or password.
    public var description: String {
      switch source {
      case .file(let path): path
      case .bytes(let bytes): "PEM, \(bytes.count) bytes"
      }
    }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// A certificate with its private key.
  public struct ClientCertificate: Sendable, CustomStringConvertible, CustomReflectable {
    let certificate: PEM
    let key: PEM
    let password: String?

    /// Creates a client certificate.
    ///
    /// - Parameters:
    ///   - certificate: The certificate, followed by those of intermediate authorities.
    ///   - key: The private key.
    ///   - password: The password of the key, or `nil` if it is not encrypted.
    public init(certificate: PEM, key: PEM, password: String? = nil) {
      self.certificate = certificate
      self.key = key
      self.password = password
    }

    /// The source of the certificate, never the key or its password.
    public var description: String { "client certificate \(certificate)" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }
}
