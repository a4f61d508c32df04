// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import Testing

@Suite struct HTTPFieldsTests {
  @Test func canBeMadeFromADictionarySortedByName() {
    let dictionary = ["b": "1", "A": "2", "c": "3", "a": "4"]
    #expect(HTTPFields(dictionary).map(\.name) == ["A", "a", "b", "c"])
    #expect(HTTPFields(dictionary).values(for: "a") == ["2", "4"])
    #expect(FormFields(dictionary).map(\.name) == ["A", "a", "b", "c"])
    #expect(FormFields(dictionary).map(\.value) == ["2", "4", "1", "3"])
    #expect(HTTPFields(dictionary)["a"] == "2" && FormFields(dictionary)["a"] == "4", "names of forms have a case")
    #expect(HTTPFields([String: String]()).isEmpty)
  }
}

@Suite struct HTTPRequestTests {
  @Test(
    arguments: [
      ("https://api.example/x", HTTPMethod.get, HTTPFields()),
      ("http://[::1]:80/x", "PROPFIND", ["X-A": "b\tc é"]),
    ] as [(String, HTTPMethod, HTTPFields)])
  func soundRequestIsAccepted(_ url: String, _ method: HTTPMethod, _ fields: HTTPFields) throws {
    try HTTPRequest(method, try #require(URL(string: url)), fields: fields).validate()
  }

  @Test(
    arguments: [
      ("ftp://api.example/", HTTPMethod.get, HTTPFields(), "absolute, http or https, with a host"),
      ("/relative", .get, [:], "absolute"), ("https:///x", .get, [:], "absolute"),
      ("https://me:s3cret@api.example/", .get, [:], "user name or password"),
      ("https://s3cret@api.example/", .get, [:], "user name or password"),
      ("https://:s3cret@api.example/", .get, [:], "user name or password"),
      ("https://api.example/", "GET /", [:], "method"), ("https://api.example/", "", [:], "method"),
      ("https://api.example/", .get, ["A": "s3cret\u{7F}"], "field A "),
      ("https://api.example/", .get, ["A": "s3cret\r\nB: c"], "field A "),
      ("https://api.example/", .get, ["A: s3cret\r\nB": "c"], "field with a malformed name "),
      ("https://api.example/", .get, ["": "s3cret"], "field "),
      ("https://api.example/", .get, ["A": "s3cret\0"], "field A "),
    ] as [(String, HTTPMethod, HTTPFields, String)])
  func requestThatCannotBeSentIsATypedError(
    _ url: String, _ method: HTTPMethod, _ fields: HTTPFields, _ problem: String
  ) throws {
    let request = HTTPRequest(method, try #require(URL(string: url)), fields: fields)
    let error = #expect(throws: TransportError.self) { try request.validate() }
    #expect(error?.code == .invalidRequest)
    #expect(error?.message.contains(problem) == true)
    #expect(error?.description.contains("s3cret") == false)
  }

  @Test func originIsThatOfTheURLAlsoOnceThatHasChanged() throws {
    let texts = [
      "https://api.example/x", "http://127.0.0.1:8080", "https://API.example:443/", "https://me@api.example/",
      "/relative",
      "ftp://api.example/",
    ]
    var request = HTTPRequest(.get, try #require(URL(string: "https://other.example/")))
    for url in try texts.map({ try #require(URL(string: $0)) }) {
      request.url = url
      #expect(request.origin == Origin(url))
      #expect(request == HTTPRequest(.get, url))
      #expect(((try? request.validate()) == nil) == ((try? HTTPRequest(.get, url).validate()) == nil))
    }
    request.url = try #require(URL(string: "https://me@api.example/"))
    #expect(throws: TransportError.self) { try request.validate() }
    request.url = try #require(URL(string: "https://api.example/"))
    try request.validate()
    request.url.append(path: "x")
    #expect(request.origin?.description == "https://api.example")
  }
}

@Suite struct OriginTests {
  @Test(arguments: [
    ("http://127.0.0.1:1", true), ("http://localhost", true), ("http://169.254.169.254", true),
    ("http://[fd20:ce::254]", true), ("http://[fd00:ec2::254]", true), ("http://metadata.google.internal", true),
    ("http://169.25.4.1", false),
    ("http://metadata.google.internal.example", false), ("https://example.com", false),
  ])
  func noProxyComesBetweenThisMachineAndItsMetadataServer(_ text: String, _ isBeyond: Bool) throws {
    #expect(try #require(Origin(text)).isBeyondProxies == isBeyond)
  }

  @Test(arguments: [
    ("https://API.example/x", "https://api.example", false, true),
    ("https://a.example:443", "https://a.example", false, true),
    ("http://127.0.0.1:8080/", "http://127.0.0.1:8080", true, true), ("http://[::1]/", "http://[::1]", true, true),
    ("http://localhost", "http://localhost", true, true),
    ("http://127.0.0.1.evil.example", "http://127.0.0.1.evil.example", false, false),
    ("http://127.+0.0.1", "http://127.+0.0.1", false, false),
    ("http://127.evil.0.1/", "http://127.evil.0.1", false, false),
    ("http://api.example", "http://api.example", false, false),
    ("http://127.08.0.1", "http://127.08.0.1", false, false), ("http://127.0.0.01", "http://127.0.0.01", false, false),
    ("http://127.00.0.1", "http://127.00.0.1", false, false), ("http://0127.0.0.1", "http://0127.0.0.1", false, false),
    ("http://127.0.0.256", "http://127.0.0.256", false, false), ("http://127.0.1", "http://127.0.1", false, false),
    ("http://127.0.0.0.1", "http://127.0.0.0.1", false, false), ("http://127.0.0.", "http://127.0.0.", false, false),
    ("http://127..0.1", "http://127..0.1", false, false), ("http://128.0.0.1", "http://128.0.0.1", false, false),
    ("http://1.127.0.0", "http://1.127.0.0", false, false), ("http://localhost.", "http://localhost.", false, false),
    ("http://127.255.255.255", "http://127.255.255.255", true, true), ("http://[::2]", "http://[::2]", false, false),
    ("http://xlocalhost", "http://xlocalhost", false, false),
  ])
  func isReadAndJudged(_ text: String, _ description: String, _ isLoopback: Bool, _ isSecure: Bool) throws {
    let origin = try #require(Origin(text))
    #expect(origin.description == description)
    #expect(origin.isLoopback == isLoopback)
    #expect(origin.isSecure == isSecure)
  }

  /// The short way for plain URLs must give what `URL` gives, or leave the URL to it.
  @Test(arguments: [
    "http://a.example", "https://a.example/", "http://a.example?b", "https://a-1_b.example#c", "http://a.example:80/",
    "https://a.example:65535/x", "http://a.example:/", "http://a.example:0/", "http://a.example:080/",
    "http://a.example:65536/", "http://a.example:123456/", "http://a.example:8a/", "http://a.example:8@b.example/",
    "http://a.example@b.example/", "http://A.example/", "HTTP://a.example/", "http://a%2eexample/", "http://[::1]:8/",
    "http:///a", "http://", "http:/a.example", "http://a.example\\@b.example/", "http://é.example/", "http://a;b/",
    "httpsx://a.example/", "https//a.example", "http://.../", "http://1/", "http://0x7f.1/",
  ])
  func plainURLsAreReadAsURLReadsThem(_ text: String) throws {
    #expect(Origin(plain: "http://a.example:8080/x?y#z") != nil && Origin(plain: "https://a.example") != nil)
    guard let url = URL(string: text) else { return }
    guard let plain = Origin(plain: url.absoluteString) else { return }
    #expect(plain.scheme == url.scheme)
    #expect(plain.host == url.host(percentEncoded: false))
    #expect(plain.port == url.port ?? (url.scheme == "https" ? 443 : 80))
    #expect(url.user() == nil && url.password() == nil)
    #expect(Origin(url) == plain)
  }

  @Test func onlyASCIILettersCompareWithoutCase() {
    // The Kelvin sign, which `lowercased()` turns into an ASCII letter.
    #expect("\u{212A}LM".lowercasedASCII == "\u{212A}lm")
    #expect(!"\u{212A}".equalsIgnoringCase("k"))
    #expect("AZaz@[`{".lowercasedASCII == "azaz@[`{")
  }

  @Test(arguments: [
    "", "api.example", "ftp://api.example", "mailto:a@b.example", "https://", "file:///etc",
    // Hosts that are none once they are percent-decoded.
    "https://a%1B%5B31m.example", "https://a%0D%0A.example", "https://a%C2%9B.example", "https://a%E2%80%AE.example",
    "https://evil.example%2F.api.example", "https://evil.example%40api.example", "https://a%20b.example",
  ])
  func otherAddressesHaveNone(_ text: String) { #expect(Origin(text) == nil) }
}

@Suite struct LoggingTransportTests {
  private struct OtherError: Error {}

  @Test(
    arguments: [
      (.success(HTTPResponse(status: 201, body: [1, 2, 3])), "→ 201 (3 bytes, 1999 ms)"),
      (.failure(TransportError(.tls, "s3cret")), "→ tls (0 bytes, 1999 ms)"),
      (.failure(CancellationError()), "→ cancelled (0 bytes, 1999 ms)"),
      (.failure(OtherError()), "→ failed (0 bytes, 1999 ms)"),
    ] as [(Result<HTTPResponse, any Error>, String)])
  func recordHasSizesAndTimeAndNoSecret(_ result: Result<HTTPResponse, any Error>, _ line: String) async throws {
    let clock = ManualClock()
    let transport = StubTransport { _ in
      clock.advance(by: .milliseconds(1999))
      // Setting the clock does not change a duration.
      clock.set(by: .seconds(-86_400))
      return try result.get()
    }
    try await confirmation { isReported in
      let logging = transport.logging(clock: clock) { record in
        #expect(record.description == "PUT https://a.example/p?… \(line)")
        #expect(record.method == .put && record.url == "https://a.example/p?…" && record.requestSize == 6)
        #expect(record.duration == .milliseconds(1999) && record.status == (try? result.get().status))
        var dumped = ""
        dump(record, to: &dumped)
        #expect(!(dumped + String(reflecting: record)).contains("s3cret"))
        isReported()
      }
      let url = try #require(URL(string: "https://a.example/p?token=s3cret#s3cret"))
      _ = try? await logging.send(
        HTTPRequest(.put, url, fields: ["Authorization": "s3cret"], body: Array("s3cret".utf8)))
    }
  }
}

/// The milliseconds of an exchange can exceed 64 bits, by a test's clock.
@Test func recordOfAnEndlessExchangeIsShown() async throws {
  let clock = ManualClock()
  let transport = StubTransport { _ in
    clock.advance(by: .seconds(Int64.max))
    return HTTPResponse(status: 204)
  }
  let logging = transport.logging(clock: clock) { #expect($0.description.contains("(0 bytes, ")) }
  _ = try await logging.send(HTTPRequest(.get, URL(literal: "https://a.example/")))
}

@Suite struct HTTPResponseTests {
  @Test(arguments: [(100, false), (199, false), (200, true), (204, true), (299, true), (300, false), (404, false)])
  func statusIsASuccess(_ status: Int, _ isSuccess: Bool) {
    #expect(HTTPResponse(status: status).isSuccess == isSuccess)
    #expect(StreamedResponse(status: status, fields: [:]).isSuccess == isSuccess)
  }

  /// RFC 9110 § 15; other statuses have no reason.
  @Test(arguments: [(200, "OK"), (204, "No Content"), (308, "Permanent Redirect"), (404, "Not Found"), (599, "")])
  func statusLineHasTheReasonOfTheStandard(_ status: Int, _ reason: String) {
    let message = String(decoding: HTTPResponse(status: status).message(), as: UTF8.self)
    #expect(message.hasPrefix("HTTP/1.1 \(status) \(reason)\r\n"))
  }
}

@Suite struct TransportErrorTests {
  @Test func everyFaultNamesItsServerOrItsKind() throws {
    let faults: [(TransportError.Code, [TransportError.Reason?])] = [
      (.unreachable, [.unknownHost, .connectionRefused, .proxy, .noRoute]),
      (
        .tls,
        [
          nil, .certificateExpired, .certificateWrongHost, .certificateUntrusted, .certificateRevoked,
          .invalidConfiguration,
        ]
      ),
      (.timedOut, [nil, .connecting, .waiting, .receiving]), (.tooLarge, [nil, .head, .encodedBody, .expansion]),
      (.protocolViolation, [.malformedEncoding, .malformedFraming, .malformedHead]), (.truncated, [nil]),
      (.invalidRequest, [nil]), (.connectionLost, [nil]),
    ]
    var messages: Set<String> = []
    for (code, reason) in faults.flatMap({ code, reasons in reasons.map { (code, $0) } }) {
      let error = TransportError.fault(code, reason, at: Origin("https://a.example/path?query"))
      #expect(error.code == code && error.reason == reason && error.description == error.message)
      #expect(error.message.contains("https://a.example") && !error.message.contains("query"))
      let unknown = TransportError.fault(code, reason, at: nil)
      #expect(unknown.message == error.message.replacing("https://a.example", with: "the server"))
      messages.insert(error.message)
    }
    let count = faults.reduce(0) { $0 + $1.1.count }
    #expect(messages.count == count)
  }
}

@Suite struct DescriptionTests {
  @Test func valuesShowNamesAndSizesAlone() throws {
    let url = try #require(URL(string: "https://user:s3cret@a.example/path?token=s3cret#s3cret"))
    let names = (0..<100).map { "name-\($0)" }
    let fields = HTTPFields(names.map { ($0, "s3cret") })
    let form = FormFields(names.map { ($0, "s3cret") })
    let request = HTTPRequest(.post, url, fields: fields, body: Array("s3cret".utf8))
    let response = HTTPResponse(status: 201, fields: fields, body: Array("s3cret".utf8))
    for (value, shown) in [
      (fields, "name-99"), (form, "name-99"), (fields[0], "name-0"), (form[0], "name-0"), (request, "POST"),
      (response, "201"),
    ] as [(Any, String)] {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] {
        #expect(text.contains(shown) && !text.contains("s3cret"))
      }
    }
    #expect("\(request)" == "POST https://a.example/path?…" && "\(response)" == "201, 6 bytes")
  }
}
