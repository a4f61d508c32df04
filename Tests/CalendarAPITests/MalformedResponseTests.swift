// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import Testing

/// Answers with status 200 that are not what the method gives.
struct MalformedResponseTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let body: [UInt8]
    let problem: String
    var testDescription: String { problem }

    init(_ body: String, _ problem: String) { self.init(Array(body.utf8), problem) }

    init(_ body: [UInt8], _ problem: String) {
      self.body = body
      self.problem = problem
    }
  }

  static let cases = [
    Case("", "empty body"), Case(" \n", "empty body"), Case("<!DOCTYPE html><p>Hotel Wi-Fi", "web page (JSON was"),
    Case([0xFF, 0xFE, 0x7B, 0], "byte order mark of UTF-16"), Case("[]", "not an object"),
    Case("null", "not an object"),
    Case(#""text""#, "not an object"), Case("{", "ends too early (byte 1)"),
    Case(#"{"items":[{"id":"secr"#, "ends too early"),
    Case(#"{"items":[{"id":"a"},"#, "ends too early"),
    Case(#"{"items":[{"id":tru}]}"#, "value was expected (byte 19, in items[0].id)"),
    Case(#"{"items":{}}"#, "not an array where one was expected (byte 9, in items)"),
    Case(#"{"items":[{},7]}"#, "not an object where one was expected (byte 13, in items[1])"),
    Case(#"{"nextPageToken":7}"#, "not a string where one was expected (byte 17, in nextPageToken)"),
    Case(#"{"nextSyncToken":[1]}"#, "in nextSyncToken"), Case(#"{"items":[],}"#, "name of a field"),
    Case(#"{"items":[{},]}"#, "items[1]"),
    Case(#"{"etag" 1}"#, "colon"), Case(#"{"etag":"a" "kind":"b"}"#, "comma"), Case("{} {}", "more content"),
    Case(#"{"etag":"\x"}"#, "escape"), Case(#"{"etag":"\u12"}"#, "escape"),
    Case("{\"etag\":\"a\nb\"}", "control character"),
    Case(Array(#"{"etag":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8), "UTF-8"), Case(#"{"x":01}"#, "comma"),
    Case(#"{"x":1.}"#, "digit"), Case(#"{"x":-}"#, "digit"), Case(#"{"x":1e}"#, "digit"),
    Case(#"{"x":NaN}"#, "value was expected"),
    Case(#"{"x":"# + String(repeating: "[", count: 100_000), "levels"),
    Case(#"{"x":"# + String(repeating: #"{"y":"#, count: 100_000), "levels"), Case(#"{'a':1}"#, "name of a field"),
  ]

  @Test(arguments: cases) func endsWithATypedErrorThatSaysWhere(_ item: Case) async throws {
    let client = CalendarClient(transport: StubTransport(HTTPResponse(status: 200, body: item.body)))
    let error = try await #require(throws: CalendarError.self) { try await client.calendarList.list() }
    #expect(error.code == .malformedResponse)
    #expect(error.status == 200)
    #expect(error.message.contains(item.problem.replacing(" (JSON was", with: "")))
    #expect(!"\(error)".contains("secr"))
    #expect(!error.isRetryable)
  }

  @Test func everyCutOfAPageIsATypedError() throws {
    let page = Array(
      #"{"items":[{"id":"a","primary":true,"defaultReminders":[{"minutes":10}],"x":[-1.5e3,null]}],"etag":"\u00e9"}"#
        .utf8)
    for length in page.indices {
      let error = try #require(throws: CalendarError.self) { try CalendarListPage(json: Array(page[..<length])) }
      #expect(error.code == .malformedResponse)
    }
    #expect(try CalendarListPage(json: page).items.count == 1)
  }

  @Test func noByteAnywhereMakesItTrap() {
    let page = Array(
      #"{"items":[{"id":"a\n","primary":true,"defaultReminders":[{"minutes":10}],"x":[-1.5e3,null]}]}"#.utf8)
    for index in page.indices {
      for byte in [0x00, 0x22, 0x2C, 0x2D, 0x30, 0x3A, 0x5B, 0x5C, 0x5D, 0x7B, 0x7D, 0x80, 0xFF] as [UInt8] {
        var damaged = page
        damaged[index] = byte
        _ = try? CalendarListPage(json: damaged)
      }
    }
  }
}
