// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport

/// Lines of a request's head as libcurl takes them, which end with those of another list.
///
/// Sendable although the compiler cannot see it: nothing changes the list between `init` and `deinit`, and libcurl only reads it.
/// `@safe` for the same reason: the pointers are valid for as long as the list that they belong to.
@safe
final class HeaderLines: @unchecked Sendable {
  /// The first line of this list, or of `rest`.
  let first: UnsafeMutablePointer<curl_slist>?
  /// The last line of this list, after which those of `rest` come; `nil` if it has none.
  private let last: UnsafeMutablePointer<curl_slist>?
  private let rest: HeaderLines?

  /// Creates a list.
  ///
  /// - Throws: `TransportError` if there is no memory for a line, without which the request would be another one.
  init(_ lines: [String], then rest: HeaderLines? = nil) throws(TransportError) {
    var first: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      // Safe: libcurl copies the line; without memory for it, it leaves the list as it is.
      guard let longer = unsafe curl_slist_append(first, line) else {
        unsafe curl_slist_free_all(first)
        throw .noMemory
      }
      unsafe first = longer
    }
    var last = unsafe first
    while let next = unsafe last?.pointee.next { unsafe last = next }
    unsafe last?.pointee.next = rest?.first
    unsafe self.first = first ?? rest?.first
    unsafe self.last = last
    self.rest = rest
  }

  deinit {
    guard let last = unsafe last else { return }
    unsafe last.pointee.next = nil
    unsafe curl_slist_free_all(first)
  }
}
