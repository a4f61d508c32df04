// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

/// A reader of the parts of a batch request
/// ([batch requests](https://developers.google.com/workspace/calendar/api/guides/batch#format)).
///
/// Lines can end with only a line feed, as in requests of Google's Python client.
struct BatchReader {
  /// A request in a batch.
  struct Part {
    /// The `Content-ID`, unchanged.
    let contentID: String?
    /// The request, or `nil` if it is malformed.
    let request: HTTPRequest?
  }

  /// Google's limit on the parts of a batch.
  static let maximumCount = 1000

  private let outer: HTTPRequest
  private let delimiter: [UInt8]

  /// - Returns: `nil` if the request is not `multipart/mixed` with a boundary.
  init?(_ request: HTTPRequest) {
    guard let type = request.fields["Content-Type"], let boundary = Self.boundary(of: type) else { return nil }
    outer = request
    delimiter = Array("--\(boundary)".utf8)
  }

  /// Returns the requests in order, or `nil` if the body does not end with the closing delimiter.
  func parts() -> [Part]? {
    let body = outer.body ?? []
    var parts: [Part] = []
    var start: Int?
    var position = 0
    while position < body.count {
      let end = body[position...].firstIndex(of: 0x0A) ?? body.count
      let line = body[position..<end]
      if line.starts(with: delimiter) {
        let rest = line.dropFirst(delimiter.count).filter { $0 != 0x0D && $0 != 0x20 && $0 != 0x09 }
        guard rest.isEmpty || rest.starts(with: "--".utf8) else { return nil }
        if let start { parts.append(part(body[start..<max(start, position - 1)])) }
        guard rest.isEmpty else { return parts }
        start = min(end + 1, body.count)
      }
      position = end + 1
    }
    return nil
  }

  private func part(_ bytes: ArraySlice<UInt8>) -> Part {
    var lines = Lines(bytes)
    let fields = lines.fields()
    return Part(contentID: fields["Content-ID"], request: request(&lines))
  }

  private func request(_ lines: inout Lines) -> HTTPRequest? {
    let words = String(decoding: lines.next(), as: UTF8.self).split(separator: " ")
    guard words.count == 3, words[2].hasPrefix("HTTP/"), words[1].hasPrefix("/"), !words[1].hasPrefix("//"),
      let origin = Origin(outer.url), let url = URL(string: "\(origin)\(words[1])")
    else { return nil }
    var request = HTTPRequest(HTTPMethod(rawValue: String(words[0])), url, fields: lines.fields())
    // A part inherits the outer request's fields, except those that describe the outer body.
    for field in outer.fields {
      let name = field.name.lowercased()
      guard !name.hasPrefix("content-"), !Self.ownFields.contains(name), request.fields[name] == nil else { continue }
      request.fields.append(field.name, field.value)
    }
    let length = request.fields["Content-Length"].flatMap { Int($0) }
    let content = lines.rest
    request.body = Array(content.prefix(length.map { max($0, 0) } ?? content.count))
    return request
  }

  /// The fields not inherited by parts.
  private static let ownFields: Set<String> = [
    "accept", "connection", "host", "te", "transfer-encoding", "mime-version",
  ]

  private static func boundary(of type: String) -> String? {
    let parts = type.split(separator: ";").map { $0.drop { $0 == " " } }
    guard parts.first?.lowercased().hasPrefix("multipart/mixed") == true else { return nil }
    for part in parts.dropFirst() where part.lowercased().hasPrefix("boundary=") {
      var value = part.dropFirst("boundary=".count)
      while value.last == " " { value.removeLast() }
      if value.count > 1, value.hasPrefix("\""), value.hasSuffix("\"") { value = value.dropFirst().dropLast() }
      return (1...200).contains(value.utf8.count) ? String(value) : nil
    }
    return nil
  }
}

/// A reader of lines that end with a line feed, with or without a carriage return before it.
private struct Lines {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() -> ArraySlice<UInt8> {
    let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
    var line = rest[rest.startIndex..<end]
    rest = end == rest.endIndex ? [] : rest[(end + 1)...]
    if line.last == 0x0D { line.removeLast() }
    return line
  }

  /// Reads the fields up to an empty line.
  ///
  /// Malformed fields are ignored.
  mutating func fields() -> HTTPFields {
    var fields = HTTPFields()
    while !rest.isEmpty {
      let line = next()
      guard !line.isEmpty else { break }
      if let field = try? HTTPFields.Field(line: line) { fields.append(field.name, field.value) }
    }
    return fields
  }
}
