// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// The body of a request at a fixed address, where libcurl reads it.
///
/// It is a copy. The task makes the copy, so a large body does not block the transport's thread.
///
/// The pointer can be used on another thread, because nothing writes to the bytes after `init`. `@safe` because they are valid
/// from `init` to `deinit`.
@safe
final class RequestBody: Sendable {
  /// The bytes.
  ///
  /// The pointer is never NULL, which libcurl does not treat as an empty body.
  nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

  /// Copies the body of `request`, including an empty one, or returns `nil` if it has none.
  init?(_ request: HTTPRequest) {
    guard let body = request.body ?? (request.method.takesBody ? [] : nil) else { return nil }
    let start = UnsafeMutableRawPointer.allocate(byteCount: max(1, body.count), alignment: 1)
    unsafe bytes = UnsafeMutableRawBufferPointer(start: start, count: body.count)
    unsafe bytes.copyBytes(from: body)
  }

  deinit { unsafe bytes.baseAddress?.deallocate() }
}

extension HTTPMethod {
  /// Whether a request without a body has `Content-Length: 0` (RFC 9110 § 8.6).
  fileprivate var takesBody: Bool { self == .post || self == .put || self == .patch }
}
