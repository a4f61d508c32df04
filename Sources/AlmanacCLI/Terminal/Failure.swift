// SPDX-License-Identifier: Apache-2.0

import OAuthCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An error as it is shown.
struct Failure: Encodable {
  let message: String
  let serverCode: String?
  let serverDescription: String?
  let exitStatus: Int32

  init(_ error: any Error) {
    exitStatus = ExitStatus(error).rawValue
    let oauth = error as? OAuthError
    serverCode = oauth?.serverCode
    serverDescription = oauth?.serverDescription
    switch error {
    case let error as UsageError:
      let command = error.command.map { " \($0.name)" } ?? ""
      message = "\(error.message) See almanac\(command) --help."
    case is CancellationError: message = "Interrupted."
    default: message = String(describing: error)
    }
  }

  /// Writes the failure to standard error.
  ///
  /// - Parameter isJSON: Whether a program reads it.
  func write(asJSON isJSON: Bool) {
    if isJSON, let json = try? JSONEncoder.readable.encode(["error": self]) {
      _ = writeAll(Array(json).terminalSafeJSON + [UInt8(ascii: "\n")], to: 2)
      return
    }
    let server = [serverCode, serverDescription].compactMap { $0 }.joined(separator: ": ")
    let text = "almanac: \(message)\(server.isEmpty ? "" : " (the server said: \(server))")"
    _ = writeAll(Array((text.terminalSafe + "\n").utf8), to: 2)
  }
}
