// SPDX-License-Identifier: Apache-2.0

/// What a ``CurlTransport`` trusts, and how it identifies itself to servers that ask for a certificate.
///
/// ```swift
/// let tls = TLSOptions(authorities: .file("/etc/company/ca.pem"))
/// ```
///
/// TLS 1.2 is the oldest version that is accepted. The server's certificate and its name are always verified.
///
/// TLS sessions are not resumed. A new connection shows the client certificate that its file holds then. An open connection keeps
/// the identity that it was made with: to use another one for every request from now on, make a new transport.
public struct TLSOptions: Sendable {
  /// The authorities to trust instead of the system's, as PEM; `nil` for the system's.
  public var authorities: PEM?
  /// The certificate for servers that ask for one (mutual TLS,
  /// [RFC 8705](https://www.rfc-editor.org/rfc/rfc8705.html)); `nil` for none.
  public var clientCertificate: ClientCertificate?

  /// Creates options.
  public init(authorities: PEM? = nil, clientCertificate: ClientCertificate? = nil) {
    self.authorities = authorities
    self.clientCertificate = clientCertificate
  }

  /// Certificates or a key in PEM form.
  ///
  /// A description shows where they come from, never what they are.
  public struct PEM: Sendable, CustomStringConvertible, CustomReflectable {
    enum Source {
      case file(String)
      case bytes([UInt8])
    }

    let source: Source

    /// A file, read whenever a connection is made.
    ///
    /// What it holds is kept for a day where it is a list of authorities.
    public static func file(_ path: String) -> PEM { PEM(source: .file(path)) }

    /// Bytes that are there already.
    public static func bytes(_ bytes: [UInt8]) -> PEM { PEM(source: .bytes(bytes)) }

    /// What the options name, without a key or password.
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
    ///   - password: What the key is encrypted with; `nil` if it is not.
    public init(certificate: PEM, key: PEM, password: String? = nil) {
      self.certificate = certificate
      self.key = key
      self.password = password
    }

    /// Where the certificate comes from; never the key or its password.
    public var description: String { "client certificate \(certificate)" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }
}
