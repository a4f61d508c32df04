// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import TestSupport
import Testing

/// The rules for the head and the size of a response, at each of their boundaries.
@Suite struct ResponseReceiverTests {
  private static func receiver(
    _ head: String = "", method: HTTPMethod = .get, _ limits: TransportLimits = TransportLimits(),
    accepting codings: [ContentCoding] = [.gzip]
  ) -> ResponseReceiver {
    let request = HTTPRequest(method, URL(literal: "http://127.0.0.1/"))
    var receiver = ResponseReceiver(request, limits: limits, accepting: codings)
    receive(head, &receiver)
    return receiver
  }

  /// Receives lines, each with its end, until one is a fault.
  @discardableResult
  private static func receive(_ text: String, _ receiver: inout ResponseReceiver) -> [ResponseReceiver.Progress] {
    var progress: [ResponseReceiver.Progress] = []
    // CR LF is one character, so the lines are split by bytes.
    let lines = Array(text.utf8).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
    for line in lines where progress.last != .fault {
      progress.append(receiver.receive(line: Array(line + "\n".utf8).span))
    }
    return progress
  }

  private static func fault(of receiver: ResponseReceiver) -> String {
    receiver.fault.map { "\($0.code) \($0.reason)" } ?? "none"
  }

  // MARK: The head

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r", 200), ("HTTP/1.1 599\r", 599), ("HTTP/2 204", 204), ("HTTP/1.0 404 ", 404),
    ("HTTP/11.12 200", 200), ("HTTP/1.1 200", 200), ("HTTP/1.1 099", 0), ("HTTP/1.1 600 X", 0), ("HTTP/1.1 20", 0),
    ("HTTP/1.1 2000", 0), ("HTTP/1.1 200X", 0), ("HTTP/1.1  200", 0), ("HTTP/1.1\t200", 0), ("HTTP/1. 200", 0),
    ("HTTP/.1 200", 0), ("HTTP/ 200", 0), ("HTTP 200", 0), ("http/1.1 200", 0), ("XHTTP/1.1 200", 0), ("HTTP/1.1", 0),
    ("HTTP/1.1 ", 0), ("HTTP/1.1 2:0", 0), ("HTTP/1.1 2/0", 0), ("HTTP/1,1 200", 0),
  ])
  func statusLineIsReadOrRefused(_ line: String, _ status: Int) {
    var receiver = Self.receiver()
    let progress = Self.receive("\(line)\n\r\n", &receiver)
    #expect(progress == (status == 0 ? [.goOn, .fault] : [.goOn, .headComplete]))
    #expect(receiver.isHeadComplete)
    #expect(receiver.isComplete == (status != 0))
    if status != 0 { #expect(receiver.status == status) }
    #expect(Self.fault(of: receiver) == (status == 0 ? "protocolViolation malformedHead" : "none"))
  }

  /// The fields and bytes of all heads and of the trailer count together; status lines are no fields.
  @Test(arguments: [(0, "none"), (1, "tooLarge head")]) func headHasALimitOfFieldsAndBytes(
    _ missing: Int, _ fault: String
  ) {
    let head = "HTTP/1.1 103\nA: 1\n\nHTTP/1.1 200 OK\r\nB: 2\r\nTransfer-Encoding: chunked\r\n\r\n"
    let trailer = "C: 3\r\n\r\n"
    let bytes = TransportLimits(headerBytes: head.utf8.count + trailer.utf8.count - missing)
    let fields = TransportLimits(headerFields: 4 - missing)
    for limits in [bytes, fields] {
      var receiver = Self.receiver(head, limits)
      #expect(Self.fault(of: receiver) == "none" && receiver.isHeadComplete)
      Self.receive(trailer, &receiver)
      #expect(Self.fault(of: receiver) == fault)
    }
  }

  // MARK: The body

  /// The end of the connection is the end of the body where nothing else is; it may be the end at a number of bytes where one is known.
  @Test(
    arguments: [
      ("HTTP/1.1 200\nContent-Length: 3\n\n", HTTPMethod.get, false, 3),
      ("HTTP/1.1 200\nContent-Length: 3\n\n", .head, false, 0),
      ("HTTP/1.1 200\nContent-Length: 0\n\n", .get, false, 0), ("HTTP/1.1 200\n\n", .get, true, nil),
      ("HTTP/1.1 200\n\n", .head, false, 0), ("HTTP/1.1 204\n\n", .get, false, 0),
      ("HTTP/1.1 204\nContent-Length: 3\n\n", .get, false, 0), ("HTTP/1.1 304\nContent-Length: 3\n\n", .get, false, 0),
      ("HTTP/1.1 205\n\n", .get, true, nil), ("HTTP/1.1 200\nTransfer-Encoding: chunked\n\n", .get, false, 0),
      ("HTTP/1.1 200\nContent-Length: 3\nTransfer-Encoding: chunked\n\n", .get, false, 0),
      ("HTTP/2 200\n\n", .get, false, nil),
      ("HTTP/2 200\nContent-Length: 3\n\n", .get, false, nil),
    ] as [(String, HTTPMethod, Bool, Int?)])
  func endOfABodyIsKnown(_ head: String, _ method: HTTPMethod, _ endsWithConnection: Bool, _ bytes: Int?) {
    let receiver = Self.receiver(head, method: method)
    #expect(receiver.endsWithConnection == endsWithConnection)
    #expect(receiver.isMultiplexed == head.hasPrefix("HTTP/2"))
    for count in 0...4 { #expect(receiver.mayBeAtEnd(encodedBytes: count) == (bytes.map { count >= $0 } ?? false)) }
  }

  /// Announced and received bytes are within both limits, before and after a content encoding is decoded.
  @Test(
    arguments: [
      // (fields, body limit, encoded limit, announced fault)
      ("Content-Length: 10", 10, nil, "none"), ("Content-Length: 11", 10, nil, "tooLarge body"),
      ("Content-Length: 10", 20, 10, "none"), ("Content-Length: 11", 20, 10, "tooLarge encodedBody"),
      ("Content-Length: 11\nContent-Encoding: gzip", 10, 11, "none"),
      ("Content-Length: 12\nContent-Encoding: gzip", 10, 11, "tooLarge encodedBody"),
      ("Content-Length: 11\nContent-Encoding: gzip", 10, nil, "tooLarge encodedBody"),
      ("Content-Length: 99\nTransfer-Encoding: chunked", 10, nil, "none"),
    ] as [(String, Int, Int?, String)])
  func announcedSizeHasLimits(_ fields: String, _ limit: Int, _ encodedLimit: Int?, _ fault: String) {
    var limits = TransportLimits(bodyBytes: limit)
    limits.encodedBodyBytes = encodedLimit
    #expect(Self.fault(of: Self.receiver("HTTP/1.1 200\n\(fields)\n\n", limits)) == fault)
    // A response to HEAD has no body.
    #expect(Self.fault(of: Self.receiver("HTTP/1.1 200\n\(fields)\n\n", method: .head, limits)) == "none")
  }

  /// The server states the size, and a caller without a limit accepts any.
  @Test func sizeThatIsOnlyAnnouncedTakesNoMemory() {
    for size in [Int.max, 1 << 50] {
      var receiver = Self.receiver("HTTP/1.1 200\nContent-Length: \(size)\n\n", TransportLimits(bodyBytes: .max))
      receiver.reserveBody()
      receiver.append(body: [1].span)
      #expect(receiver.body == [1])
    }
  }

  @Test func codingThatWasNotAskedForIsRefused() throws {
    try #require(ContentCoding.supported.contains(.brotli) && ContentCoding.supported.contains(.gzip))
    for (coding, codings, fault) in [
      ("gzip", [ContentCoding.gzip], "none"), ("br", [.gzip], "protocolViolation malformedEncoding"),
      ("br", [], "none"),
      ("gzip", [.brotli], "protocolViolation malformedEncoding"), ("GZIP,br", [.brotli, .gzip, .zstd], "none"),
      ("gzip\t, br", [.gzip], "protocolViolation malformedEncoding"), ("x-gzip", [.gzip], "none"),
    ] {
      let receiver = Self.receiver("HTTP/1.1 200\nContent-Encoding: \(coding)\n\n", accepting: codings)
      #expect(Self.fault(of: receiver) == fault, "\(coding)")
    }
  }

  // MARK: The announced length

  /// A number, or the same number several times, with spaces and tabs around each.
  @Test(
    arguments: [
      ("5", 5), (" 5", 5), ("\t 5 \t", 5), ("5,5", 5), ("5 ,\t5, 5", 5), ("005", 5), ("5\r", 5), ("0", 0),
      ("9223372036854775807", Int.max), ("9223372036854775808", .max), ("99999999999999999999999", .max), ("", nil),
      (" ", nil), ("5 6", nil), ("5,6", nil), ("5,", nil), (",5", nil), ("5;", nil), ("+5", nil), ("-5", nil),
      ("5a", nil),
      ("5:", nil), ("/5", nil), ("0x5", nil), ("5,5,6", nil),
    ] as [(String, Int?)])
  func lengthIsReadOrRefused(_ text: String, _ length: Int?) {
    let limits = TransportLimits(bodyBytes: .max)
    let receiver = Self.receiver("HTTP/1.1 200\nContent-Length:\(text)\n\n", limits)
    #expect(Self.fault(of: receiver) == (length == nil ? "protocolViolation malformedHead" : "none"))
    guard let length else { return }
    #expect(
      receiver.mayBeAtEnd(encodedBytes: length) && (length == 0 || !receiver.mayBeAtEnd(encodedBytes: length - 1)))
  }
}
