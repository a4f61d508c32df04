// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
public import PlatformFoundation

/// An error in finding or using a credential of Google Cloud.
///
/// Branch on ``code``. Show ``message``: it names the file and the member, states the remedy, and never contains the content of a
/// file.
///
/// Two kinds of failures have other types. If a token endpoint rejects a request, the error is an `OAuthError`, except
/// for a service account without permission to act for its subject. A network failure is the transport's
/// `TransportError`.
public struct GoogleCredentialError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of fault.
  ///
  /// Future releases may add codes: keep a `default` in a `switch`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// There is no credential: neither a file nor a metadata server.
    public static let notFound = Code(description: "notFound")
    /// A file exists and cannot be read.
    public static let unreadable = Code(description: "unreadable")
    /// A file is not JSON, or one of its members is missing or invalid.
    public static let malformed = Code(description: "malformed")
    /// The type of the credential is not supported, or does not support the request.
    public static let unsupported = Code(description: "unsupported")
    /// A file names an insecure URL, a URL of another service than Google's or AWS's expected one, or another cloud's domain.
    ///
    /// Nothing was sent there.
    public static let untrustedURL = Code(description: "untrustedURL")
    /// An argument or an environment variable is invalid.
    public static let invalidConfiguration = Code(description: "invalidConfiguration")
    /// The workload's token could not be obtained from its file, URL, program or AWS.
    public static let subjectTokenUnavailable = Code(description: "subjectTokenUnavailable")
    /// The metadata server has no such account, or did not identify itself as Google's.
    public static let metadataServerFailed = Code(description: "metadataServerFailed")
    /// Google rejected the request.
    ///
    /// ``GoogleCredentialError/status`` is the reason.
    public static let refused = Code(description: "refused")
    /// Google's servers are temporarily unavailable.
    public static let serverUnavailable = Code(description: "serverUnavailable")
    /// A response does not match Google's documentation.
    public static let invalidResponse = Code(description: "invalidResponse")
  }

  /// The kind of fault.
  public let code: Code
  /// A message that states the failure and its remedy.
  public let message: String
  /// The path of the file with the fault, or `nil` if no file is involved.
  public let file: String?
  /// The member of the file, such as `private_key` or `source_credentials.type`.
  public let member: String?
  /// The status of Google's response, such as `PERMISSION_DENIED`.
  public let status: String?

  /// Creates an error.
  public init(
    _ code: Code, _ message: String, file: String? = nil, member: String? = nil, status: String? = nil
  ) {
    self.code = code
    self.message = message
    self.file = file
    self.member = member
    self.status = status
  }

  /// The ``message``.
  public var description: String { message }
}

extension String {
  /// The text for a message, without terminal control characters.
  var printable: String { OAuthError.printable(self, limit: 300) }
}

extension GoogleCredentialError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}
