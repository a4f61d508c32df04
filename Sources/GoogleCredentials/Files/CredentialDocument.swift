// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import PlatformFoundation

/// The members of a credential file, or of an object within it.
///
/// Every error names the file and the member.
///
/// A member counts as missing if it is `null`, an empty string, list or object, or the number 0 in place of an integer.
struct CredentialDocument: Sendable {
  /// The path of the file, or `nil` if the program provided the content.
  let file: String?
  /// The names of the enclosing objects, each followed by a period.
  private let prefix: String
  private let members: [String: JSONValue]

  /// Parses a file's content.
  ///
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/malformed``.
  init(json: [UInt8], file: String?) throws {
    guard let value = try? JSONValue(json: json, requiringUniqueNames: true),
      let members = value.withoutAbsentMembers.object
    else {
      throw GoogleCredentialError(
        .malformed,
        "\(Self.name(of: file)) is not a JSON object, or has a duplicate member. Download or create it again.",
        file: file)
    }
    self.init(members, file: file, prefix: "")
  }

  private init(_ members: [String: JSONValue], file: String?, prefix: String) {
    self.members = members
    self.file = file
    self.prefix = prefix
  }

  private static func name(of file: String?) -> String { file.map { "The file \($0.printable)" } ?? "The credential" }

  /// The file's name at the beginning of a message.
  var name: String { Self.name(of: file) }

  /// Returns an error about a member.
  ///
  /// - Parameter problem: The fault and its remedy, as the end of a sentence that begins with the member's name.
  func error(_ code: GoogleCredentialError.Code, _ member: String, _ problem: String) -> GoogleCredentialError {
    GoogleCredentialError(
      code, "\(name): \(prefix)\(member) \(problem)", file: file, member: prefix + member)
  }

  /// Returns a member of one type, or `nil` if it is missing.
  private func optional<Value>(_ member: String, _ kind: String, _ read: (JSONValue) -> Value?) throws -> Value? {
    guard let value = members[member] else { return nil }
    guard let value = read(value) else { throw error(.malformed, member, "is not \(kind).") }
    return value
  }

  private func required<Value>(_ member: String, _ value: Value?) throws -> Value {
    try value ?? missing(member)
  }

  /// Throws the error about a missing member.
  func missing<Value>(_ member: String) throws -> Value {
    throw error(.malformed, member, "is missing. Download or create the file again.")
  }

  /// Returns a string.
  func string(_ member: String) throws -> String { try required(member, optionalString(member)) }

  func optionalString(_ member: String) throws -> String? { try optional(member, "a string", \.string) }

  /// Returns a list of strings.
  ///
  /// The member is an array, or one string with spaces as separators.
  func optionalStrings(_ member: String) throws -> [String]? {
    try optional(member, "a list of strings") { value in
      value.strings ?? value.string?.split(ascii: " ").map(String.init)
    }
  }

  func optionalBoolean(_ member: String) throws -> Bool? { try optional(member, "true or false", \.bool) }

  func optionalInteger(_ member: String) throws -> Int? {
    try optional(member, "an integer") { $0.number?.integer }.flatMap { $0 == 0 ? nil : $0 }
  }

  func object(_ member: String) throws -> CredentialDocument { try required(member, optionalObject(member)) }

  func optionalObject(_ member: String) throws -> CredentialDocument? {
    try optional(member, "an object", \.object).map {
      CredentialDocument($0, file: file, prefix: "\(prefix)\(member).")
    }
  }

  /// Returns an object whose members are all strings.
  func optionalTexts(_ member: String) throws -> [String: String]? {
    try optional(member, "an object of strings") { value in
      guard let members = value.object else { return nil }
      let texts = members.compactMapValues(\.string)
      return texts.count == members.count ? texts : nil
    }
  }

  /// Returns a URL, without checking it.
  func optionalURL(_ member: String) throws -> URL? {
    guard let text = try optionalString(member) else { return nil }
    guard let url = URL(string: text) else { throw error(.malformed, member, "is not a URL.") }
    return url
  }
}

extension CredentialDocument: CustomReflectable {
  /// A mirror with the names of the members, without their values.
  var customMirror: Mirror { Mirror(self, children: ["file": file ?? "", "members": members.keys.sorted()]) }
}

extension CredentialDocument {
  /// Returns the domain of the file's cloud, which must be the one expected by the program.
  ///
  /// Otherwise, a file could name its author's domain, and its URLs would pass every check.
  func universe(expecting expected: String) throws -> String {
    let universe = try optionalString("universe_domain") ?? GoogleHost.publicUniverse
    guard universe == expected else {
      throw error(
        .untrustedURL, "universe_domain",
        "is not \(expected.printable). If you trust that cloud, set GOOGLE_CLOUD_UNIVERSE_DOMAIN to it.")
    }
    return universe
  }

  /// Returns an error about a URL of a host other than Google's.
  func untrusted(_ member: String, expecting example: String) -> GoogleCredentialError {
    error(
      .untrustedURL, member,
      "is not a URL of Google's, such as \(example). Nothing was sent. Do not use the file unless you know who wrote it."
    )
  }
}

extension CredentialEnvironment {
  /// The domain of the program's cloud.
  var universe: String { self["GOOGLE_CLOUD_UNIVERSE_DOMAIN"] ?? GoogleHost.publicUniverse }
}
