// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import Testing

struct PagingTests {
  private static func ids(_ ids: String..., next: String? = nil) -> HTTPResponse {
    let items = ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
    return .json(#"{"items":[\#(items)]\#(next.map { #","nextPageToken":"\#($0)""# } ?? #","nextSyncToken":"s""#)}"#)
  }

  private static func collect<Element>(_ sequence: some AsyncSequence<Element, any Error>) async throws -> [Element] {
    var elements: [Element] = []
    for try await element in sequence { elements.append(element) }
    return elements
  }

  @Test func everyPageIsReadEmptyOnesIncluded() async throws {
    let transport = StubTransport(
      Self.ids("a", "b", next: "1"), Self.ids(next: "2"), .json(#"{"nextPageToken":"3"}"#), Self.ids("c"))
    let entries = CalendarClient(transport: transport).calendarList.pages(.init(showHidden: true))
    let pages = try await Self.collect(entries)
    #expect(pages.flatMap(\.items).map(\.id) == ["a", "b", "c"])
    #expect(pages.map(\.nextPageToken) == ["1", "2", "3", nil] && pages.last?.nextSyncToken == "s")
    #expect(
      transport.paths == [
        "users/me/calendarList?showHidden=true", "users/me/calendarList?showHidden=true&pageToken=1",
        "users/me/calendarList?showHidden=true&pageToken=2", "users/me/calendarList?showHidden=true&pageToken=3",
      ])
  }

  @Test(arguments: [#""""#, "null", "0", "[]"])
  func emptyTokenEndsTheList(_ token: String) async throws {
    let page = "\u{FEFF}" + #"{"nextSyncToken":\#(token),"nextPageToken":\#(token),"items":[{"id":"a"}]}"#
    let transport = StubTransport { _ in .json(page) }
    let list = CalendarClient(transport: transport).calendarList.pages()
    let pages = try await Self.collect(list)
    #expect(pages.flatMap(\.items).map(\.id) == ["a"] && transport.requests.count == 1)
    // Each iteration starts anew.
    #expect(try await Self.collect(list).count == 1 && transport.requests.count == 2)
    #expect(pages[0].nextPageToken == nil && pages[0].nextSyncToken == nil && pages[0].additionalFields.isEmpty)
  }

  @Test func aPageIsAskedForOnlyWhenItIsNeeded() async throws {
    let transport = StubTransport(Self.ids("a", "b", next: "1"))
    for try await entry in CalendarClient(transport: transport).calendarList.all() where entry.id == "b" { break }
    #expect(transport.requests.count == 1)
  }

  @Test(arguments: [["1", "1"], ["1", "2", "1"], ["0"]]) func aRepeatedPageEndsWithAnError(_ tokens: [String])
    async throws
  {
    let transport = StubTransport { request in
      let asked = request.url.absoluteString.split(separator: "pageToken=").last.map(String.init) ?? ""
      let position = tokens.firstIndex(of: asked).map { $0 + 1 } ?? 0
      return Self.ids("a", next: tokens[position % tokens.count])
    }
    let entries = CalendarClient(transport: transport).calendarList.all(.init(pageToken: "0"))
    var iterator = entries.makeAsyncIterator()
    await expectFailure(.repeatedPage) {
      for _ in 0..<10 { _ = try await iterator.next() }
    }
    #expect(try await iterator.next() == nil)
    #expect(transport.requests.count <= tokens.count + 1)
  }

  @Test func cancellationStopsAmongTheItemsOfAPage() async throws {
    let transport = StubTransport(Self.ids("a", "b", "c"))
    let entries = CalendarClient(transport: transport).calendarList.all()
    let read = Task {
      var ids: [String?] = []
      await #expect(throws: CancellationError.self) {
        for try await entry in entries {
          ids.append(entry.id)
          cancelCurrentTask()
        }
      }
      return ids
    }
    #expect(await read.value == ["a"])
  }

  @Test func thePageAfterTheCurrentOneIsPrefetched() async throws {
    let transport = StubTransport(Self.ids("a", next: "1"), Self.ids("b", next: "2"), Self.ids("c"))
    let pages = CalendarClient(transport: transport).calendarList.pages().prefetching()
    var iterator = pages.makeAsyncIterator()
    #expect(try await iterator.next()?.items.first?.id == "a")
    // The next page has been requested before the caller asks for it, and no page after that.
    while transport.requests.count < 2 { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    #expect(transport.requests.count == 2)
    #expect(try await iterator.next()?.items.first?.id == "b")
    #expect(try await iterator.next()?.items.first?.id == "c")
    #expect(try await iterator.next() == nil)
    #expect(transport.requests.count == 3)
  }

  @Test func aPrefetchedPageThatNobodyWantsIsCancelled() async throws {
    let (cancelled, continuation) = AsyncStream.makeStream(of: Void.self)
    let transport = StubTransport { request in
      guard request.url.absoluteString.contains("pageToken") else { return Self.ids("a", next: "1") }
      try? await Task.sleep(for: .seconds(3600))
      continuation.finish()
      return Self.ids("b")
    }
    do {
      var iterator = CalendarClient(transport: transport).calendarList.all().prefetching().makeAsyncIterator()
      #expect(try await iterator.next()?.id == "a")
      while transport.requests.count < 2 { await Task.yield() }
    }
    for await _ in cancelled {}
  }

  @Test func cancellingTheReaderCancelsThePrefetchedPage() async throws {
    let transport = StubTransport { request in
      guard request.url.absoluteString.contains("pageToken") else { return Self.ids("a", next: "1") }
      try await Task.sleep(for: .seconds(3600))
      return Self.ids("b")
    }
    let entries = CalendarClient(transport: transport).calendarList.all().prefetching()
    let read = Task { try await Self.collect(entries) }
    while transport.requests.count < 2 { await Task.yield() }
    read.cancel()
    await #expect(throws: CancellationError.self) { try await read.value }
  }

  @Test func aPrefetchedFailureIsThrownInItsTurn() async throws {
    let transport = StubTransport(Self.ids("a", next: "1"), .json("{}", status: 400))
    var iterator = CalendarClient(transport: transport).calendarList.all().prefetching().makeAsyncIterator()
    #expect(try await iterator.next()?.id == "a")
    await #expect(throws: CalendarError.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }
}
