// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// The body of a request where libcurl reads it: a copy that stays where it is, made by the task, so that the transport's thread
/// is not held up by a large one.
///
/// Sendable although the compiler cannot see it: nothing writes to the bytes after `init`. `@safe` because they are valid from
/// `init` to `deinit`.
@safe
final class RequestBody: @unchecked Sendable {
  /// The bytes; the address is never NULL, which libcurl takes for something else than an empty body.
  let bytes: UnsafeMutableRawBufferPointer

  /// Copies the body of `request`; `nil` if it has none, be it an empty one.
  init?(_ request: HTTPRequest) {
    guard let body = request.body ?? (request.method.takesBody ? [] : nil) else { return nil }
    let start = UnsafeMutableRawPointer.allocate(byteCount: max(1, body.count), alignment: 1)
    unsafe bytes = UnsafeMutableRawBufferPointer(start: start, count: body.count)
    unsafe bytes.copyBytes(from: body)
  }

  deinit { unsafe bytes.baseAddress?.deallocate() }
}

extension HTTPMethod {
  /// Whether a request without a body says so with `Content-Length: 0` (RFC 9110 § 8.6).
  fileprivate var takesBody: Bool { self == .post || self == .put || self == .patch }
}
