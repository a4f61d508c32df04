// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import GoogleCredentials
import HTTPTransport
import OAuthCore
import Synchronization
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An error as it is shown.
struct Failure: Encodable {
  let message: String
  /// The error's code, for a program to branch on.
  let code: String?
  let serverCode: String?
  let serverDescription: String?
  let exitStatus: Int32

  /// - Parameters:
  ///   - error: The error.
  ///   - secrets: The credentials that were sent, which the text of a server may repeat.
  init(_ error: any Error, hiding secrets: [String]) {
    exitStatus = ExitStatus(error).rawValue
    let oauth = error as? OAuthError
    code = Self.code(of: error)
    serverCode = oauth?.serverCode
    serverDescription =
      oauth?.serverDescription
      ?? (error as? CalendarError)?.serverMessage.flatMap {
        let text = ServerText.shown($0, hiding: secrets, limit: 300)
        return text.isEmpty ? nil : text
      }
    switch error {
    case let error as UsageError:
      let command = error.command.map { " \($0.name)" } ?? ""
      message = "\(error.message) See almanac\(command) --help."
    case is CancellationError: message = "Interrupted."
    default: message = String(describing: error)
    }
  }

  private static func code(of error: any Error) -> String? {
    switch error {
    case let error as OAuthError: error.code.description
    case let error as CalendarError: error.code.description
    case let error as TransportError: error.code.description
    case let error as TokenStorageError: error.code.description
    case let error as GoogleCredentialError: error.code.description
    case is UsageError: "usage"
    case is DeclinedError: "declined"
    default: nil
    }
  }

  /// Writes the failure to standard error.
  ///
  /// - Parameter isJSON: Whether a program reads it.
  func write(to console: any Console, asJSON isJSON: Bool) {
    if isJSON, let json = try? JSONEncoder.readable.encode(["error": self]) {
      return console.tell(Array(json).terminalSafeJSON + [UInt8(ascii: "\n")])
    }
    let server = [serverCode, serverDescription].compactMap { $0 }.joined(separator: ": ")
    let text = "almanac: \(message)\(server.isEmpty ? "" : " (the server said: \(server))")"
    console.tell(Array((text.terminalSafe + "\n").utf8))
  }
}

/// The credentials that a command has sent, which are hidden where a server's text repeats them.
final class SentSecrets: Sendable {
  private let values = Mutex<Set<String>>([])

  /// All of them.
  var all: [String] { values.withLock { Array($0) } }

  /// Returns a transport that notes the credentials of each request.
  func noted(by base: any Transport) -> any Transport { NotingTransport(base: base, secrets: self) }

  private func note(_ request: HTTPRequest) {
    // RFC 9110 § 11.4: the scheme, then the credentials.
    let credentials = request.fields.values(for: "Authorization").map { $0.drop { $0 != " " }.drop { $0 == " " } }
    // RFC 9449 § 4.1: a proof is the whole value.
    let proofs = request.fields.values(for: "DPoP")
    values.withLock { $0.formUnion(credentials.map(String.init) + proofs) }
  }

  private struct NotingTransport: Transport {
    let base: any Transport
    let secrets: SentSecrets

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      secrets.note(request)
      return try await base.send(request)
    }
  }
}
