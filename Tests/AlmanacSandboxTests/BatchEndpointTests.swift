// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing

@Suite struct BatchEndpointTests {
  private func send(
    _ body: String, type: String = #"multipart/mixed; boundary="===12==""#, token: String?, _ harness: SandboxHarness
  ) async throws -> Answer {
    var fields: HTTPFields = ["Content-Type": type]
    fields["Authorization"] = token.map { "Bearer \($0)" }
    let url = try #require(URL(string: SandboxHarness.base + "/batch/calendar/v3"))
    return try await harness.send(HTTPRequest(.post, url, fields: fields, body: Array(body.utf8)))
  }

  /// The parts of a response: the content's identifier, and the response in it.
  private func parts(of answer: Answer) throws -> [(id: String, status: String, body: String)] {
    let type = try #require(answer.response.fields["Content-Type"])
    let boundary = try #require(type.components(separatedBy: "boundary=").last)
    let pieces = answer.text.components(separatedBy: "--\(boundary)")
    #expect(pieces.last == "--\r\n" && pieces.first == "")
    return try pieces.dropFirst().dropLast().map { piece in
      let sections = piece.components(separatedBy: "\r\n\r\n")
      try #require(sections.count >= 3)
      let id = sections[0].components(separatedBy: "Content-ID: ").last?.components(separatedBy: "\r\n").first
      return (id ?? "", sections[1].components(separatedBy: "\r\n")[0], sections[2])
    }
  }

  /// As Google's Python client writes it: bare line feeds, spaces in the identifiers, no lengths.
  private static let python = """
    --===12==
    Content-Type: application/http
    MIME-Version: 1.0
    Content-Transfer-Encoding: binary
    Content-ID: <0f1e + 1>

    POST /calendar/v3/calendars/primary/events?alt=json HTTP/1.1
    content-type: application/json
    content-length: 100
    Host: www.googleapis.com

    {"id": "abcde", "start": {"date": "2026-01-02"}, "end": {"date": "2026-01-03"}, "summary": "Mañana"}
    --===12==
    Content-Type: application/http
    Content-ID: <0f1e + 2>

    GET /calendar/v3/calendars/primary/events/abcde?fields=summary HTTP/1.1
    accept: application/json


    --===12==
    Content-Type: application/http
    Content-ID: <0f1e + 3>

    DELETE /calendar/v3/calendars/primary/events/missing? HTTP/1.1


    --===12==
    Content-Type: application/http
    Content-ID: <0f1e + 4>

    GET /drive/v3/files HTTP/1.1


    --===12==
    Content-Type: application/http
    Content-ID: <0f1e + 5>

    DELETE /calendar/v3/calendars/primary/events/abcde HTTP/1.1


    --===12==--
    """

  @Test func everyPartHasAResponseOfItsOwn() async throws {
    let harness = try SandboxHarness()
    let body = Self.python.replacingOccurrences(of: "content-length: 100\n", with: "")
    let answer = try await send(body, token: try await harness.token(), harness)
    #expect(answer.status == 200)
    let parts = try parts(of: answer)
    #expect(parts.map(\.id) == (1...5).map { "<response-0f1e + \($0)>" })
    #expect(
      parts.map(\.status) == [
        "HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found", "HTTP/1.1 404 Not Found",
        "HTTP/1.1 204 No Content",
      ])
    #expect(parts[1].body.hasPrefix(#"{"summary":"Mañana"}"#))
    #expect(harness.sandbox.requestCount(.batch) == 1 && harness.sandbox.requestCount(.events) == 4)
  }

  @Test func linesMayEndAsInHTTPAndLengthsCount() async throws {
    let harness = try SandboxHarness()
    let body = Self.python.replacingOccurrences(of: "content-length: 100", with: "content-length: 101")
      .replacingOccurrences(of: "\n", with: "\r\n")
    let parts = try parts(of: try await send(body, token: try await harness.token(), harness))
    #expect(parts[0].status == "HTTP/1.1 200 OK" && parts[1].body.hasPrefix(#"{"summary":"Mañana"}"#))
  }

  @Test(arguments: [
    ("GET calendar/v3/colors HTTP/1.1", "400"), ("GET //calendar/v3/colors HTTP/1.1", "400"),
    ("GET /calendar/v3/colors", "400"), ("GET /calendar/v3/colors FTP/1", "400"), ("", "400"),
    ("DELETE /calendar/v3/colors HTTP/1.1", "405"), ("GET /calendar/v3/colors HTTP/1.1\nno field", "200"),
    ("GET /calendar/v3/colors HTTP/1.1\nAuthorization: Bearer x", "401"),
    ("GET /calendar/v3/users/me/settings/locale HTTP/1.1\nIf-None-Match: *", "304"),
  ])
  func requestOfAPartIsChecked(request: String, status: String) async throws {
    let harness = try SandboxHarness()
    let body = "--===12==\nContent-Type: application/http\nContent-ID: one\n\n\(request)\n\n--===12==--"
    let parts = try parts(of: try await send(body, token: try await harness.token(), harness))
    #expect(parts.map(\.id) == ["response-one"] && parts[0].status.split(separator: " ")[1] == status)
  }

  /// Lines that only begin like the boundary belong to a part, which no boundary then ends.
  @Test(arguments: [
    "", "--===12==--\n", "--other\n\n--other--\n", "--===12==\nContent-ID: <1>\n\nGET / HTTP/1.1\n\n",
    "--===12==\n\nGET / HTTP/1.1\n\n--===12==x\n\n--===12==--",
    "--===12==\n\nGET / HTTP/1.1\n\n--===12==-\n\n--===12==--",
  ])
  func whatIsNoBatchIsRefused(body: String) async throws {
    let harness = try SandboxHarness()
    let answer = try await send(body, token: try await harness.token(), harness)
    #expect(answer.status == 400)
  }

  @Test(arguments: [
    ("multipart/mixed", 400), ("text/plain; boundary=b", 400), ("Multipart/Mixed; x=y; Boundary=b ", 200),
    ("multipart/mixed; boundary=" + String(repeating: "b", count: 201), 400),
  ])
  func boundaryIsThatOfTheField(type: String, status: Int) async throws {
    let harness = try SandboxHarness()
    let body = "--b\n\nGET /calendar/v3/colors HTTP/1.1\n\n--b--"
    #expect(try await send(body, type: type, token: try await harness.token(), harness).status == status)
  }

  @Test func thereIsALimit() async throws {
    let harness = try SandboxHarness()
    let part = "--===12==\nContent-ID: <1>\n\nGET /calendar/v3/colors HTTP/1.1\n\n\n"
    let token = try await harness.token()
    let most = String(repeating: part, count: 1000)
    #expect(try parts(of: try await send(most + "--===12==--", token: token, harness)).count == 1000)
    #expect(try await send(most + part + "--===12==--", token: token, harness).status == 400)
  }

  @Test func workingLocationsAreNotWrittenInABatch() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    let office = #""eventType":"workingLocation","workingLocationProperties":{"type":"homeOffice"}"#
    let day = #""start":{"date":"2026-01-05"},"end":{"date":"2026-01-06"}"#
    let made = try await harness.call(
      .post, "calendars/primary/events", #"{"id":"office0",\#(office),\#(day)}"#, token: token)
    #expect(made.status == 200)
    let event = "/calendar/v3/calendars/primary/events"
    let calls = [
      ("POST \(event)", #"{"id":"office1",\#(office),\#(day)}"#), ("POST \(event)", #"{"id":"other0",\#(day)}"#),
      ("PATCH \(event)/office0", #"{"summary":"Office"}"#), ("PUT \(event)/office0", "{\(office),\(day)}"),
      ("DELETE \(event)/office0", ""), ("GET \(event)/office0", ""),
    ]
    let body = calls.map { call, content in
      "--===12==\nContent-Type: application/http\n\n\(call) HTTP/1.1\nContent-Type: application/json\n\n\(content)\n"
    }.joined()
    let parts = try parts(of: try await send(body + "--===12==--\n", token: token, harness))
    let statuses = parts.map { $0.status.split(separator: " ")[1] }
    #expect(statuses == ["400", "200", "400", "400", "400", "200"])
    #expect(parts[0].body.contains("badRequest"))
    #expect(try await harness.call(.delete, "calendars/primary/events/office0", token: token).status == 204)
  }
}
