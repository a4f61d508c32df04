// SPDX-License-Identifier: Apache-2.0

/// A message body that arrives in chunks of bytes.
///
/// ```swift
/// let upload = BodyStream(fileChunks, length: fileSize)          // any asynchronous sequence of [UInt8]
/// let response = try await http.stream(HTTPRequest(.put, url), body: upload)
/// for try await chunk in response.body { … }
/// let text = try await response.body.bytes(upTo: 1 << 20)        // or all of it at once
/// ```
///
/// A response body can be iterated once, by one task at a time. A request body can be iterated as often as its underlying
/// sequence.
public struct BodyStream: AsyncSequence, Sendable {
  /// A chunk of bytes.
  public typealias Element = [UInt8]

  /// The number of bytes, or `nil` if unknown.
  public let length: Int?
  private let makeNext: @Sendable () -> Iterator.Read

  /// Creates a body from chunks.
  ///
  /// - Parameters:
  ///   - chunks: The chunks, of any size. If the sequence throws, the exchange ends and throws the same error.
  ///   - length: The total number of bytes, or `nil` if unknown. A request with a known length is sent with `Content-Length`,
  ///     and fails if the chunks have another length in total.
  public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks, length: Int? = nil) where Chunks.Element == [UInt8] {
    self.length = length
    makeNext = {
      var iterator = chunks.makeAsyncIterator()
      return { try await iterator.next(isolation: #isolation) }
    }
  }

  /// Creates a body from an array of bytes.
  public init(_ bytes: [UInt8]) {
    length = bytes.count
    makeNext = {
      var rest: [UInt8]? = bytes.isEmpty ? nil : bytes
      return {
        defer { rest = nil }
        return rest
      }
    }
  }

  /// Returns an iterator over the elements, from the first one.
  public func makeAsyncIterator() -> Iterator { Iterator(read: makeNext()) }

  /// An iterator over the chunks of a body.
  public struct Iterator: AsyncIteratorProtocol {
    typealias Read = () async throws -> [UInt8]?

    let read: Read

    /// Returns the next element, or `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> [UInt8]? {
      try await read()
    }
  }
}

extension BodyStream {
  /// Reads the body to its end, and returns it as one array.
  ///
  /// - Parameter limit: The maximum size of the body, in bytes.
  /// - Throws: ``TransportError`` with code ``TransportError/Code/tooLarge`` as soon as the body exceeds the limit, or
  ///   any error of iterating the body.
  public func bytes(upTo limit: Int) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await chunk in self {
      guard chunk.count <= limit - bytes.count else {
        throw TransportError(
          .tooLarge, reason: .body,
          "The body is larger than the caller's limit of \(limit) bytes. If you expect this size, raise the limit.")
      }
      bytes.append(contentsOf: chunk)
    }
    return bytes
  }
}

extension BodyStream: CustomStringConvertible, CustomReflectable {
  /// The length, if known, never the bytes.
  public var description: String { length.map { "\($0) bytes" } ?? "bytes of unknown length" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
