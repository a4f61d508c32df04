// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

/// The body of a request: bytes and their media type.
public struct RequestBody: Sendable {
  /// The media type, for `Content-Type`.
  public let mediaType: String
  private let encoded: Result<[UInt8], any Error>

  /// Bytes of any media type.
  public static func bytes(_ bytes: [UInt8], mediaType: String) -> RequestBody {
    RequestBody(mediaType: mediaType, encoded: .success(bytes))
  }

  /// A form, `application/x-www-form-urlencoded`.
  public static func form(_ fields: FormFields) -> RequestBody {
    RequestBody(
      mediaType: "application/x-www-form-urlencoded", encoded: .success(FormEncoding.form.encodedBytes(fields)))
  }

  /// A value as JSON.
  ///
  /// Encodes the value immediately, on the caller's actor: the value need not be `Sendable`, and its conformance may be
  /// isolated to the main actor. If encoding fails, the call that sends the body throws ``CallError`` with code
  /// ``CallError/Code/invalidCall``.
  ///
  /// - Parameter encoder: The encoder. Defaults to `JSONEncoder()`.
  public static func json(_ value: some Encodable, encoder: JSONEncoder = JSONEncoder()) -> RequestBody {
    RequestBody(mediaType: "application/json", encoded: Result { Array(try encoder.encode(value)) })
  }

  func bytes() throws -> [UInt8] { try encoded.get() }
}

extension RequestBody: CustomStringConvertible, CustomReflectable {
  /// The media type alone: the bytes may be a secret.
  public var description: String { mediaType }

  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["mediaType": mediaType]) }
}
