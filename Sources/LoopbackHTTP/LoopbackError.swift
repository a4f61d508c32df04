// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

/// An error of starting a loopback server.
public struct LoopbackError: Error, Sendable, CustomStringConvertible {
  /// The kind of fault.
  ///
  /// Future releases may add codes: keep a `default` in a `switch`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// Another socket listens on the port.
    public static let addressInUse = Code(description: "addressInUse")
    /// The machine has no loopback address of this family.
    ///
    /// Try the other family.
    public static let familyUnavailable = Code(description: "familyUnavailable")
    /// The user may not listen on this port, or on any port.
    public static let permissionDenied = Code(description: "permissionDenied")
    /// The port is not in 0 to 65535.
    public static let invalidPort = Code(description: "invalidPort")
    /// The system refused for another reason, such as too many open files.
    public static let system = Code(description: "system")
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

extension LoopbackError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}
