// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportURLSession
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The body that a response's head announces, and the limits of the head.
@Suite struct ResponseHeadTests {
  private func head(_ fields: [String: String], status: Int = 200) throws -> ResponseHead {
    ResponseHead(
      try #require(
        HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)))
  }

  private var url: URL { get throws { try #require(URL(string: "https://a.example/path")) } }

  private func fault(
    _ fields: [String: String], _ limits: TransportLimits, status: Int = 200, _ method: HTTPMethod = .get
  ) throws -> (TransportError.Code, TransportError.Reason?)? {
    do {
      try head(fields, status: status).check(limits, for: HTTPRequest(method, url))
      return nil
    } catch let error as TransportError {
      #expect(error.message.contains("https://a.example"))
      return (error.code, error.reason)
    }
  }

  @Test func statusAndFieldsAreThoseOfTheResponse() throws {
    let head = try head(["X-A": "b"], status: 404)
    #expect(head.status == 404)
    #expect(head.fields.map { "\($0.name): \($0.value)" } == ["X-A: b"])
  }

  @Test(arguments: [
    ("a\r\nb", "a  b"), ("a\0b", "a b"), ("a\nb\r", "a b "), ("a\tb", "a\tb"), ("\u{E9}", "\u{E9}"), ("", ""),
  ])
  func valueEndsNoLine(_ value: String, _ kept: String) throws {
    #expect(try head(["X-A": value]).fields["X-A"] == kept)
  }

  /// Each field takes its name, its value, a colon, a space and the end of the line.
  @Test(arguments: [(12, 1, true), (11, 1, false), (12, 0, false), (100, 2, true)])
  func headIsRefusedBeyondItsLimits(_ bytes: Int, _ fields: Int, _ isAllowed: Bool) throws {
    let fault = try fault(["X-Ab": "1234"], TransportLimits(headerBytes: bytes, headerFields: fields))
    #expect((fault == nil) == isAllowed)
    if let fault { #expect(fault == (.tooLarge, .head)) }
  }

  @Test(
    arguments: [
      ("0", nil), ("10", nil), ("11", .tooLarge), ("10,10", nil), ("10, 10", nil), ("10,11", .protocolViolation),
      ("010", nil), ("10,", .protocolViolation), ("+1", .protocolViolation), ("-1", .protocolViolation),
      ("1a", .protocolViolation), ("\u{0661}", .protocolViolation), ("0x1", .protocolViolation),
      ("1 1", .protocolViolation), ("99999999999999999999", .protocolViolation),
    ] as [(String, TransportError.Code?)])
  func lengthIsOneNumber(_ length: String, _ code: TransportError.Code?) throws {
    let fault = try fault(["Content-Length": length], TransportLimits(bodyBytes: 10))
    #expect(fault?.0 == code)
    #expect(fault?.1 == (code == .tooLarge ? .body : code == nil ? nil : .malformedHead))
  }

  /// A length counts only for a response with a body, and encoded bytes have a limit of their own.
  @Test(
    arguments: [
      (.get, 200, [:], .body), (.head, 200, [:], nil), (.get, 204, [:], nil), (.get, 304, [:], nil),
      (.get, 203, [:], .body),
      (.get, 305, [:], .body), (.post, 404, [:], .body), (.get, 200, ["Transfer-Encoding": "chunked"], nil),
      (.get, 200, ["Content-Encoding": "gzip"], nil),
    ] as [(HTTPMethod, Int, [String: String], TransportError.Reason?)])
  func lengthCountsWhereThereIsABody(
    _ method: HTTPMethod, _ status: Int, _ more: [String: String], _ reason: TransportError.Reason?
  ) throws {
    let fields = more.merging(["Content-Length": "11"]) { $1 }
    let wide = TransportLimits(bodyBytes: 10, encodedBodyBytes: 11)
    #expect(try fault(fields, wide, status: status, method)?.1 == reason)
    // The length is read in any case.
    #expect(try fault(more.merging(["Content-Length": "x"]) { $1 }, wide, status: status, method)?.1 == .malformedHead)
    let narrow = TransportLimits(bodyBytes: 100, encodedBodyBytes: 10)
    let isCounted = reason != nil || more["Content-Encoding"] != nil
    #expect(try fault(fields, narrow, status: status, method)?.1 == (isCounted ? .encodedBody : nil))
    let head = try head(fields, status: status)
    #expect(head.announces(moreThan: 10, for: method) == (reason != nil))
    #expect(!head.announces(moreThan: 11, for: method))
  }

  @Test func headWithoutALengthAnnouncesNothing() throws {
    #expect(try !head([:]).announces(moreThan: 0, for: .get))
    #expect(try fault([:], TransportLimits(bodyBytes: 0)) == nil)
  }
}
