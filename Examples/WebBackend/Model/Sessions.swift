// SPDX-License-Identifier: Apache-2.0

import Foundation
import OAuthCore
import Timekeeping

/// The browsers' sessions, keyed by the secret in the cookie, in a file that survives restarts.
///
/// Several servers use a database instead.
actor Sessions {
  struct User: Codable, Equatable {
    /// The identifier that never changes.
    let subject: String
    let name: String?
  }

  enum Session: Codable {
    /// The user is on Google's sign-in page.
    case pending(PendingAuthorization)
    case signedIn(User)
  }

  private struct Record: Codable {
    let session: Session
    let expires: Timestamp
  }

  private static let lifetime = Duration.seconds(14 * 86_400)

  private let file: URL
  private let clock: any WallClock
  private var records: [String: Record] = [:]

  /// - Parameter file: The file, which contains sessions and secret verifiers. Its folder is created if necessary, and restricted to this user.
  init(file: URL, clock: some WallClock = SystemClock()) throws {
    self.file = file
    self.clock = clock
    let folder = file.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // systemd's default is 0755.
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    if FileManager.default.fileExists(atPath: file.path) {
      records = try JSONDecoder().decode([String: Record].self, from: Data(contentsOf: file))
    }
  }

  /// Adds a session, and returns its identifier, which must be kept secret like a password.
  func add(_ session: Session) throws -> String {
    let id = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined(separator: "-")
    records = records.filter { $0.value.expires > clock.now }
    records[id] = Record(session: session, expires: clock.now + Self.lifetime)
    try save()
    return id
  }

  func session(_ id: String) -> Session? {
    records[id].flatMap { $0.expires > clock.now ? $0.session : nil }
  }

  /// Removes a session and returns it.
  func take(_ id: String) throws -> Session? {
    let session = session(id)
    if records.removeValue(forKey: id) != nil { try save() }
    return session
  }

  private func save() throws { try JSONEncoder().encode(records).write(to: file, options: .atomic) }
}
