// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Testing

@Suite struct BodyStreamTests {
  private func body(_ sizes: [Int]) -> BodyStream {
    let (chunks, continuation) = AsyncStream<[UInt8]>.makeStream()
    for size in sizes { continuation.yield([UInt8](repeating: 7, count: size)) }
    continuation.finish()
    return BodyStream(chunks)
  }

  @Test("The limit is one of all chunks together", arguments: [[10], [4, 6], [4, 4, 2], [0, 10, 0], [1, 9]])
  func limitIsOfTheWholeBody(_ sizes: [Int]) async throws {
    #expect(try await body(sizes).bytes(upTo: 10) == [UInt8](repeating: 7, count: 10))
    let error = await #expect(throws: TransportError.self) { try await body(sizes).bytes(upTo: 9) }
    #expect(error?.code == .tooLarge)
  }

  @Test func bytesThatAreThereAreOneChunk() async throws {
    for bytes in [[], [1, 2, 3]] as [[UInt8]] {
      let body = BodyStream(bytes)
      #expect(body.length == bytes.count)
      var chunks: [[UInt8]] = []
      for try await chunk in body { chunks.append(chunk) }
      #expect(chunks == (bytes.isEmpty ? [] : [bytes]))
    }
  }
}
