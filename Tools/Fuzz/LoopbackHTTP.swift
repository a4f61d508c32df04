// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// Tests any bytes as the requests of a browser or an attacker to the callback listener.
///
/// The result is the same requests and the same refusal, however the bytes are divided. A parsed request survives writing and
/// parsing. The test is compiled with the sources of LoopbackHTTP, because its parser is not public.
func fuzz(_ bytes: [UInt8]) {
  let whole = Reading(bytes, piece: max(bytes.count, 1))
  for piece in [1, 2, 7] { precondition(Reading(bytes, piece: piece) == whole) }
  for request in whole.requests {
    // The written head can be longer.
    let again = Reading(request.written, piece: bytes.count + 1, limit: 2048)
    precondition(again.requests == [request] && again.status == nil)
  }
  if let status = whole.status { precondition([400, 413, 414, 417, 421, 431, 501, 505].contains(status)) }
}

/// The result of parsing a stream of bytes.
private struct Reading: Equatable {
  struct Request: Equatable {
    let method: String
    let target: String
    let fields: [String]
    let body: [UInt8]?

    init(_ message: RequestParser.Message) {
      method = message.head.method.rawValue
      target = message.head.target
      let framing: Set = ["content-length", "transfer-encoding", "expect"]
      fields = message.head.fields.filter { !framing.contains($0.name.lowercased()) }.map { "\($0.name): \($0.value)" }
      body = message.body
    }

    var written: [UInt8] {
      let length = body.map { ["Content-Length: \($0.count)"] } ?? []
      let lines = ["\(method) \(target) HTTP/1.1"] + fields + length + ["", ""]
      return Array(lines.joined(separator: "\r\n").utf8) + (body ?? [])
    }
  }

  var requests: [Request] = []
  /// The status of the refusal that ended the stream.
  var status: Int?

  init(_ bytes: [UInt8], piece: Int, limit: Int = 512) {
    var parser = RequestParser(limits: .init(headerBytes: limit, bodyBytes: limit), authorities: ["127.0.0.1:4711"])
    do throws(RequestFault) {
      for start in stride(from: 0, to: bytes.count, by: piece) {
        parser.append(bytes[start..<min(start + piece, bytes.count)])
        while let message = try parser.next() { requests.append(Request(message)) }
        precondition(parser.bufferedCount <= bytes.count)
      }
    } catch {
      status = error.status
    }
  }
}
