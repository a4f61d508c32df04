// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why a key, a signature or a signed message was refused.
///
/// Branch on ``code``; show ``message``. Neither ever holds a key, a payload or a signature.
public struct JOSEError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of fault it was.
  ///
  /// More may be added: keep a `default` in a `switch`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// The text is not a compact JWS, a JSON Web Key or a PEM key.
    public static let malformed = Code(description: "malformed")
    /// The algorithm is not among those the caller allows.
    public static let algorithmNotAllowed = Code(description: "algorithmNotAllowed")
    /// The algorithm is not implemented; `none` never is.
    public static let unsupportedAlgorithm = Code(description: "unsupportedAlgorithm")
    /// The header names an extension that must be understood and is not.
    public static let unsupportedExtension = Code(description: "unsupportedExtension")
    /// The key is of another type, for another use, too small or damaged.
    public static let unsuitableKey = Code(description: "unsuitableKey")
    /// No key of the set fits the header.
    public static let noSuitableKey = Code(description: "noSuitableKey")
    /// More keys of the set fit the header than are tried.
    public static let tooManyKeys = Code(description: "tooManyKeys")
    /// The signature was not made by the key over this content.
    public static let invalidSignature = Code(description: "invalidSignature")
    /// The system's cryptography library failed.
    public static let cryptographyFailed = Code(description: "cryptographyFailed")
  }

  /// The kind of fault.
  public let code: Code
  /// What happened and what to do, in a sentence.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}

extension JOSEError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}
