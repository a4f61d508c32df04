// SPDX-License-Identifier: Apache-2.0

/// The elements of all pages of a collection; see ``CalendarPages``.
public struct CalendarElements<Page: CalendarPage>: AsyncSequence, Sendable {
  let pages: CalendarPages<Page>

  /// Returns the same elements.
  ///
  /// The next page is requested while the elements of the current one are worked on.
  public func prefetching() -> CalendarElements { CalendarElements(pages: pages.prefetching()) }

  /// Returns an iterator that starts with the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

  /// An iteration over elements.
  public struct Iterator: AsyncIteratorProtocol {
    private var pages: CalendarPages<Page>.Iterator
    private var elements: IndexingIterator<[Page.Element]> = [].makeIterator()

    fileprivate init(pages: CalendarPages<Page>.Iterator) { self.pages = pages }

    /// Returns the next element, or `nil` after the last one.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Page.Element? {
      try Task.checkCancellation()
      while true {
        if let element = elements.next() { return element }
        guard let page = try await pages.next(isolation: actor) else { return nil }
        elements = page.items.makeIterator()
      }
    }
  }
}
