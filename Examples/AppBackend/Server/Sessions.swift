// SPDX-License-Identifier: Apache-2.0

import Foundation
import OAuthCore
import OAuthJOSE
import Timekeeping

/// The sign-ins and sessions, keyed by random secrets, in a file that survives restarts.
///
/// The file contains only digests of the secrets, so a reader of the file gains no session. Several servers use a database instead.
actor Sessions {
  /// The app's authorization request.
  struct AppRequest: Codable {
    let state: String
    let challenge: String
  }

  enum Record: Codable {
    /// The user is on the provider's page. The secret is in the browser's cookie.
    case signIn(PendingAuthorization, AppRequest)
    /// The user has signed in, but the app has not requested its session yet. The secret is the code.
    case code(userID: String, challenge: String)
    /// The secret is the app's token.
    case session(userID: String)
  }

  private struct Entry: Codable {
    let record: Record
    let expires: Timestamp
  }

  private let file: URL
  private let clock: any WallClock
  private var entries: [String: Entry] = [:]

  /// - Parameter file: The file, which contains secret verifiers. Its folder is created if necessary, and restricted to this user.
  init(file: URL, clock: some WallClock = SystemClock()) throws {
    self.file = file
    self.clock = clock
    let folder = file.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // systemd's default is 0755.
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    if FileManager.default.fileExists(atPath: file.path) {
      entries = try JSONDecoder().decode([String: Entry].self, from: Data(contentsOf: file))
    }
  }

  /// Adds a record, and returns its secret.
  func add(_ record: Record, for lifetime: Duration) throws -> String {
    // 256 bits from the system's random number generator.
    let secret = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined(separator: "-")
    entries = entries.filter { $0.value.expires > clock.now }
    entries[Self.digest(secret)] = Entry(record: record, expires: clock.now + lifetime)
    try save()
    return secret
  }

  func record(_ secret: String) -> Record? {
    entries[Self.digest(secret)].flatMap { $0.expires > clock.now ? $0.record : nil }
  }

  /// Removes a record and returns it.
  func take(_ secret: String) throws -> Record? {
    let record = record(secret)
    if entries.removeValue(forKey: Self.digest(secret)) != nil { try save() }
    return record
  }

  /// Removes every session and code of a user.
  func removeAll(of userID: String) throws {
    entries = entries.filter { entry in
      switch entry.value.record {
      case .session(userID), .code(userID, _): false
      default: true
      }
    }
    try save()
  }

  private static func digest(_ secret: String) -> String { Data(MessageDigest.sha256(secret)).base64EncodedString() }

  private func save() throws { try JSONEncoder().encode(entries).write(to: file, options: .atomic) }
}
