// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why a loopback server could not be started.
public struct LoopbackError: Error, Sendable, CustomStringConvertible {
  /// What kind of fault it was.
  ///
  /// More may be added: keep a `default` in a `switch`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// Another socket listens on the port.
    public static let addressInUse = Code(description: "addressInUse")
    /// The machine has no loopback address of this family: try the other.
    public static let familyUnavailable = Code(description: "familyUnavailable")
    /// The user may not listen on this port, or on none at all.
    public static let permissionDenied = Code(description: "permissionDenied")
    /// The port is not in 0 to 65535.
    public static let invalidPort = Code(description: "invalidPort")
    /// The system refused for another reason, such as too many open files.
    public static let system = Code(description: "system")
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

extension LoopbackError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}
