// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// The pages of a collection, each requested on demand.
///
/// Every iteration starts at the request's page: the first one, unless its ``CalendarRequest/pageToken`` is set. A page can be
/// empty although another one follows. If the server returns the same page token twice, the iteration throws
/// ``CalendarError`` with code ``CalendarError/Code/repeatedPage``. An iteration keeps one page in memory, or two with
/// ``prefetching()``.
public struct CalendarPages<Page: CalendarPage>: AsyncSequence, Sendable {
  let client: CalendarClient
  let request: CalendarRequest<Page>
  private var isPrefetching = false

  init(client: CalendarClient, request: CalendarRequest<Page>) {
    self.client = client
    self.request = request
  }

  /// Returns the same pages, with the next one requested while the current one is processed.
  ///
  /// If the iteration ends early, one page too many has been requested. The client cancels that request.
  public func prefetching() -> CalendarPages {
    var pages = self
    pages.isPrefetching = true
    return pages
  }

  /// Returns an iterator that starts at the request's page.
  public func makeAsyncIterator() -> Iterator { Iterator(client, request, isPrefetching: isPrefetching) }

  /// An iterator over pages.
  public struct Iterator: AsyncIteratorProtocol {
    private let client: CalendarClient
    private let isPrefetching: Bool
    private var request: CalendarRequest<Page>?
    private var prefetched: PageTask<Page>?
    private var seen: Set<String> = []

    fileprivate init(_ client: CalendarClient, _ request: CalendarRequest<Page>, isPrefetching: Bool) {
      self.client = client
      self.request = request
      self.isPrefetching = isPrefetching
    }

    /// Returns the next page, or `nil` after the last one.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Page? {
      guard var request else { return nil }
      self.request = nil
      let task = prefetched
      prefetched = nil
      if let token = request.pageToken, !seen.insert(token).inserted { throw CalendarError.repeatedPage }
      let page: Page
      if let task { page = try await task.value } else { page = try await client.send(request) }
      if let token = page.nextPageToken {
        request.pageToken = token
        self.request = request
        if isPrefetching, !seen.contains(token) { prefetched = PageTask(client, request) }
      }
      return page
    }
  }
}

/// A pending request of a page.
///
/// The request is cancelled when the last iterator waiting for it is released.
private final class PageTask<Page: CalendarPage>: Sendable {
  private let task: Task<Page, any Error>

  init(_ client: CalendarClient, _ request: CalendarRequest<Page>) {
    task = Task { try await client.send(request) }
  }

  deinit { task.cancel() }

  /// The page.
  ///
  /// Cancelling the current task cancels the request.
  var value: Page {
    get async throws {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }
}

extension CalendarRequest where Response: CalendarPage {
  /// The token of the requested page, or `nil` for the first page.
  public var pageToken: String? {
    get { query.fields["pageToken"] }
    set { query.fields["pageToken"] = newValue }
  }
}

extension CalendarError {
  fileprivate static var repeatedPage: CalendarError {
    CalendarError(
      .repeatedPage, "The server returned the same page token twice. Start again later, or with smaller pages.")
  }
}

/// A page of a collection.
public protocol CalendarPage: CalendarSchema {
  /// The type of the collection's elements.
  associatedtype Element: CalendarSchema

  /// The elements on this page. They can be empty although another page follows.
  var items: [Element] { get }

  /// The token for the next page, or `nil` on the last page.
  var nextPageToken: String? { get }

  /// The token for the next incremental synchronization, on the last page only.
  var nextSyncToken: String? { get }
}

/// The elements of all pages of a collection.
///
/// See ``CalendarPages``.
public struct CalendarElements<Page: CalendarPage>: AsyncSequence, Sendable {
  let pages: CalendarPages<Page>

  /// Returns the same elements.
  ///
  /// The next page is requested while the elements of the current one are processed.
  public func prefetching() -> CalendarElements { CalendarElements(pages: pages.prefetching()) }

  /// Returns an iterator that starts at the request's page.
  public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

  /// An iterator over elements.
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
