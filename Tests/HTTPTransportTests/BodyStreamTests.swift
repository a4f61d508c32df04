// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import TestSupport
import Testing

@Suite struct BodyStreamTests {
  @Test(arguments: [(0, false), (4, false), (5, true), (6, true), (.max, true)]) func bodyIsTakenUpToALimit(
    _ limit: Int, _ fits: Bool
  ) async throws {
    for body in [BodyStream(Array("abcde".utf8)), Self.chunks(["ab", "", "cde"])] {
      if fits {
        #expect(try await body.bytes(upTo: limit) == Array("abcde".utf8))
      } else {
        let error = try await #require(throws: TransportError.self) { try await body.bytes(upTo: limit) }
        #expect(error.code == .tooLarge && error.reason == .body)
        #expect(
          error.message
            == "The body is larger than the caller's limit of \(limit) bytes. If you expect this size, raise the limit."
        )
      }
    }
  }

  private static func chunks(_ texts: [String], length: Int? = nil) -> BodyStream {
    BodyStream(
      AsyncStream { continuation in
        for text in texts { continuation.yield(Array(text.utf8)) }
        continuation.finish()
      }, length: length)
  }

  @Test func bodyOfBytesIsOneChunkOrNone() async throws {
    var (count, again) = (0, BodyStream([1, 2]).makeAsyncIterator())
    for try await chunk in BodyStream([1, 2]) { count += chunk.count }
    #expect(count == 2)
    #expect(try await again.next() == [1, 2])
    #expect(try await again.next() == nil)
    for try await _ in BodyStream([]) { Issue.record("There is a chunk.") }
    #expect("\(BodyStream([1, 2]))" == "2 bytes" && "\(Self.chunks([]))" == "bytes of unknown length")
    #expect("\(Self.chunks([], length: 7))" == "7 bytes")
    #expect(Mirror(reflecting: BodyStream([1])).children.isEmpty)
  }

  private struct Streaming: StreamingTransport {
    let response: StreamedResponse

    func stream(_ request: HTTPRequest, body: BodyStream?) async throws -> StreamedResponse {
      #expect(body == nil)
      return response
    }
  }

  @Test func streamedResponseIsCollectedWhole() async throws {
    let origin = try #require(Origin("https://b.example"))
    let streamed = StreamedResponse(
      status: 203, fields: ["A": "b"], body: Self.chunks(["ab", "c"]), redirectedOrigin: origin)
    let response = try await Streaming(response: streamed).send(HTTPRequest(.get, URL(literal: "https://a.example/")))
    #expect(
      response == HTTPResponse(status: 203, fields: ["A": "b"], body: Array("abc".utf8), redirectedOrigin: origin))
    #expect(response.redirectedOrigin == origin && "\(streamed)" == "203, streamed")
    #expect(mirroredChildren(of: streamed) == ["status: 203", #"fields: ["A"]"#])
    #expect(StreamedResponse(status: 204).body.length == 0)
  }
}
