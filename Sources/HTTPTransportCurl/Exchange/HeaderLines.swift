// SPDX-License-Identifier: Apache-2.0

import CLibcurl

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

  init(_ lines: [String], then rest: HeaderLines? = nil) {
    var first: UnsafeMutablePointer<curl_slist>?
    // Safe: libcurl copies the lines; without memory for one it leaves the list as it is.
    for line in lines { unsafe first = curl_slist_append(first, line) ?? first }
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
