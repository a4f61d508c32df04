// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import OAuthJOSE
import Timekeeping

/// The position of a result in a listing.
struct SortKey: Comparable, Sendable {
  var first: Int64
  var second: Int64 = 0
  var id = ""

  static func < (left: SortKey, right: SortKey) -> Bool {
    if left.first != right.first { return left.first < right.first }
    if left.second != right.second { return left.second < right.second }
    return left.id < right.id
  }
}

/// The requested page of a listing, or of the changes since a sync token.
///
/// A page token has the position of the last result before the page. Results added or removed between requests
/// therefore never cause omissions or duplicates. The token also has the revision at which the listing began. This
/// revision becomes the sync token's.
struct PageRequest: Sendable {
  /// The listed collection: its user and path.
  private let subject: String
  private let fingerprint: String
  /// A digest of the parameters that must be the same in every request of a synchronization.
  private let syncFingerprint: String
  private let generation: Int
  private let now: Int64
  let size: Int
  /// The last result before the page, or `nil` for the first page.
  let after: SortKey?
  private let begun: Int
  /// The revision of the sync token, or `nil` for a full listing.
  let since: Int?

  /// Reads `pageToken`, `maxResults` and `syncToken`.
  ///
  /// - Parameters:
  ///   - subject: The listed collection. Tokens are valid for this collection only.
  ///   - revision: The current revision.
  ///   - syncTokens: The validity rules for sync tokens.
  ///   - oldest: The oldest revision whose sync tokens are still valid.
  init(
    _ call: CalendarCall, _ subject: String, revision: Int, syncTokens: SyncTokenPolicy, oldest: Int = 0
  ) throws(APIFault) {
    let parameters = call.parameters
    self.subject = "\(call.user) \(subject)"
    generation = syncTokens.generation
    let now = call.now.secondsSince1970
    self.now = now
    syncFingerprint = Self.digest(parameters.syncFingerprint)
    size = parameters.pageSize
    fingerprint = Self.digest("\(self.subject)?\(parameters.fingerprint)")
    if let token = parameters["syncToken"] {
      let parts = Self.read(token, "sync", self.subject) ?? []
      guard parts.count == 4, let generation = Int(parts[0]), let revision = Int(parts[1]),
        let issued = Int64(parts[2]), parts[3] == syncFingerprint
      else {
        throw .invalidParameter("syncToken", "Invalid sync token value.", reason: "invalid")
      }
      if let name = call.method.sync?.mustNotCombine.first(where: { parameters[$0] != nil }) {
        throw .invalidParameter(name, "The parameter cannot be used together with a sync token.", reason: "badRequest")
      }
      if let name = call.method.sync?.mustNotBeFalse.first(where: { parameters[$0] == "false" }) {
        throw .invalidParameter(name, "The value cannot be false together with a sync token.", reason: "badRequest")
      }
      // Not measured: the lifetime of Google's sync tokens.
      // A forged token may have any time.
      let age = Timestamp(secondsSince1970: now) - Timestamp(secondsSince1970: issued)
      let isExpired = syncTokens.lifetime.map { age >= $0 } ?? false
      guard generation == syncTokens.generation, revision >= oldest, !isExpired else { throw .fullSyncRequired }
      since = revision
    } else {
      since = nil
    }
    guard let token = parameters["pageToken"] else {
      after = nil
      begun = revision
      return
    }
    let parts = Self.read(token, "page", fingerprint) ?? []
    guard parts.count == 4, let begun = Int(parts[0]), let first = Int64(parts[1]), let second = Int64(parts[2]) else {
      throw .invalidParameter("pageToken", "The page token belongs to another request.", reason: "invalid")
    }
    self.begun = begun
    after = SortKey(first: first, second: second, id: String(parts[3]))
  }

  /// Returns a page of all results, and the field with either the next page token or the next sync token.
  func page<Item>(of items: [(key: SortKey, item: Item)]) -> (items: [Item], token: (name: String, value: JSONValue)) {
    var rest = items.sorted { $0.key < $1.key }[...]
    if let after { rest = rest.drop { $0.key <= after } }
    return page(of: rest)
  }

  /// Returns the page at the start of the results after ``after``.
  ///
  /// The results are in order. One result more than a page is enough.
  func page<Item>(
    of rest: ArraySlice<(key: SortKey, item: Item)>
  ) -> (items: [Item], token: (name: String, value: JSONValue)) {
    let page = rest.prefix(size)
    guard rest.count > size, let last = page.last?.key else {
      let position = "\(generation)\n\(begun)\n\(now)\n\(syncFingerprint)"
      return (page.map(\.item), ("nextSyncToken", .string(Self.write("sync", subject, position))))
    }
    let position = "\(begun)\n\(last.first)\n\(last.second)\n\(last.id)"
    return (page.map(\.item), ("nextPageToken", .string(Self.write("page", fingerprint, position))))
  }

  private static func digest(_ text: String) -> String {
    Base64URL.encode(Array(MessageDigest.sha256(text).prefix(12)))
  }

  private static func write(_ kind: String, _ subject: String, _ position: String) -> String {
    Base64URL.encode(Array("\(kind)\n\(subject)\n\(position)".utf8))
  }

  private static func read(_ token: String, _ kind: String, _ subject: String) -> [Substring]? {
    let parts = String(decoding: Base64URL.decode(token) ?? [], as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0] == kind, parts[1] == subject else { return nil }
    return Array(parts.dropFirst(2))
  }
}

extension [JSONValue] {
  /// Returns an entity tag for a list of resources: a digest of their identifiers and entity tags.
  func collectionETag(_ more: String = "") -> JSONValue {
    var text = more
    for item in self { text += "\n\(item["id"]?.string ?? "") \(item["etag"]?.string ?? "")" }
    return .string("\"\(Base64URL.encode([UInt8](MessageDigest.sha256(text).prefix(12))))\"")
  }
}
