// SPDX-License-Identifier: Apache-2.0

/// One page of a list.
protocol Page: CalendarSchema {
  associatedtype Item: CalendarSchema
  var items: [Item] { get }
  var nextPageToken: String? { get }
}

/// The parameters of a method that answers in pages.
protocol PageQuery: QueryParameters {
  var pageToken: String? { get set }
}

/// All pages of a list, each asked for when it is needed.
///
/// Every iteration starts anew with the first page. A page may be empty and still have a next one. A server that names a
/// page twice is not followed.
struct PageSequence<Answer: Page, Query: PageQuery>: AsyncSequence, Sendable {
  let client: CalendarClient
  let query: Query
  let call: @Sendable (Query) -> Call<Answer>

  func makeAsyncIterator() -> Iterator { Iterator(sequence: self, query: query) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let sequence: PageSequence
    fileprivate var query: Query?
    private var seen: Set<String> = []

    fileprivate init(sequence: PageSequence, query: Query) {
      self.sequence = sequence
      self.query = query
    }

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Answer? {
      guard var query else { return nil }
      self.query = nil
      if let token = query.pageToken, !seen.insert(token).inserted {
        throw CalendarError(
          .repeatedPage, "The server named a page that it had given before. Start again, with smaller pages or later.")
      }
      let page = try await sequence.client.send(sequence.call(query))
      if let token = page.nextPageToken {
        query.pageToken = token
        self.query = query
      }
      return page
    }
  }
}

/// The items of all pages of a list.
struct ItemSequence<Answer: Page, Query: PageQuery>: AsyncSequence, Sendable {
  let pages: PageSequence<Answer, Query>

  func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var pages: PageSequence<Answer, Query>.Iterator
    private var items: IndexingIterator<[Answer.Item]> = [].makeIterator()

    fileprivate init(pages: PageSequence<Answer, Query>.Iterator) { self.pages = pages }

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Answer.Item? {
      try Task.checkCancellation()
      while true {
        if let item = items.next() { return item }
        guard let page = try await pages.next(isolation: actor) else { return nil }
        items = page.items.makeIterator()
      }
    }
  }
}
