// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import GoogleCredentials
import HTTPTransport
import OAuthCore
import PlatformFoundation
import Support
import Synchronization
import TokenStore

/// An error for display, as text or JSON.
struct Failure: Encodable {
  let message: String
  /// The error's code, for programs.
  ///
  /// Defaults to the name of the exit status for an error without a code.
  let code: String
  let serverCode: String?
  let serverDescription: String?
  let exitStatus: Int32

  /// - Parameters:
  ///   - error: The error.
  ///   - secrets: The sent credentials. The failure hides them in the server's text.
  init(_ error: any Error, hiding secrets: [String]) {
    exitStatus = ExitStatus(error).rawValue
    let oauth = error as? OAuthError
    code = Self.code(of: error) ?? String(describing: ExitStatus(error))
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
      message = "\(error.message) See `almanac\(command) --help`."
    case is CancellationError: message = "Interrupted."
    case let error as TokenStorageError: message = error.commandMessage
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
    case let error as CallError: error.code.description
    case is UsageError: "usage"
    case is DeclinedError: "declined"
    case is MigrationConflict: "conflict"
    default: nil
    }
  }

  /// Writes the failure to standard error.
  ///
  /// - Parameters:
  ///   - console: The console.
  ///   - isJSON: Whether to write JSON.
  func write(to console: any Console, asJSON isJSON: Bool) {
    if isJSON, let json = try? JSONEncoder.readable.encode(["error": self]) {
      return console.tell(Array(json).terminalSafeJSON + [UInt8(ascii: "\n")])
    }
    let server = [serverCode, serverDescription].compactMap { $0 }.joined(separator: ": ")
    let text = "almanac: \(message)\(server.isEmpty ? "" : " (the server said: \(server))")"
    console.tell(Array((text.terminalSafe.folded(to: console.errorWidth) + "\n").utf8))
  }
}

/// The credentials sent by a command, to hide them in the server's texts.
final class SentSecrets: Sendable {
  private let values = Mutex<Set<String>>([])

  /// All credentials, in no particular order.
  var all: [String] { values.withLock { Array($0) } }

  /// Returns a transport that records the credentials of each request.
  func noted(by base: any Transport) -> any Transport { NotingTransport(base: base, secrets: self) }

  private func note(_ request: HTTPRequest) {
    // RFC 9110 § 11.4: the scheme, then the credentials.
    let credentials = request.fields.values(for: "Authorization").map { $0.drop { $0 != " " }.drop { $0 == " " } }
    // RFC 9449 § 4.1: the whole value is the proof.
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
