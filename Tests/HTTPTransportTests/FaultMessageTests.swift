// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import Testing

/// The messages of transports' errors, and the descriptions and dumps of values.
@Suite struct FaultMessageTests {
  private static let lost =
    "The connection to https://a.example was lost before a response came. The request may have been carried out."

  @Test(
    arguments: [
      (.unreachable, .unknownHost, "The host of https://a.example cannot be found. Check the name and the network."),
      (
        .unreachable, .connectionRefused,
        "https://a.example refuses connections. Check the port, and that the server is running."
      ),
      (.unreachable, .proxy, "The proxy does not connect to https://a.example. Check the proxy's settings."),
      (.unreachable, .noRoute, "https://a.example cannot be reached. Check the URL and the network."),
      (.unreachable, nil, "https://a.example cannot be reached. Check the URL and the network."),
      (
        .tls, .certificateExpired,
        "The certificate of https://a.example has expired or is not valid yet. Check it and this machine's clock."
      ),
      (.tls, .certificateWrongHost, "The certificate of https://a.example is for another host. Check the URL."),
      (
        .tls, .certificateUntrusted,
        "The certificate of https://a.example does not lead to a trusted authority. If it is your own, name its CA file."
      ),
      (.tls, .certificateRevoked, "The certificate of https://a.example has been revoked."),
      (
        .tls, .invalidConfiguration,
        "The CA file, client certificate or key for https://a.example cannot be used. Check that they are PEM and belong together."
      ),
      (
        .tls, nil,
        "A TLS connection to https://a.example could not be set up. Check that it supports TLS 1.2 or newer on this port."
      ),
      (
        .timedOut, .connecting,
        "Connecting to https://a.example timed out. Check the network, or allow more time."
      ),
      (.timedOut, .waiting, "https://a.example did not respond in time. Try again later, or allow more time."),
      (
        .timedOut, .receiving,
        "The response of https://a.example was not complete in time. Try again later, or allow more time."
      ),
      (
        .timedOut, nil,
        "https://a.example did not send a complete response in time. Try again later, or allow more time."
      ),
      (.tooLarge, .head, "The head of the response of https://a.example is larger than the transport's limit."),
      (
        .tooLarge, .encodedBody,
        "The response of https://a.example is larger than the transport's limit for encoded bodies."
      ),
      (
        .tooLarge, .expansion,
        "The response of https://a.example expands too much to be read in pieces. Request it with Accept-Encoding: identity."
      ),
      (.tooLarge, nil, "The response of https://a.example is larger than the transport's limit."),
      (
        .protocolViolation, .malformedEncoding,
        "The content encoding of the response of https://a.example is broken or unknown."
      ),
      (
        .protocolViolation, .malformedFraming, "The framing of the response of https://a.example is not valid HTTP."
      ),
      (.protocolViolation, .malformedHead, "The response of https://a.example is not valid HTTP."),
      (.truncated, nil, "The response of https://a.example ended before its announced end. Try again."),
      (.invalidRequest, nil, "The platform cannot send a request to this URL: https://a.example."),
      (.connectionLost, nil, lost),
    ] as [(TransportError.Code, TransportError.Reason?, String)])
  func faultIsExplained(_ code: TransportError.Code, _ reason: TransportError.Reason?, _ message: String) throws {
    let error = TransportError.fault(code, reason, at: Origin("https://a.example/path?query"))
    #expect(error.code == code && error.reason == reason && error.message == message)
    let unknown = TransportError.fault(code, reason, at: nil)
    #expect(unknown.message == message.replacing("https://a.example", with: "the server"))
  }

  @Test func valuesShowNamesAndSizesAlone() throws {
    let url = try #require(URL(string: "https://user@a.example/path?token=secret"))
    let request = HTTPRequest(.post, url, fields: ["A": "secret", "B": "secret"], body: Array("12345".utf8))
    let response = HTTPResponse(status: 201, fields: ["C": "secret"], body: Array("123".utf8))
    let form: FormFields = ["d": "secret", "e": "secret"]
    #expect(response.description == "201, 3 bytes" && response.debugDescription == "201, 3 bytes")
    #expect(request.fields.description == #"["A", "B"]"# && form.description == #"["d", "e"]"#)
    func children(_ value: Any) -> [String: String] {
      Dictionary(uniqueKeysWithValues: Mirror(reflecting: value).children.map { ($0.label ?? "", "\($0.value)") })
    }
    #expect(children(request.fields) == ["names": #"["A", "B"]"#])
    #expect(children(form) == ["names": #"["d", "e"]"#])
    #expect(
      children(request) == [
        "method": "POST", "url": url.redactedDescription, "fields": #"["A", "B"]"#, "bodySize": "5",
      ])
    #expect(children(HTTPRequest(.get, url))["bodySize"] == "0")
    #expect(children(response) == ["status": "201", "fields": #"["C"]"#, "bodySize": "3"])
  }

  @Test(
    arguments: [
      (.success(HTTPResponse(status: 200, body: [1, 2, 3])), "GET https://a.example/p?… → 200 (3 bytes, 1250 ms)"),
      (.failure(TransportError(.truncated, "x")), "GET https://a.example/p?… → truncated (0 bytes, 1250 ms)"),
      (.failure(CancellationError()), "GET https://a.example/p?… → cancelled (0 bytes, 1250 ms)"),
      (.failure(OtherError()), "GET https://a.example/p?… → failed (0 bytes, 1250 ms)"),
    ] as [(Result<HTTPResponse, any Error>, String)])
  func exchangeIsOneLine(_ result: Result<HTTPResponse, any Error>, _ line: String) async throws {
    let clock = ManualClock()
    let transport = StubTransport { _ in
      clock.advance(by: .milliseconds(1250))
      return try result.get()
    }
    try await confirmation { isReported in
      let logging = transport.logging(clock: clock) { record in
        #expect(record.description == line)
        isReported()
      }
      let url = try #require(URL(string: "https://a.example/p?token=secret#secret"))
      _ = try? await logging.send(HTTPRequest(.get, url))
    }
  }

  private struct OtherError: Error {}
}
