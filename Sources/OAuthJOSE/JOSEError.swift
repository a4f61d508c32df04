// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

/// An error of a key, a signature or a signed message.
///
/// Branch on ``code``. Show ``message``. Neither ever contains a key, a payload or a signature.
public struct JOSEError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of fault.
  ///
  /// Future releases may add codes: keep a `default` in a `switch`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// The text is not a compact JWS, a JSON Web Key or a PEM key.
    public static let malformed = Code(description: "malformed")
    /// The caller does not allow the algorithm.
    public static let algorithmNotAllowed = Code(description: "algorithmNotAllowed")
    /// The algorithm is not implemented.
    ///
    /// `none` never is.
    public static let unsupportedAlgorithm = Code(description: "unsupportedAlgorithm")
    /// The header names an unsupported critical extension.
    public static let unsupportedExtension = Code(description: "unsupportedExtension")
    /// The key is of another type, for another use, too small or damaged.
    public static let unsuitableKey = Code(description: "unsuitableKey")
    /// No key of the set matches the header.
    public static let noSuitableKey = Code(description: "noSuitableKey")
    /// More keys of the set match the header than are tried.
    public static let tooManyKeys = Code(description: "tooManyKeys")
    /// The signature is not valid for this key and content.
    public static let invalidSignature = Code(description: "invalidSignature")
    /// The system's cryptography library failed.
    public static let cryptographyFailed = Code(description: "cryptographyFailed")
  }

  /// The kind of fault.
  public let code: Code
  /// A message that states the failure and its remedy.
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
