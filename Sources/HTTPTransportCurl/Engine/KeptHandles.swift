// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport

/// Handles of libcurl that have carried a transfer, and wait for another of the same kind.
///
/// To make and free a handle takes a tenth of the time that a transfer takes.
struct KeptHandles {
  /// Whether libcurl forgets the fields of a transfer with the beginning of the next: before 8.1 it follows a pointer to the last
  /// one, which it has freed, if a head begins with a continuation line.
  private static let forgetsFields: Bool = {
    // Safe: libcurl returns a structure that it never frees.
    unsafe curl_version_info(CURLVERSION_FIRST).pointee.version_num >= 0x080100
  }()

  /// How many are kept at most.
  private let limit: Int
  /// The one that was used last is the last.
  private var handles: [EasyHandle] = []

  init(limit: Int) { self.limit = limit }

  /// Takes a handle of this kind, or makes one.
  ///
  /// - Throws: `TransportError` if there is no memory for it, or libcurl refuses an option.
  mutating func take(_ kind: EasyHandle.Kind, setup: EasyHandle.Setup) throws(TransportError) -> EasyHandle {
    if let index = handles.lastIndex(where: { $0.kind == kind }) { return handles.remove(at: index) }
    let handle = try EasyHandle(kind, setup: setup)
    try Exchange.setCallbacks(of: handle)
    return handle
  }

  /// Keeps a handle whose transfer went well, unless it was its last.
  mutating func keep(_ handle: EasyHandle) {
    guard !handle.isLast, (try? handle.letGo()) != nil else { return }
    // So that the exchange sees such a line before libcurl does.
    if !Self.forgetsFields { handle.setShowsHead(true) }
    guard !handle.isLast else { return }
    if handles.count >= limit { handles.removeFirst() }
    handles.append(handle)
  }

  mutating func removeAll() { handles.removeAll() }
}
