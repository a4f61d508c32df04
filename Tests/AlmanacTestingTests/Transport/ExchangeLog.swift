// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport

/// A line for each transport that a check makes, and for each of its exchanges.
///
/// Errors have no names here: the check judges them, and which one of several it is may depend on the version of a library.
final class ExchangeLog: Sendable {
  private let all = Shared<[String]>([])
  private let hasOutcomes: Bool

  /// - Parameter hasOutcomes: Whether the lines say what came of the exchanges.
  init(hasOutcomes: Bool) { self.hasOutcomes = hasOutcomes }

  /// The lines without order, each with how often it came.
  var lines: [String] {
    Dictionary(all.value.map { ($0, 1) }, uniquingKeysWith: +).map { $1 == 1 ? $0 : "\($0) × \($1)" }.sorted()
  }

  /// The lines, or their number and a digest if they are many.
  static func summary(of lines: [String]) -> [String] {
    lines.count <= 12 ? lines : ["\(lines.count) lines #\(digest(of: Array(lines.joined(separator: "\n").utf8)))"]
  }

  /// Returns a transport whose exchanges are written down.
  func transport(_ limits: TransportLimits) -> DefectiveTransport {
    let usual = TransportLimits(timeout: .seconds(600))
    let changes = zip(Mirror(reflecting: limits).children, Mirror(reflecting: usual).children).compactMap { new, old in
      "\(new.value)" == "\(old.value)" ? nil : " \(new.label ?? "") \(new.value)"
    }
    all.change { $0.append("transport" + changes.joined(separator: ",")) }
    var transport = DefectiveTransport(limits: limits)
    let base = transport
    transport.sending = { request in
      try await self.adding(Self.text(request)) {
        try await base.send(request)
      } text: { response in
        Self.text(response.status, response.fields, response.redirectedOrigin) + Self.text(response.body)
      }
    }
    transport.streaming = { request, body in
      let upload = body.map { self.counting($0, "sent") }
      let length = body.map { $0.length.map { ", a body of \($0) bytes" } ?? ", a body" } ?? ""
      var response = try await self.adding("stream \(Self.text(request))\(length)") {
        try await base.stream(request, body: upload)
      } text: {
        Self.text($0.status, $0.fields, $0.redirectedOrigin)
      }
      response.body = self.counting(response.body, "came")
      return response
    }
    return transport
  }

  private func adding<Response>(
    _ request: String, _ exchange: () async throws -> Response, text: (Response) -> String
  ) async throws -> Response {
    do {
      let response = try await exchange()
      all.change { $0.append(hasOutcomes ? "\(request) → \(text(response))" : request) }
      return response
    } catch {
      all.change { $0.append(hasOutcomes ? "\(request) → an error" : request) }
      throw error
    }
  }

  /// Writes the size of a body down when it comes to its end.
  private func counting(_ body: BodyStream, _ verb: String) -> BodyStream {
    guard hasOutcomes else { return body }
    let bytes = Shared<[UInt8]>([])
    return BodyStream(
      EndedBody(body: body) { chunk in
        if let chunk { return bytes.change { $0 += chunk } }
        self.all.change { $0.append("\(verb)\(Self.text(bytes.value))") }
      }, length: body.length)
  }

  private static func text(_ request: HTTPRequest) -> String {
    let isLocal = ["127.0.0.1", "localhost"].contains(request.url.host())
    let text = request.url.absoluteString
    var result = "\(request.method) "
    result += withoutPorts(isLocal ? String(text[(text.dropFirst(7).firstIndex(of: "/") ?? text.endIndex)...]) : text)
    result += self.text(request.fields)
    if let body = request.body { result += self.text(body) }
    if let timeout = request.timeout { result += ", limit \(timeout)" }
    if request.isRepeatable != HTTPRequest(request.method, request.url).isRepeatable { result += ", repeatable" }
    if request.redirectScope != .anyOrigin { result += ", \(request.redirectScope)" }
    return result
  }

  private static func text(_ status: Int, _ fields: HTTPFields, _ origin: Origin?) -> String {
    "\(status)" + text(fields) + (origin.map { " of " + withoutPorts("\($0)") } ?? "")
  }

  private static func text(_ fields: HTTPFields) -> String {
    let text = fields.map {
      " [\($0.name): \($0.value.count > 100 ? "\($0.value.count) characters" : withoutPorts($0.value))]"
    }.joined()
    return fields.count > 12 ? " \(fields.count) fields #\(digest(of: Array(text.utf8)))" : text
  }

  private static func text(_ body: [UInt8]) -> String {
    if body.isEmpty { return ", no bytes" }
    if body.count <= 20, body.allSatisfy({ (32..<127).contains($0) }) {
      return " \"\(String(decoding: body, as: UTF8.self))\""
    }
    // The digest of megabytes would take longer than some checks allow.
    return ", \(body.count) bytes #\(digest(of: Array(body.prefix(65_536))))"
  }

  /// The FNV-1a digest of 32 bits.
  static func digest(of bytes: [UInt8]) -> String {
    String(bytes.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }, radix: 16)
  }

  /// The port of a server is another one each time.
  private static func withoutPorts(_ text: String) -> String {
    text.replacing(/(?<before>127\.0\.0\.1:|localhost:|\/\?)\d{4,5}/) { "\($0.output.before)PORT" }
  }
}

/// A body that says what comes of it; `nil` at its end.
private struct EndedBody: AsyncSequence, Sendable {
  let body: BodyStream
  let note: @Sendable ([UInt8]?) -> Void

  func makeAsyncIterator() -> Iterator { Iterator(note: note, base: body.makeAsyncIterator()) }

  struct Iterator: AsyncIteratorProtocol {
    let note: @Sendable ([UInt8]?) -> Void
    var base: BodyStream.Iterator

    mutating func next() async throws -> [UInt8]? {
      let chunk = try await base.next()
      note(chunk)
      return chunk
    }
  }
}
