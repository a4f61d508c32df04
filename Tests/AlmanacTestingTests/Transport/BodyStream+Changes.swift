// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

extension BodyStream {
  /// The body with each chunk replaced by others; it ends if `change` returns `nil`.
  func changingChunks(_ change: @escaping @Sendable (_ chunk: [UInt8], _ number: Int) -> [[UInt8]]?) -> BodyStream {
    BodyStream(ChangedBody(body: self, change: change) { throw $0 }, length: length)
  }

  /// The body with other errors; it ends if `change` throws none.
  func changingErrors(_ change: @escaping @Sendable (any Error) throws -> Void) -> BodyStream {
    BodyStream(ChangedBody(body: self, change: { chunk, _ in [chunk] }, error: change), length: length)
  }
}

private struct ChangedBody: AsyncSequence, Sendable {
  let body: BodyStream
  let change: @Sendable ([UInt8], Int) -> [[UInt8]]?
  let error: @Sendable (any Error) throws -> Void

  func makeAsyncIterator() -> Iterator { Iterator(body: self, base: body.makeAsyncIterator()) }

  struct Iterator: AsyncIteratorProtocol {
    let body: ChangedBody
    var base: BodyStream.Iterator
    var waiting: ArraySlice<[UInt8]> = []
    var number = 0

    mutating func next() async throws -> [UInt8]? {
      while waiting.isEmpty {
        do {
          guard let chunk = try await base.next(), let chunks = body.change(chunk, number) else { return nil }
          number += 1
          waiting = chunks[...]
        } catch {
          try body.error(error)
          return nil
        }
      }
      return waiting.popFirst()
    }
  }
}
