// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why a call did not bring what it was made for, though an answer came.
public struct CallError: Error, Sendable, CustomStringConvertible {
  /// What kind of fault it was.
  ///
  /// More may be added: keep a `default` in a `switch`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// The status says that the server did not do what was asked.
    public static let refused = Code(description: "refused")
    /// The content is not JSON of the form that was asked for.
    public static let undecodable = Code(description: "undecodable")
    /// The address and its query do not make a URL, or the value to send cannot be encoded.
    ///
    /// Nothing was sent.
    public static let invalidCall = Code(description: "invalidCall")
  }

  /// The kind of fault.
  public let code: Code
  /// What happened, in a sentence.
  ///
  /// It shows neither content nor query.
  public let message: String
  /// The whole answer, for those who know how to read the server's error in it; `nil` if nothing was sent.
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
  /// Reads the server's own account of the fault, in the form that its documentation gives.
  ///
  /// ```swift
  /// struct Refusal: Decodable { let error: String }
  /// catch let error as CallError { print(error.answer(as: Refusal.self)?.error ?? error.message) }
  /// ```
  ///
  /// - Parameters:
  ///   - type: What to decode the answer's JSON as.
  ///   - decoder: The decoder; one with its defaults unless told.
  /// - Returns: The value; `nil` if nothing was sent or the answer is not JSON of this form.
  public func answer<Answer: Decodable>(as type: Answer.Type, decoder: JSONDecoder = JSONDecoder()) -> Answer? {
    response.flatMap { try? decoder.decode(type, from: Data($0.body)) }
  }
}

extension CallError: CustomReflectable {
  /// What a dump shows, without any secret.
  public var customMirror: Mirror { Mirror(self, children: ["code": code.description, "message": message]) }
}
