// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport

/// The libcurl handles of finished transfers, for further transfers of the same kind.
///
/// Creating and freeing a handle takes a tenth of the time of a transfer.
struct KeptHandles {
  /// Whether libcurl discards the fields of a transfer when the next one begins.
  ///
  /// If a head begins with a continuation line, libcurl before 8.1 reads the last field of the previous head, which it has
  /// freed.
  private static let forgetsFields: Bool = {
    // Safe: libcurl returns a structure that it never frees.
    unsafe curl_version_info(CURLVERSION_FIRST).pointee.version_num >= 0x080100
  }()

  /// The maximum number of kept handles.
  private let limit: Int
  /// The handles, the most recently used one last.
  private var handles: [EasyHandle] = []

  init(limit: Int) { self.limit = limit }

  /// Returns a kept handle of this kind, or creates one.
  ///
  /// - Throws: `TransportError` if there is no memory for it, or libcurl rejects an option.
  mutating func take(_ kind: EasyHandle.Kind, setup: EasyHandle.Setup) throws(TransportError) -> EasyHandle {
    if let index = handles.lastIndex(where: { $0.kind == kind }) { return handles.remove(at: index) }
    let handle = try EasyHandle(kind, setup: setup)
    try Transfer.setCallbacks(of: handle)
    return handle
  }

  /// Keeps a handle whose transfer succeeded, unless the transfer was its last.
  mutating func keep(_ handle: EasyHandle) {
    guard !handle.isLast, (try? handle.letGo()) != nil else { return }
    // The exchange then receives a continuation line before libcurl parses it.
    if !Self.forgetsFields { handle.setShowsHead(true) }
    guard !handle.isLast else { return }
    if handles.count >= limit { handles.removeFirst() }
    handles.append(handle)
  }

  mutating func removeAll() { handles.removeAll() }
}
