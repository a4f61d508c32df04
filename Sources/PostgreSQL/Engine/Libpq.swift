// SPDX-License-Identifier: Apache-2.0

import CLibpq

/// libpq, which is loaded when it is first used.
enum Libpq {
  /// Loads libpq, unless it is loaded.
  ///
  /// - Throws: ``PostgreSQLError`` with code ``PostgreSQLError/Code/libraryMissing``.
  static func load() throws(PostgreSQLError) {
    guard almanac_pq_load() else {
      throw PostgreSQLError(
        .libraryMissing,
        "libpq is not installed. Install the package libpq5 (Debian, Ubuntu) or libpq (Fedora, Homebrew)."
      )
    }
  }

  /// The version, such as 150003 for 15.3.
  static var version: Int { Int(almanac_PQlibVersion()) }

  /// Parses a connection string.
  ///
  /// The library must be loaded.
  ///
  /// - Returns: The options set by the string, or `nil` if it is malformed.
  static func options(of text: String) -> [String: String]? {
    var message: UnsafeMutablePointer<CChar>?
    // Safe: the call writes a text that it allocates, or NULL. The text can contain parts of the string, and is not read.
    let list = unsafe almanac_PQconninfoParse(text, &message)
    defer { unsafe almanac_PQfreemem(message) }
    return unsafe list.map { unsafe taking($0) }
  }

  /// Returns the options of the environment: the variables `PGHOST` and so on, and the service file if `PGSERVICE` is set.
  ///
  /// The library must be loaded. The call can read a file.
  static func defaultOptions() -> [String: String] {
    unsafe almanac_PQconndefaults().map { unsafe taking($0) } ?? [:]
  }

  /// Reads and frees a list of options.
  private static func taking(_ list: UnsafeMutablePointer<almanac_pq_option>) -> [String: String] {
    defer { unsafe almanac_PQconninfoFree(list) }
    var options: [String: String] = [:]
    var next = unsafe list
    // Safe: an option without a keyword ends the list, whose texts end with NUL.
    while let keyword = unsafe next.pointee.keyword {
      if let value = unsafe next.pointee.val { unsafe options[String(cString: keyword)] = String(cString: value) }
      unsafe next += 1
    }
    return options
  }
}
