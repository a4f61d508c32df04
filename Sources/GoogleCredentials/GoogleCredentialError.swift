// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why a credential of Google Cloud could not be found or used.
///
/// Branch on ``code``; show ``message``, which names the file and the member and says what to do. It never holds what a file
/// contains. What a token endpoint refuses is an `OAuthError`, except for a service account that may not act for its subject; a
/// network fault is the transport's `TransportError`.
public struct GoogleCredentialError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of fault it was.
  ///
  /// More may be added: keep a `default` in a `switch`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// There is no credential: no file, and no metadata server.
    public static let notFound = Code(description: "notFound")
    /// A file is there and cannot be read.
    public static let unreadable = Code(description: "unreadable")
    /// A file is not JSON, or one of its members is missing or cannot be right.
    public static let malformed = Code(description: "malformed")
    /// The type of the credential is not supported, or it cannot do what was asked.
    public static let unsupported = Code(description: "unsupported")
    /// A URL of a file does not lead to Google, or is not https.
    ///
    /// Nothing was sent there.
    public static let untrustedURL = Code(description: "untrustedURL")
    /// An argument or a variable of the environment cannot work.
    public static let invalidConfiguration = Code(description: "invalidConfiguration")
    /// The token of the workload could not be had from its file, URL or program.
    public static let subjectTokenUnavailable = Code(description: "subjectTokenUnavailable")
    /// The metadata server has no such account, or did not respond as one.
    public static let metadataServerFailed = Code(description: "metadataServerFailed")
    /// Google refused the request, for the reason in ``GoogleCredentialError/status``.
    public static let refused = Code(description: "refused")
    /// Google's servers failed for the moment.
    public static let serverUnavailable = Code(description: "serverUnavailable")
    /// A response is not what Google documents.
    public static let invalidResponse = Code(description: "invalidResponse")
  }

  /// The kind of fault.
  public let code: Code
  /// What happened and what to do, in a sentence or two.
  public let message: String
  /// The file concerned.
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
  /// The text in a message: what a terminal might obey is left out.
  var printable: String { OAuthError.printable(self, limit: 300) }
}

extension GoogleCredentialError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}
