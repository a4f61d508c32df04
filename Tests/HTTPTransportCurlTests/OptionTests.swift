// SPDX-License-Identifier: Apache-2.0

import CLibcurlFaults
import Foundation
import HTTPTransport
import HTTPTransportCurl
import TestSupport
import Testing
import TransportKit

/// Tests of refusals of libcurl: an option, a URL that is too long, memory for a header line.
///
/// Faults of libcurl hold for the whole process, so each test has one of its own.
@Suite(.takesTurns) struct OptionTests {
  /// The outcomes of every kind of request, each sent twice, by the kind's name.
  private static func outcomes() async throws -> [String: [String]] {
    let server = try HostileServer { request in
      switch request.target {
      case "/gzip": [.response(200, ["Content-Encoding": "gzip"], body: ContentCodingTests.hello[.gzip] ?? [])]
      case "/switching": [.response(101)]
      default: [.response(200, ["X-Method": request.method], body: request.method == "HEAD" ? "" : "ok")]
      }
    }
    defer { server.stop() }
    let authority = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let pem = TLSOptions.PEM.bytes(Array("x".utf8))
    let bytes = TLSOptions(authorities: pem, clientCertificate: .init(certificate: pem, key: pem, password: "secret"))
    let file = TLSOptions.PEM.file(authority.path)
    let files = TLSOptions(authorities: file, clientCertificate: .init(certificate: file, key: file))
    let url = server.url("/a?code=secret")
    let https = try #require(URL(string: "https://127.0.0.1:1/?code=secret"))
    let plain = CurlTransport(proxy: .none)
    let proxied = CurlTransport(proxy: .url("http://127.0.0.1:\(server.port)"))
    var outcomes: [String: [String]] = [:]
    func note(_ name: String, _ exchange: () async throws -> HTTPResponse) async throws {
      for _ in 1...2 {
        do {
          let response = try await exchange()
          outcomes[name, default: []].append("\(response.status) \(String(decoding: response.body, as: UTF8.self))")
        } catch let error as TransportError {
          #expect(!"\(error) \(error.cause.map { "\($0)" } ?? "")".contains("secret"))
          outcomes[name, default: []].append(
            error.code == .invalidRequest ? error.message : error.code.description)
        }
      }
    }
    for method in [HTTPMethod.get, .head, .delete, .post, .put, .patch] {
      try await note("\(method)") { try await plain.send(HTTPRequest(method, url)) }
    }
    try await note("body") { try await plain.send(HTTPRequest(.post, url, body: [1, 2, 3])) }
    try await note("gzip") { try await plain.send(HTTPRequest(.get, server.url("/gzip"))) }
    try await note("fault") { try await plain.send(HTTPRequest(.get, server.url("/switching"))) }
    try await note("fields") { try await plain.send(HTTPRequest(.get, url, fields: ["If-Match": "secret"])) }
    try await note("download") { try await plain.stream(HTTPRequest(.get, url), body: nil).collected() }
    try await note("upload") {
      try await plain.stream(HTTPRequest(.post, url), body: BodyStream([1, 2, 3])).collected()
    }
    let proxiedURL = try #require(URL(string: "http://origin.test/?code=secret"))
    try await note("proxy") { try await proxied.send(HTTPRequest(.get, proxiedURL)) }
    for (name, tls) in [("TLS with files", files), ("TLS with bytes", bytes)] {
      try await note(name) { try await CurlTransport(tls: tls, proxy: .none).send(HTTPRequest(.get, https)) }
    }
    try await note("TLS stream") {
      try await CurlTransport(proxy: .none).stream(HTTPRequest(.get, https), body: nil).collected()
    }
    return outcomes
  }

  #if os(Linux)
    @Test func everyRefusedOptionEndsTheRequestsThatNeedIt() async {
      await #expect(processExitsWith: .success) {
        let usual = try await Self.outcomes()
        let options = (1..<100_000).filter { libcurl_has_set(Int32($0)) }
        #expect(options.count > 40)
        // These are set during a transfer or after it, which goes on without them: its connection is closed by other means,
        // and its handle is freed.
        let harmless: Set<String> = ["FORBID_REUSE", "HEADER"]
        for option in options {
          let name = unsafe libcurl_option_name(Int32(option)).map { unsafe String(cString: $0) } ?? "\(option)"
          libcurl_refuse(Int32(option))
          let outcomes = try await Self.outcomes()
          var refused = 0
          for (kind, outcome) in outcomes {
            for (one, usual) in zip(outcome, usual[kind] ?? []) where one != usual {
              // Options of multi handles have no names.
              let named = name.first?.isNumber == true ? "" : "\(name). "
              #expect(one.hasPrefix("libcurl rejects the option \(named)"), "\(name), \(kind): \(one)")
              refused += 1
            }
          }
          #expect(refused > 0 || harmless.contains(name), "\(name) was refused and nothing told it.")
        }
      }
    }

    /// A connection that must not be kept is closed even if libcurl does not accept the option for it.
    @Test func connectionIsClosedWithoutTheOptionForIt() async {
      await #expect(processExitsWith: .success) {
        libcurl_refuse(75)  // CURLOPT_FORBID_REUSE
        let kit = TransportConformance { CurlTransport(limits: $0, proxy: .none) }
        for check in kit.checks where check.group == .connections { try await kit.run(check) }
      }
    }

    /// Without `If-Match` a write overwrites what another client wrote, and without its proof a token is refused.
    @Test func aHeaderLineWithoutMemoryEndsTheRequest() async {
      await #expect(processExitsWith: .success) {
        let server = try HostileServer(.response(200, body: "ok"))
        defer { server.stop() }
        let fields: HTTPFields = ["If-Match": "1", "DPoP": "proof", "X-A": "a"]
        for lines in 0..<8 {
          libcurl_refuse_line_after(Int32(lines))
          let http = CurlTransport()
          let outcome = await Result {
            try await http.send(HTTPRequest(.put, server.url(), fields: fields, body: [1]))
          }
          switch outcome {
          case .success:
            let last = try #require(server.requests.last)
            for field in fields { #expect(last.fields[field.name] == field.value) }
          case .failure(let error): #expect((error as? TransportError)?.code == .invalidRequest)
          }
        }
      }
    }

    /// A head of a mebibyte is too long, and libcurl does not even take a URL of 8,000,000 bytes.
    ///
    /// In a process of its own, because URLs of that length hold up other tests.
    @Test func aURLThatIsTooLongIsRefused() async {
      await #expect(processExitsWith: .success) {
        let server = try HostileServer(.response(200, body: "ok"))
        defer { server.stop() }
        let start = server.url("/?").absoluteString
        for (method, size) in [(HTTPMethod.get, 1_100_000), (.post, 1_100_000), (.patch, 8_000_000)] {
          let url = try #require(URL(string: start + String(repeating: "a", count: size - start.utf8.count)))
          let http = CurlTransport(proxy: .none)
          let error = await #expect(throws: TransportError.self) { try await http.send(HTTPRequest(method, url)) }
          #expect(error?.code == .invalidRequest, "\(method)")
          let streamed = await #expect(throws: TransportError.self) {
            try await http.stream(HTTPRequest(method, url), body: nil)
          }
          #expect(streamed?.code == .invalidRequest, "\(method)")
          // The transport goes on to work.
          #expect(try await http.send(HTTPRequest(.get, server.url("/next"))).status == 200)
        }
        #expect(server.requests.allSatisfy { $0.target == "/next" })
      }
    }
  #endif
}

extension StreamedResponse {
  fileprivate func collected() async throws -> HTTPResponse {
    var bytes: [UInt8] = []
    for try await piece in body { bytes += piece }
    return HTTPResponse(status: status, fields: fields, body: bytes)
  }
}

extension Result where Failure == any Error {
  init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
