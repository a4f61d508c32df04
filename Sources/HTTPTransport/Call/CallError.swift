// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

/// An error of ``Transport/call(_:_:query:fields:body:)-(_,URL,_,_,_)``: an unsuccessful status, an undecodable body or an
/// invalid call.
public struct CallError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure.
  ///
  /// Future releases may add codes: keep a `default` in a `switch`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// The server responded with a status other than success.
    public static let refused = Code(description: "refused")
    /// The response body is not JSON of the requested type.
    public static let undecodable = Code(description: "undecodable")
    /// The URL and the query cannot be combined, or the value to send cannot be encoded.
    ///
    /// Nothing was sent.
    public static let invalidCall = Code(description: "invalidCall")
  }

  /// The kind of failure.
  public let code: Code
  /// The message, one sentence.
  ///
  /// It contains the server's reason if it is a single word that is not part of the request, such as
  /// `rateLimitExceeded`. It contains no other text of bodies, and no queries.
  public let message: String
  /// The complete response, which may contain the server's own error, or `nil` if nothing was sent.
  public let response: HTTPResponse?

  /// Creates an error.
  public init(_ code: Code, _ message: String, response: HTTPResponse? = nil) {
    self.code = code
    self.message = message
    self.response = response
  }

  /// The ``message``.
  public var description: String { message }
}

extension CallError {
  /// Decodes the server's own error from the response body.
  ///
  /// ```swift
  /// struct Refusal: Decodable { let error: String }
  /// catch let error as CallError { print(error.body(as: Refusal.self)?.error ?? error.message) }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type to decode from the response's JSON.
  ///   - decoder: The decoder. Defaults to `JSONDecoder()`.
  /// - Returns: The value, or `nil` if nothing was sent or the body is not JSON of this type.
  public func body<Body: Decodable>(as type: Body.Type, decoder: JSONDecoder = JSONDecoder()) -> Body? {
    response.flatMap { try? decoder.decode(type, from: Data($0.body)) }
  }
}

extension CallError: CustomReflectable {
  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["code": code.description, "message": message]) }
}

extension CallError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}
