// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import Testing

@Suite struct CallTests {
  private static let url = URL(literal: "https://api.example/items?a=1")

  private struct Item: Codable, Sendable, Equatable {
    let name: String
    var tags: [String] = []
    var more: [String: String]?
  }

  private func json(_ text: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, fields: ["Content-Type": "application/json"], body: Array(text.utf8))
  }

  @Test(arguments: [HTTPMethod.get, .post, .put, .patch, .delete, "REPORT"])
  func everyVerbIsOneCall(_ method: HTTPMethod) async throws {
    let http = StubTransport(json(#"{"name":"á","tags":["x"]}"#))
    let item: Item = try await http.call(method, Self.url, query: ["q": "á b&c", "q": "2"])
    #expect(item == Item(name: "á", tags: ["x"]))
    let request = try #require(http.requests.first)
    #expect(request.method == method)
    #expect(request.url.absoluteString == "https://api.example/items?a=1&q=%C3%A1%20b%26c&q=2")
    #expect(request.body == nil)
  }

  @Test func formAndJSONAndBytesAreSentWithTheirType() async throws {
    let http = StubTransport(HTTPResponse(status: 204), HTTPResponse(status: 201), HTTPResponse(status: 200))
    try await http.call(.post, Self.url, body: .form(["a": "1 2", "b": "+"]))
    try await http.call(.put, Self.url, body: .json(Item(name: "x")))
    try await http.call(.post, Self.url, body: .bytes([0, 255], mediaType: "image/png"))
    let sent = http.requests.map { String(decoding: $0.body ?? [], as: UTF8.self) }
    #expect(sent[0] == "a=1+2&b=%2B")
    #expect(try JSONDecoder().decode(Item.self, from: Data(sent[1].utf8)) == Item(name: "x"))
    #expect(http.requests[2].body == [0, 255])
    #expect(
      http.requests.map { $0.fields["Content-Type"] } == [
        "application/x-www-form-urlencoded", "application/json", "image/png",
      ])
  }

  @Test func addressMayBeText() async throws {
    let http = StubTransport(json(#"{"name":"x","tags":[]}"#), HTTPResponse(status: 204))
    let item: Item = try await http.call(.get, "https://api.example/items", query: ["q": "1"])
    #expect(item.name == "x")
    try await http.call(.delete, "https://api.example/items/x")
    #expect(
      http.requests.map(\.url.absoluteString) == ["https://api.example/items?q=1", "https://api.example/items/x"])
  }

  @Test(arguments: ["", "items", "/items", "ftp://api.example/", "https://", "http://a b/"])
  func whatIsNoAddressOrNoJSONIsNotSent(_ address: String) async {
    let http = StubTransport(HTTPResponse(status: 200))
    let error = await #expect(throws: CallError.self) { try await http.call(.get, address) }
    #expect(error?.code == .invalidCall && http.requests.isEmpty)
    let malformed = await #expect(throws: CallError.self) {
      try await http.call(.post, Self.url, body: .json(["x": Double.infinity]))
    }
    #expect(malformed?.code == .invalidCall && http.requests.isEmpty)
  }

  @Test func fieldsGoWithTheRequest() async throws {
    let http = StubTransport(HTTPResponse(status: 204), HTTPResponse(status: 204))
    try await http.call(.put, Self.url, fields: ["If-Match": "\"1\"", "Accept": "text/plain"], body: .form([:]))
    try await http.call(.get, Self.url)
    #expect(http.requests[0].fields["If-Match"] == "\"1\"" && http.requests[0].fields["Accept"] == "text/plain")
    #expect(http.requests[0].fields["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(http.requests[1].fields["Accept"] == "application/json, */*;q=0.5")
  }

  @Test func emptyAnswerIsNilForAnOptional() async throws {
    let http = StubTransport(HTTPResponse(status: 204), HTTPResponse(status: 204))
    let none: Item? = try await http.call(.delete, Self.url)
    #expect(none == nil)
    let error = await #expect(throws: CallError.self) { try await http.call(.delete, Self.url, as: Item.self) }
    #expect(error?.code == .undecodable)
  }

  @Test func refusalCarriesTheAnswerButDoesNotSayIt() async throws {
    struct Refusal: Decodable { let error: String }
    let http = StubTransport(json(#"{"error":"s3cret"}"#, status: 403))
    let error = await #expect(throws: CallError.self) {
      try await http.call(.get, Self.url, query: ["token": "s3cret"])
    }
    #expect(error?.code == .refused)
    #expect(error?.response?.status == 403)
    #expect(error?.body(as: Refusal.self)?.error == "s3cret" && error?.body(as: [Int].self) == nil)
    var dumped = ""
    dump(error, to: &dumped)
    #expect(!(dumped + "\(String(describing: error))").contains("s3cret"))
  }

  /// The form of a provider, or a text that a message must not have.
  @Test(arguments: [
    (#"{"error":"invalid_grant","error_description":"s3cret"}"#, "invalid_grant"),
    (
      #"{"error":{"code":403,"status":"PERMISSION_DENIED","errors":[{"reason":"rateLimitExceeded"}]}}"#,
      "rateLimitExceeded"
    ),
    (#"{"error":{"code":403,"message":"s3cret","status":"PERMISSION_DENIED"}}"#, "PERMISSION_DENIED"),
    (#"{"error":{"code":"ErrorItemNotFound","message":"s3cret"}}"#, "ErrorItemNotFound"),
    (#"{"errors":[{"code":"group_error","message":"s3cret"}]}"#, "group_error"),
    (#"{"code":"not-found"}"#, "not-found"), (#"[{"error":"quota"}]"#, nil), (#"{"message":"Not"}"#, nil),
    (#"{"error":"ya29.s3cret"}"#, nil), (#"{"error":"A token is missing."}"#, nil), (#"{"error":""}"#, nil),
    (#"{"error":null,"status":404}"#, nil), (#"{"error":"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq"}"#, nil),
    (#"{"error":"echoed-query"}"#, nil), (#"{"error":"echoed-field"}"#, nil), (#"{"error":"echoed-body"}"#, nil),
    ("<html>", nil), ("", nil), (#"{"error":{"error":{"error":"deep"}}}"#, "deep"),
  ])
  func reasonOfTheServerIsSaidIfItIsAWord(_ body: String, _ reason: String?) async throws {
    let http = StubTransport(json(body, status: 404))
    let error = await #expect(throws: CallError.self) {
      try await http.call(
        .post, Self.url, query: ["token": "echoed-query"], fields: ["X-Key": "echoed-field"],
        body: .form(["a": "echoed-body"]))
    }
    #expect(
      error?.description
        == "POST https://api.example/items?… received status 404\(reason.map { ": \($0)" } ?? "").")
    #expect(error?.localizedDescription == error?.description)
  }

  @Test(arguments: [
    (#"{"name":"x","tags":["a",7]}"#, "another type"), (#"{"tags":[]}"#, "is missing"),
    ("<html>s3cret", "requested type."),
    (#"{"name":"x","tags":[null]}"#, "is null"), ("", "is null"),
    (#"{"name":"x","tags":[],"more":{"ya29.s3cret":7}}"#, "another type"),
  ])
  func contentThatIsNotWhatWasAskedForSaysWhy(_ body: String, _ place: String) async throws {
    let http = StubTransport(json(body))
    let error = await #expect(throws: CallError.self) { try await http.call(.get, Self.url, as: Item.self) }
    #expect(error?.code == .undecodable)
    #expect(error?.message.contains(place) == true)
    #expect(error?.message.contains("s3cret") == false)
  }

  /// A value with the conformance that a type has whose default isolation is the main actor.
  @MainActor private struct Draft: @MainActor Encodable {
    let name: String
    let attachments = Attachments()
  }

  @MainActor private final class Attachments: @MainActor Encodable { var count = 1 }

  @MainActor @Test func valueOfTheMainActorIsSentAsItWasWhenTheBodyWasMade() async throws {
    let http = StubTransport(HTTPResponse(status: 204))
    let draft = Draft(name: "x")
    let body = RequestBody.json(draft)
    draft.attachments.count = 2
    try await http.call(.post, Self.url, body: body)
    let sent = try #require(http.requests.first?.body)
    #expect(String(decoding: sent, as: UTF8.self).contains(#""count":1"#))
  }
}
