// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import OAuthJOSE

/// Cuts a listing into pages and tells where the next one begins.
struct Paging {
  private let fingerprint: String
  private let offset: Int
  private let size: Int
  private let syncGeneration: Int
  /// The revision of the earlier listing, where only what changed since is requested.
  let changedSince: Int?

  /// Reads `pageToken`, `maxResults` and `syncToken`.
  ///
  /// - Parameters:
  ///   - path: What is listed. A page token is good for the very same request only.
  ///   - fullOnly: The parameters that must not come with a sync token.
  init(
    _ parameters: Parameters, path: String, default standard: Int, maximum: Int, fullOnly: [String], syncGeneration: Int
  ) throws(APIFault) {
    self.syncGeneration = syncGeneration
    size = try parameters.pageSize(default: standard, maximum: maximum)
    let query = parameters.fingerprint(without: [
      "pageToken", "alt", "prettyPrint", "key", "quotaUser", "userIp", "fields",
    ])
    fingerprint = Base64URL.encode(Array(MessageDigest.sha256("\(path)?\(query)").prefix(12)))
    if let token = parameters["syncToken"] {
      let numbers = Self.read(token, "sync", path)?.split(separator: " ").map { Int($0) } ?? []
      guard numbers.count == 2, let generation = numbers[0], let revision = numbers[1] else {
        throw .invalidParameter("syncToken", "Invalid sync token value.", reason: "invalid")
      }
      if let name = fullOnly.first(where: { parameters[$0] != nil }) {
        throw .invalidParameter(name, "The parameter cannot be used together with a sync token.", reason: "badRequest")
      }
      for name in ["showDeleted", "showHidden"] where parameters[name] == "false" {
        throw .invalidParameter(name, "The value cannot be false together with a sync token.", reason: "badRequest")
      }
      guard generation == syncGeneration else {
        throw APIFault(
          status: 410, reason: "fullSyncRequired",
          message: "Sync token is no longer valid, a full sync is required.", domain: "calendar",
          location: ("parameter", "syncToken"))
      }
      changedSince = revision
    } else {
      changedSince = nil
    }
    if let token = parameters["pageToken"] {
      guard let offset = Self.read(token, "page", fingerprint).flatMap({ Int($0) }), offset > 0 else {
        throw .invalidParameter("pageToken", "The page token belongs to another request.", reason: "invalid")
      }
      self.offset = offset
    } else {
      offset = 0
    }
  }

  /// Returns the page of all items, and the member that says how to go on: exactly one of the two tokens.
  ///
  /// - Parameter revision: What a sync token has to remember.
  func page<Item>(
    of items: [Item], path: String, revision: Int
  ) -> (items: ArraySlice<Item>, token: (name: String, value: JSONValue)) {
    let rest = items.dropFirst(offset)
    guard rest.count > size else {
      return (rest, ("nextSyncToken", .string(Self.write("sync", path, "\(syncGeneration) \(revision)"))))
    }
    return (rest.prefix(size), ("nextPageToken", .string(Self.write("page", fingerprint, String(offset + size)))))
  }

  private static func write(_ kind: String, _ subject: String, _ position: String) -> String {
    Base64URL.encode(Array("\(kind)\n\(subject)\n\(position)".utf8))
  }

  private static func read(_ token: String, _ kind: String, _ subject: String) -> Substring? {
    let parts = String(decoding: Base64URL.decode(token) ?? [], as: UTF8.self).split(separator: "\n")
    guard parts.count == 3, parts[0] == kind, parts[1] == subject else { return nil }
    return parts[2]
  }
}
